"""The field's scorers that count words: WiRe57, CaRB, OIE2016."""
