"""Baselines that would fool a bad scorer."""
