"""Large files: read in pieces, checked in any process, and found again sentence by sentence."""
