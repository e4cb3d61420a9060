"""Words, punctuation, patterns with optional words, and how two texts align."""
