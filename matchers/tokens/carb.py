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
from collections.abc import Sequence
from dataclasses import dataclass, field

from data.formats.carb import CarbTuple
from data.model import Extraction, Formulation, Sentence
from data.problems import InputError
from matchers.tokens.scorer import Row, TokenScorer, greedy, named
from matchers.tokens.token_gold import TUPLES, GoldPart, Reading, Words, words_of

NAME = "carb"
ENGLISH = "the forms of 'be' and the verbs of reporting"
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


def gold_of(gold: CarbTuple) -> CarbGold:
    """A tuple of CaRB's table.

    >>> gold_of(CarbTuple("sank", ("The ferry", "off Arden", "in May", "C: Tove said"))).rest.words
    ('off', 'Arden', 'in', 'May')
    """
    arg1, *rest = [arg for arg in gold.args if not arg.startswith(f"{CONTEXT} ")] or [""]
    return CarbGold(_part(gold.relation), _part(arg1), _part(" ".join(rest)) if rest else None)


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
    shared, asked = in_relation, (own & gold.relation.needed_bag).total() + meets
    for words, part in zip((arg1, arg2), gold.parts[1:], strict=False):
        bag = Counter(words)
        shared += (bag & part.bag).total()
        asked += (bag & part.needed_bag).total()
    claimed = len(relation) + len(arg1) + (len(arg2) if gold.rest is not None else 0)
    needed = sum(len(part.needed) for part in gold.parts)
    return shared / claimed, min(1.0, asked / needed) if needed else 0.0


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

    english = ENGLISH

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
