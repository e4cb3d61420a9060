"""From matches to scores: counts, intervals, variants of a benchmark, rankings, results."""
