"""WebNLG's evaluation of triples: elements right, half right, wrong, missing or too many, as SemEval 2013 counts.

Written anew after the definitions in the report of the WebNLG 2020 challenge and in the description of SemEval 2013's
task 9.1. The elements of a triple are subject, predicate and object; words are compared without punctuation and case.
- `exact`: an element is right if its words are those of an element of the gold triple, in whatever place;
- `strict`: if they are, and it stands in the same place;
- `partial`: as exact, and an element that shares a word with one of the gold's is half right;
- `type`: if it shares a word with the element in its own place.

Precision divides by the elements of the system, recall by those of the gold. Triples are paired one to one, elements of
paired triples one to one, both so that most is right. The report leaves open how triples are paired; its released
script was not looked at, so its figures may differ in details. A cluster counts by the formulation that fits best, with
the optional words that the extraction has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from data.model import Extraction, Formulation, Sentence, Slot
from data.problems import InputError
from matchers.hungarian import best_assignment
from matchers.text.punctuation import plain
from matchers.tokens.scorer import Row, TokenScorer
from matchers.tokens.token_gold import EVERY, INFERRED, TUPLES, Reading, Words

Measure = Literal["exact", "strict", "partial", "type"]
HALF = 0.5

Elements = tuple[Words, ...]


def elements_of(extraction: Extraction) -> Elements:
    """The words of an extraction's slots."""
    return tuple(plain(tuple(slot.split())) for slot in extraction.slots)


def gold_elements(formulation: Formulation, said: Elements) -> Elements:
    """The words of a formulation's slots, with the optional ones that are said somewhere."""
    known = {word for words in said for word in words}
    return tuple(_present(slot, known) for slot in formulation.slots)


def _present(slot: Slot, known: set[str]) -> Words:
    groups = ((group, plain(group.words)) for group in slot.groups)
    return tuple(word for group, words in groups if not group.optional or known.issuperset(words) for word in words)


def credit(said: Elements, gold: Elements, measure: Measure) -> float:
    """How many elements are right, halves included.

    >>> said, gold = (("mara",), ("lives", "in"), ("oslo",)), (("oslo",), ("lives",), ("mara",))
    >>> credit(said, gold, "exact"), credit(said, gold, "strict"), credit(said, gold, "partial")
    (2.0, 0.0, 2.5)
    """
    gains = [
        [_element(one, other, row == column, measure) for column, other in enumerate(gold)]
        for row, one in enumerate(said)
    ]
    if measure in ("strict", "type"):  # an element counts in its own place only
        return sum(gains[place][place] for place in range(len(said)))
    return sum(gains[row][column] for row, column in best_assignment(gains))


def _element(said: Words, gold: Words, same_place: bool, measure: Measure) -> float:
    if not said or not gold:
        return 0.0
    same, shared = said == gold, not set(said).isdisjoint(gold)
    if measure == "partial":
        return 1.0 if same else HALF * shared
    if measure == "exact":
        return float(same)
    return float(same_place and (same if measure == "strict" else shared))


def count_of(elements: Elements) -> int:
    """How many elements have words."""
    return sum(map(bool, elements))


class WebnlgScorer(TokenScorer):
    """WebNLG's scores of systems on any benchmark, by one of its four measures.

    >>> from data.model import Cluster
    >>> fact = Formulation(Slot.of("Alex"), Slot.of("is"), Slot.of("a pilot"))
    >>> sentence = Sentence("1", "Alex is a pilot .", (Cluster("1", (fact,)),))
    >>> WebnlgScorer("exact").row(sentence, [Extraction("1", "Alex", "is", "a good pilot")])
    (2.0, 3.0, 2.0, 3.0)
    """

    def __init__(self, measure: Measure, reading: Reading | None = None) -> None:
        self.measure = measure
        self.reading = reading or Reading()
        self.name = f"webnlg_{measure}" + (f":{self.reading}" if str(self.reading) else "")
        if self.reading.formulations == EVERY or self.reading.optional != INFERRED or self.reading.weight != TUPLES:
            raise InputError(f"{self.name!r}: WebNLG's evaluation is of clusters, best or first, and of nothing else")

    def row(self, sentence: Sentence, extractions: Sequence[Extraction]) -> Row:
        """Elements that are right and elements of the system, elements that are right and elements of the gold."""
        facts = self.reading.facts(sentence)
        said = [elements_of(extraction) for extraction in extractions]
        claimed = float(sum(map(count_of, said)))
        sizes = [count_of(gold_elements(fact[0], ())) if fact else 0 for fact in facts]
        if not said or not facts:
            return 0.0, claimed, 0.0, float(sum(sizes))
        best = [[self._best(one, fact) for fact in facts] for one in said]
        pairs = [(row, column) for row, column in best_assignment([[gain for gain, _ in one] for one in best])]
        right = sum(best[row][column][0] for row, column in pairs)
        for row, column in pairs:  # a paired cluster has the size of the formulation that was compared with
            if best[row][column][0]:
                sizes[column] = best[row][column][1]
        return right, claimed, right, float(sum(sizes))

    def _best(self, said: Elements, fact: Sequence[Formulation]) -> tuple[float, int]:
        golds = [gold_elements(formulation, said) for formulation in fact]
        return max(((credit(said, gold, self.measure), count_of(gold)) for gold in golds), default=(0.0, 0))
