"""Matchers side by side against people's judgments, and their speed."""
