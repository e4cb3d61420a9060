"""G-BERTScore: the triples of a system and of the gold as two graphs, whose edges are paired by BERTScore.

After the definition in the paper on ExplaGraphs (Saha et al. 2021): each triple is a text, the score of two texts is
BERTScore's F1, the pairing is the one-to-one assignment of the highest total, and that total over the system's triples
is precision, over the gold's recall. The model here is the base encoder, all-MiniLM-L6, where the paper has a larger
one, so figures are not the paper's. A cluster counts by the formulation that fits best, with all its optional words.
"""

from __future__ import annotations

from collections.abc import Sequence

from data.model import Benchmark, Extraction, Sentence
from data.problems import InputError
from matchers.counts import SystemScore
from matchers.encoder.base_models import DEFAULT, model_folder
from matchers.encoder.bert_score import MOST_KNOWN, BertScorer
from matchers.hungarian import best_assignment
from matchers.tokens.scorer import Row, TokenScorer
from matchers.tokens.token_gold import EVERY, INFERRED, TUPLES, Reading

NAME = "g_bertscore"


class GraphBertScorer(TokenScorer):
    """G-BERTScore of systems on any benchmark."""

    english = "the base encoder"

    def __init__(self, reading: Reading | None = None, scorer: BertScorer | None = None) -> None:
        self.reading = reading or Reading()
        self.name = NAME + (f":{self.reading}" if str(self.reading) else "")
        if self.reading.formulations == EVERY or self.reading.optional != INFERRED or self.reading.weight != TUPLES:
            raise InputError(f"{self.name!r}: G-BERTScore is of clusters, best or first, and of nothing else")
        self.scorer = scorer or BertScorer(model_folder(DEFAULT))

    def score_systems(self, benchmark: Benchmark) -> list[SystemScore]:
        """The score of each of the benchmark's systems; texts are embedded together, which is faster by far."""
        golds = [text for sentence in benchmark.sentences for fact in self._golds(sentence) for text in fact]
        said = [said_text(extraction) for system in benchmark.systems for extraction in system.extractions]
        self.scorer.learn([*golds, *said][:MOST_KNOWN])
        return super().score_systems(benchmark)

    def _golds(self, sentence: Sentence) -> list[list[str]]:
        facts = self.reading.facts(sentence)
        return [[" ".join(word for slot in one.slots for word in slot.words) for one in fact] for fact in facts]

    def row(self, sentence: Sentence, extractions: Sequence[Extraction]) -> Row:
        """The total of the best pairing and the system's triples, the total again and the gold's."""
        golds = self._golds(sentence)
        claimed, wanted = float(len(extractions)), float(len(golds))
        if not golds or not extractions:
            return 0.0, claimed, 0.0, wanted
        texts = [[[(said_text(one), gold) for gold in fact] for fact in golds] for one in extractions]
        pairs = list(dict.fromkeys(pair for row in texts for cell in row for pair in cell))
        scores = dict(zip(pairs, self.scorer.scores(pairs), strict=True))
        gains = [[max((scores[pair] for pair in cell), default=0.0) for cell in row] for row in texts]
        total = sum(gains[row][column] for row, column in best_assignment(gains))
        return total, claimed, total, wanted


def said_text(extraction: Extraction) -> str:
    """The words of an extraction in a row."""
    return " ".join(" ".join(extraction.slots).split())
