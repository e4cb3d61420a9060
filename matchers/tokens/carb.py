"""CaRB's scorer: word overlap slot by slot, where a gold tuple may be found by several extractions.

Written anew, and read so that the CaRB rows of BenchIE's Table 5 come out. What is done with `be`, reporting verbs,
`C:` and missing arguments is known of the released scorer and in none of the papers here. The lenient match of an
extraction and a gold tuple:
- a gold tuple has a relation, a first argument and the rest: further arguments join the second, and arguments marked
  `C:`, the context in which a fact holds, are left out;
- relations must share a word, or the extraction's `be` meets another form of it in the gold;
- slots are bags: a word is shared as often as both have it. Precision divides by the words of the extraction, recall
  by those of the gold tuple. A gold tuple without second argument does not look at the extraction's, and an extraction
  without one can't match a gold tuple that has one;
- a gold relation of reporting (said, told, ...) may have its arguments the other way round.

A system's precision matches one to one, greedily by precision, over its extractions of sentences with gold; its recall
lets each gold tuple take its best extraction, so one long extraction can serve many. Confidences, where a system gives
them, are thresholds: the best F1 over them and the area under the curve are what CaRB's authors report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy

from data.carb import CarbSentence, CarbTuple
from data.model import Extraction, Formulation, Sentence, System
from data.problems import InputError
from matchers.scoring import Score
from matchers.token_gold import TUPLES, GoldPart, Reading, Words, words_of
from matchers.token_scorers import Row, TokenScorer, greedy, named, score_of

NAME = "carb"
CONTEXT = "C:"
REPORTING = frozenset(("said", "told", "added", "adds", "says"))
BE = "be"
FORMS_OF_BE = frozenset(("be", "is", "am", "are", "was", "were", "been", "being"))

Cell = tuple[float, float]
NO_MATCH: Cell = (0.0, 0.0)


@dataclass(frozen=True)
class CarbGold:
    """A gold tuple as the scorer sees it: the rest is None if there is no second argument."""

    relation: GoldPart
    arg1: GoldPart
    rest: GoldPart | None = None
    reporting: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "reporting", not REPORTING.isdisjoint(self.relation.words))

    @property
    def parts(self) -> tuple[GoldPart, ...]:
        """The parts that count."""
        return (self.relation, self.arg1) if self.rest is None else (self.relation, self.arg1, self.rest)


def gold_of(found: CarbTuple) -> CarbGold:
    """A tuple of CaRB's table.

    >>> gold_of(CarbTuple("sank", ("The ferry", "off Arden", "in May", "C: Tove said"))).rest.words
    ('off', 'Arden', 'in', 'May')
    """
    arg1, *rest = [arg for arg in found.args if not arg.startswith(f"{CONTEXT} ")] or [""]
    return CarbGold(_part(found.relation), _part(arg1), _part(" ".join(rest)) if rest else None)


def _part(text: str) -> GoldPart:
    words = tuple(text.split())
    return GoldPart(words, words)


def cell(extraction: Sequence[Words], gold: CarbGold) -> Cell:
    """Precision and recall of an extraction (first argument, relation, second argument) against a gold tuple."""
    arg1, relation, arg2 = extraction
    straight = _slots(relation, arg1, arg2, gold)
    return max(straight, _slots(relation, arg2, arg1, gold)) if gold.reporting else straight


def _slots(relation: Words, arg1: Words, arg2: Words, gold: CarbGold) -> Cell:
    own = Counter(relation)
    meets = int(own[BE] > gold.relation.bag[BE] and not FORMS_OF_BE.isdisjoint(gold.relation.words))
    in_relation = (own & gold.relation.bag).total() + meets
    if not in_relation or (gold.rest is not None and not arg2):
        return NO_MATCH
    found, asked = in_relation, (own & gold.relation.needed_bag).total() + meets
    for words, part in zip((arg1, arg2), gold.parts[1:], strict=False):
        bag = Counter(words)
        found += (bag & part.bag).total()
        asked += (bag & part.needed_bag).total()
    claimed = len(relation) + len(arg1) + (len(arg2) if gold.rest is not None else 0)
    needed = sum(len(part.needed) for part in gold.parts)
    return found / claimed, min(1.0, asked / needed) if needed else 0.0


Table = list[list[Cell]]


def table_of(extractions: Sequence[Extraction], facts: Sequence[Sequence[CarbGold]]) -> Table:
    """A row a fact, a column an extraction; precision and recall each by the formulation that gives most."""
    texts = [words_of(extraction) for extraction in extractions]
    return [[_best(text, fact) for text in texts] for fact in facts]


def _best(text: Sequence[Words], fact: Sequence[CarbGold]) -> Cell:
    if len(fact) == 1:
        return cell(text, fact[0])
    cells = [cell(text, gold) for gold in fact]
    return max((c[0] for c in cells), default=0.0), max((c[1] for c in cells), default=0.0)


def row_of(table: Table, columns: Sequence[int]) -> Row:
    """The sums of these extractions: matched precisions, extractions, best recalls, facts."""
    pairs = [(row[column][0], number, column) for number, row in enumerate(table) for column in columns]
    precision = sum(table[number][column][0] for number, column in greedy(pairs))
    recall = sum(max((row[column][1] for column in columns), default=0.0) for row in table)
    return float(precision), float(len(columns)), float(recall), float(len(table))


class CarbScorer(TokenScorer):
    """CaRB's scores of systems on any benchmark, at the lowest threshold: all extractions count.

    >>> from data.model import Cluster, Slot
    >>> fact = Formulation(Slot.of("Alex"), Slot.of("is"), Slot.of("a pilot"))
    >>> sentence = Sentence("1", "Alex is a pilot .", (Cluster("1", (fact,)),))
    >>> CarbScorer().row(sentence, [Extraction("1", "Alex", "is", "a good pilot"), Extraction("1", "a", "b", "c")])
    (0.8, 2.0, 1.0, 1.0)
    """

    def __init__(self, reading: Reading | None = None) -> None:
        self.reading = reading or Reading()
        if self.reading.weight != TUPLES:
            raise InputError(f"'{NAME}:{self.reading}': CaRB's scorer averages over tuples and can't weigh by tokens")
        self.name = named(NAME, self.reading)

    def facts(self, sentence: Sentence) -> list[list[CarbGold]]:
        """The sentence's facts as gold tuples, in all formulations that the reading looks at."""
        return [[self._gold(formulation) for formulation in fact] for fact in self.reading.facts(sentence)]

    def _gold(self, formulation: Formulation) -> CarbGold:
        arg1, relation, rest = self.reading.tuple_of(formulation)
        return CarbGold(relation, arg1, rest if rest.words else None)

    def row(self, sentence: Sentence, extractions: Sequence[Extraction]) -> Row:
        """Numerator and denominator of precision, then of recall; a sentence without gold counts nothing."""
        facts = self.facts(sentence)
        if not facts:
            return 0.0, 0.0, 0.0, 0.0
        return row_of(table_of(extractions, facts), range(len(extractions)))


@dataclass(frozen=True)
class CarbResult:
    """A system's score at the threshold of the best F1; the curve's points run from the highest threshold down.

    Without confidences there is one point, that of all extractions, and no area. `left_out` are the extractions of
    sentences without gold.
    """

    extractions: int
    left_out: int
    score: Score
    threshold: float | None
    auc: float | None
    curve: tuple[tuple[float | None, Score], ...]


Golds = Mapping[str, Sequence[CarbGold]]


def golds_by_id(sentences: Iterable[CarbSentence], texts: Mapping[str, str]) -> dict[str, list[CarbGold]]:
    """CaRB's gold by the ids of the sentences with these texts; spaces and case of a text don't matter."""
    ids = {_key(text): sentence_id for sentence_id, text in texts.items()}
    golds = {}
    for sentence in sentences:
        sentence_id = ids.get(_key(sentence.text))
        if sentence_id is None:
            line = sentence.tuples[0].line
            raise InputError(f"CaRB's gold has a sentence without an id, in line {line}: {sentence.text[:60]!r}")
        golds[sentence_id] = [gold_of(found) for found in sentence.tuples]
    return golds


def _key(text: str) -> str:
    return "".join(text.split()).casefold()


def carb_result(golds: Golds, system: System) -> CarbResult:
    """A system's result against CaRB's gold, by sentence id; extractions of other sentences don't count."""
    counted = [extraction for extraction in system.extractions if extraction.sentence_id in golds]
    scored = bool(counted) and all(extraction.confidence is not None for extraction in counted)
    thresholds = sorted({_level(extraction, scored) for extraction in counted} or {0.0}, reverse=True)
    place = {threshold: number for number, threshold in enumerate(thresholds)}
    sums = numpy.zeros((len(thresholds), 4))
    for sentence_id, facts in golds.items():
        extractions = system.by_sentence.get(sentence_id, ())
        table = table_of(extractions, [[gold] for gold in facts])
        levels = [_level(extraction, scored) for extraction in extractions]
        before = numpy.zeros(4)
        for level in sorted(set(levels), reverse=True):  # a sentence's sums change at its own confidences only
            after = numpy.array(row_of(table, [number for number, own in enumerate(levels) if own >= level]))
            sums[place[level]] += after - before
            before = after
    sums = numpy.cumsum(sums, axis=0)
    sums[:, 3] = sum(len(facts) for facts in golds.values())
    scores = [score_of(row[None, :]) for row in sums]
    best = max(range(len(scores)), key=lambda number: scores[number].f1)
    curve = tuple(zip(thresholds if scored else [None], scores, strict=True))
    left_out = len(system.extractions) - len(counted)
    return CarbResult(len(counted), left_out, scores[best], curve[best][0], area(scores) if scored else None, curve)


def _level(extraction: Extraction, scored: bool) -> float:
    return extraction.confidence if scored and extraction.confidence is not None else 0.0


def area(scores: Sequence[Score]) -> float:
    """The area under the curve of precision over recall, which begins level at recall 0.

    >>> area([Score(1.0, 0.5, 0.0), Score(0.5, 1.0, 0.0)])
    0.875
    """
    points = [(0.0, scores[0].precision), *((score.recall, score.precision) for score in scores)]
    return sum((right - left) * (low + high) / 2 for (left, low), (right, high) in pairwise(points))
