"""The feature-based matcher: what is measured of a pair, and the classifier over it."""
