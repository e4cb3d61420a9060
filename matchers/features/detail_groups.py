"""The groups of features about what an extraction says beyond a cluster, which other clusters may account for."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from matchers.features.meaning import against
from matchers.features.pair import Pair
from matchers.features.word_bits import left_by

count = int.bit_count


class Combined(NamedTuple):
    """The other clusters that the extraction contains whole."""

    clusters_combined: Annotated[float, against("other clusters that the extraction contains whole")]
    clusters_maximal: Annotated[float, against("those of them whose words are not all another one's")]

    @classmethod
    def of(cls, pair: Pair) -> Combined:
        """What an extraction contains beside a pair's cluster."""
        others = [needs for number, needs in pair.whole.inside if number != pair.cluster]
        if not others:
            return _NOTHING_COMBINED
        content, outside = ~pair.bits.function, ~pair.bits.function & ~pair.gold.allows
        maximal, different = 0, set(others)
        for needs in different:
            if needs & outside:
                own = needs & content
                if all(own & ~other or other == needs for other in different):
                    maximal += others.count(needs)
        inside = {number for number, _ in pair.whole.inside if number != pair.cluster}
        return cls(clusters_combined=len(inside), clusters_maximal=maximal)


_NOTHING_COMBINED = Combined(0, 0)


class Accounted(NamedTuple):
    """Who accounts for the content words beyond the formulation."""

    clusters_needed: Annotated[float, against("other clusters that it takes to account for the extra content words")]
    unaccounted: Annotated[float, against("extra content words that no single other cluster accounts for")]
    unaccounted_all: Annotated[float, against("extra content words that no other cluster at all accounts for")]

    @classmethod
    def of(cls, pair: Pair) -> Accounted:
        """A greedy cover of a pair's extra content words by the other clusters."""
        extra = pair.extra & ~pair.bits.function
        if not extra:
            return _ACCOUNTED
        covers = {
            extra & allows: None
            for number, different in enumerate(pair.whole.gold.allows)
            if number != pair.cluster
            for allows in different
        }
        rests = (extra, *left_by(covers, extra))
        after_one = rests[1] if len(rests) > 1 else extra
        return cls(len(rests) - 1, unaccounted=count(after_one), unaccounted_all=count(rests[-1]))


_ACCOUNTED = Accounted(0, 0, 0)
