"""Who matches: one interface; rules and learned matchers; assignment; checkpoints; scoring.

>>> import data, matchers
>>> scores = matchers.evaluate("sample", matcher="rules")
>>> scores["pithy"].f1 > scores["magpie"].f1
True
"""

from typing import TYPE_CHECKING, Any

from matchers.neighbours import check_neighbour

check_neighbour("data")

from matchers.interface import Assignment, Candidate, Match, Matcher, Reason  # noqa: E402
from matchers.registry import load  # noqa: E402

if TYPE_CHECKING:
    from matchers.scoring.from_python import compare, evaluate

__all__ = ["Assignment", "Candidate", "Match", "Matcher", "Reason", "compare", "evaluate", "load"]


def __getattr__(name: str) -> Any:
    """What scores is imported when it is asked for, so that `matchers` alone is light."""
    if name in ("compare", "evaluate"):
        from matchers.scoring import from_python

        return getattr(from_python, name)
    raise AttributeError(f"module 'matchers' has no attribute {name!r}")
