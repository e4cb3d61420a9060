"""What counts as significant, and how a p-value is written: the same in every table, file and page."""

from __future__ import annotations

LEVEL = 0.05
FEWEST = 5  # sentences for an interval: resampling fewer gives much too narrow ones
FEW = 30  # sentences for the bootstrap's test: with fewer it finds differences by chance up to ten times too often
BOOTSTRAP = "paired bootstrap over sentences"
SWAPS = "swapping the two systems in sentences"


def tie_legend(test: str) -> str:
    """What the mark of a tie means, by what was tested with."""
    return f"= not significantly different from the system above ({test}, p >= {LEVEL})"


def no_intervals(sentences: int) -> str:
    """Why there are no intervals."""
    return (
        f"no intervals: {sentences} sentence{'s' * (sentences != 1)} can't tell how far scores spread; {FEWEST} could"
    )


def is_significant(p: float) -> bool:
    """Whether a difference with this p-value is taken for more than chance."""
    return p < LEVEL


def p_value(p: float | None) -> str:
    """A p-value in a column of p-values; nothing where there is no test.

    >>> p_value(0.0312), p_value(0.00002), p_value(1.0), p_value(None)
    ('.031', '<.001', '1.000', '')
    """
    return "" if p is None else "<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def p_text(p: float) -> str:
    """A p-value in running text.

    >>> p_text(0.0312), p_text(0.00002)
    ('p = .031', 'p < .001')
    """
    return f"p {p_value(p).replace('<', '< ')}" if p < 0.001 else f"p = {p_value(p)}"
