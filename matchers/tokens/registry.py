"""Token scorers by name, and the scorers of data sets that bring one."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path

from data.catalog import DATASETS, find
from data.formats.carb import read_carb
from data.formats.reading import Nary
from data.formats.wire57 import read_wire57_extractions, read_wire57_gold
from data.problems import InputError
from matchers.counts import Scorer
from matchers.text.implicit import Implicit
from matchers.tokens.carb import CarbScorer
from matchers.tokens.carb_table import CarbTable
from matchers.tokens.oie2016 import Oie2016Scorer
from matchers.tokens.scorer import TokenScorer
from matchers.tokens.token_gold import Reading
from matchers.tokens.webnlg import WebnlgScorer
from matchers.tokens.wire57 import Wire57Scorer
from matchers.tokens.wire57_table import Wire57Table

WIRE57, CARB = "wire57", "benchie_carb"


def _g_bertscore(reading: Reading) -> TokenScorer:
    from matchers.tokens.g_bertscore import GraphBertScorer  # which brings torch with it

    return GraphBertScorer(reading)


SCORERS: dict[str, Callable[[Reading], TokenScorer]] = {
    "wire57": Wire57Scorer,
    "carb": CarbScorer,
    "oie2016": Oie2016Scorer,
    "webnlg_exact": partial(WebnlgScorer, "exact"),
    "webnlg_strict": partial(WebnlgScorer, "strict"),
    "webnlg_partial": partial(WebnlgScorer, "partial"),
    "webnlg_type": partial(WebnlgScorer, "type"),
    "g_bertscore": _g_bertscore,
}


def load_scorer(name: str) -> TokenScorer:
    """The scorer of a name, perhaps with a reading of clusters.

    >>> load_scorer("wire57").name, load_scorer("carb:first+kept").name
    ('wire57', 'carb:first+kept')
    """
    kind, _, reading = name.partition(":")
    if kind not in SCORERS:
        raise InputError(f"no scorer is called {name!r}; the names are {', '.join(SCORERS)}")
    return SCORERS[kind](Reading.of(reading))


def own_scorer(
    dataset: str,
    data: Path | None = None,
    given: Collection[str] = (),
    nary: Nary = "join",
    implicit: Implicit = "keep",
) -> Scorer:
    """The scorer of a data set's authors, on its own tuples; `given` are systems that are not those of its own file."""
    root = find(dataset, data)
    if root is None:
        raise InputError(
            f"the data set {dataset} was not found; get it with `python -m data.fetch`, or name its folder"
        )
    own = DATASETS[dataset]
    if dataset == WIRE57:
        gold, published = read_wire57_gold(root / own.gold), read_wire57_extractions(root / own.extra[0])
        return Wire57Table(gold, published, frozenset(given), nary, implicit)
    return CarbTable(read_carb(root / own.gold))
