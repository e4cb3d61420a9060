"""How matchers are learned and compared: recipes, folds, fitting, metrics, benchmark, report."""
