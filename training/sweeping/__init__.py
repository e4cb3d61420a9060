"""Search for a recipe by inner folds."""
