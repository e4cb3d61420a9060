"""Which data sets bring a scorer, and which names ask for fractions of words in place of matches."""

from __future__ import annotations

WEBNLG = ("webnlg_exact", "webnlg_strict", "webnlg_partial", "webnlg_type")
FRACTIONS_ONLY = ("carb", *WEBNLG, "g_bertscore")
OWN_SCORERS = {"wire57": "wire57", "benchie_carb": "carb"}


def is_own(dataset: str | None, matcher: str) -> bool:
    """Whether a data set is scored on its own tuples, with the scorer of its authors.

    >>> is_own("wire57", "wire57"), is_own("benchie_fl", "wire57"), is_own("wire57", "carb")
    (True, False, False)
    """
    return OWN_SCORERS.get(dataset or "") == matcher


def gives_fractions(dataset: str | None, matcher: str) -> bool:
    """Whether a data set and a matcher's name ask for fractions of words in place of matches."""
    return is_own(dataset, matcher) or matcher.partition(":")[0] in FRACTIONS_ONLY
