"""WiRe57's table: systems on its own gold tuples, with their inferred words and further arguments (Table 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from data.formats.reading import Nary
from data.formats.wire57 import Wire57Extraction, Wire57Part, Wire57Sentence, Wire57Tuple, plain_extraction
from data.model import Benchmark
from data.problems import InputError
from matchers.counts import Figure, SystemScore
from matchers.text.implicit import Implicit, foreign_words
from matchers.tokens.scorer import as_sums
from matchers.tokens.token_gold import GoldPart, GoldTuple, Words
from matchers.tokens.wire57 import NAME, matched


@dataclass(frozen=True)
class Wire57Table:
    """The scores of systems on WiRe57.

    The published systems are scored as its own file has them, with further arguments, and not as the benchmark's
    clusters see them; `given` systems are those of the user.
    """

    gold: Sequence[Wire57Sentence]
    published: Sequence[Wire57Extraction]
    given: frozenset[str] = frozenset()
    nary: Nary = "join"
    implicit: Implicit = "keep"
    name: str = NAME
    english: str = ""

    def score_systems(self, benchmark: Benchmark) -> list[SystemScore]:
        """The score of each of the benchmark's systems, in their order."""
        by_system: dict[str, list[Wire57Extraction]] = {system.name: [] for system in benchmark.systems}
        for extraction in self.published:
            ours = extraction.system in by_system and extraction.system not in self.given
            if ours and self._counts(extraction, benchmark):
                by_system[extraction.system].append(extraction)
        for system in benchmark.systems:
            if system.name in self.given:
                by_system[system.name].extend(
                    Wire57Extraction(e.sentence_id, system.name, *e.slots) for e in system.extractions
                )
        return wire57_scores(self.gold, by_system)

    def _counts(self, extraction: Wire57Extraction, benchmark: Benchmark) -> bool:
        """Whether the variant leaves an extraction of the published file in; it did so with the benchmark's systems."""
        if self.nary == "drop" and extraction.further:
            return False
        sentence = benchmark.by_id.get(extraction.sentence_id)
        return self.implicit == "keep" or sentence is None or not foreign_words(plain_extraction(extraction), sentence)


def wire57_scores(
    gold: Sequence[Wire57Sentence], systems: Mapping[str, Iterable[Wire57Extraction]]
) -> list[SystemScore]:
    """The systems' scores with the columns of Table 3: matches, exact ones, mean precision and recall of matches."""
    facts = {sentence.id: [[gold_parts(gold_tuple)] for gold_tuple in sentence.tuples] for sentence in gold}
    return [_system_score(name, facts, extractions) for name, extractions in systems.items()]


def _system_score(
    name: str, facts: Mapping[str, list[list[GoldTuple]]], extractions: Iterable[Wire57Extraction]
) -> SystemScore:
    texts: dict[str, list[tuple[Words, ...]]] = {sentence_id: [] for sentence_id in facts}
    for extraction in extractions:
        if extraction.sentence_id not in texts:
            raise InputError(f"extractions of sentence {extraction.sentence_id!r}, which is not in the gold")
        texts[extraction.sentence_id].append(extraction_parts(extraction))
    rows = []
    matches = exact = 0
    for sentence_id, golds in facts.items():
        own = texts[sentence_id]
        overlaps = [fit.overlap for fit in matched(own, golds)]
        matches += len(overlaps)
        exact += sum(any(is_exact(text, gold) for (gold,) in golds) for text in own)
        precisions, recalls = sum(pair.precision for pair in overlaps), sum(pair.recall for pair in overlaps)
        rows.append((float(precisions), float(len(own)), float(recalls), float(len(golds))))
    sums = as_sums(rows)
    precision, extracted, recall, _ = sums.sum(axis=0).tolist()
    figures = (
        Figure("matches", matches, "matches"),
        Figure("exact", exact, "exact"),
        Figure("precision_of_matches", precision / matches if matches else 0.0, "P of matches"),
        Figure("recall_of_matches", recall / matches if matches else 0.0, "R of matches"),
    )
    return SystemScore(name, round(extracted), sums, figures)


def extraction_parts(extraction: Wire57Extraction) -> tuple[Words, ...]:
    """An extraction's parts: arguments and relation, then further arguments."""
    texts = (extraction.arg1, extraction.relation, extraction.arg2, *extraction.further)
    return tuple(tuple(text.split()) for text in texts)


def gold_parts(gold: Wire57Tuple) -> GoldTuple:
    """A gold tuple's parts as they stand in the sentence, with coreferences not resolved."""
    return tuple(_gold_part(part) for part in (gold.arg1, gold.relation, gold.arg2, *gold.further))


def _gold_part(part: Wire57Part) -> GoldPart:
    return GoldPart(
        tuple(word.text for word in part.words), tuple(word.text for word in part.words if not word.inferred)
    )


def is_exact(extraction: Sequence[Words], gold: GoldTuple) -> bool:
    """Whether an extraction has just the gold tuple's words, inferred ones included, in its parts.

    Further arguments of the extraction are not looked at, and every extraction is counted, matched or not: so
    Table 3 counts ClausIE's 24, of which some repeat one gold tuple with other adverbials.
    """
    return tuple(extraction[: len(gold)]) == tuple(part.words for part in gold)
