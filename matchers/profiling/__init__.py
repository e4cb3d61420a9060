"""What systems get wrong, slot by slot and by kind of sentence."""
