"""Bringing the real sets: what they are, pinned and checksummed, and the download."""
