"""How many calls may be made: every request that is sent counts, repeated ones too."""

from __future__ import annotations

from data.problems import InputError


class Budget:
    """Counts calls, and refuses the one that would be too many.

    >>> budget = Budget(1)
    >>> budget.take()
    >>> budget.take()
    Traceback (most recent call last):
    data.problems.InputError: stopped after 1 calls, as --max-calls asks; the answers are kept, so run again to go on
    """

    def __init__(self, limit: int | None) -> None:
        self.limit = limit
        self.calls = 0

    def take(self) -> None:
        """Count one call before it is made."""
        if self.limit is not None and self.calls >= self.limit:
            message = f"stopped after {self.calls} calls, as --max-calls asks"
            raise InputError(f"{message}; the answers are kept, so run again to go on")
        self.calls += 1
