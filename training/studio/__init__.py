"""The studio: annotate facts and judge matches in the browser, and learn from it at once."""

from training.studio.command import main

__all__ = ["main"]
