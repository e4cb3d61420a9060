"""The rules of BenchIE^FL: exact match, joined facts, level of detail, punctuation."""
