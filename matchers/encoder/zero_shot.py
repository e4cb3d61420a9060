"""Pair scorers that were trained for something else, for comparison: by name, behind the interface of all matchers.

    cosine:MODEL   cosine of the sentence embeddings of extraction and formulation (default model: all-MiniLM-L6)
    nli:MODEL      the lesser of the two entailment probabilities, extraction to formulation and back
    rerank:MODEL   the score of a reranking or paraphrase cross-encoder

MODEL is a name of the hub or a folder. The texts are linearizations: the words of the three slots in a row. A cluster
is represented by its formulation that is closest to the extraction, with the optional words that the extraction has.
A pair is a candidate from a threshold on, which can be given after `@`, as in `cosine@0.9`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from data.command_line import progress
from data.model import Extraction, Formulation, Sentence
from data.problems import InputError
from matchers.assignment import decode
from matchers.encoder.base_models import DEFAULT, load_model, load_tokenizer, model_folder
from matchers.encoder.text_scorer import batches
from matchers.features.rows import pair_table
from matchers.interface import Assignment, Candidate, Matcher, Reason
from matchers.text.punctuation import plain
from matchers.text.word_lists import lemma

COSINE, NLI, RERANK = "cosine", "nli", "rerank"
# That of cosine is the best on the bundled sample.
THRESHOLDS = {COSINE: 0.93, NLI: 0.5, RERANK: 0.5}
_MOST_TOKENS = 256
_DIGITS = 6

Texts = tuple[str, str]
Work = Sequence[tuple[Sentence, Sequence[Extraction]]]


def load_zero_shot(name: str) -> ZeroShotMatcher:
    """The matcher of a name such as `cosine`, `cosine:FOLDER`, `nli:OWNER/MODEL` or `rerank:OWNER/MODEL@0.8`."""
    whole, at, number = name.rpartition("@") if "@" in name else (name, "", "")
    kind, _, model = whole.partition(":")
    if kind not in THRESHOLDS:
        raise InputError(f"no zero-shot scorer is called {kind!r}; the names are {', '.join(THRESHOLDS)}")
    if not model and kind != COSINE:
        raise InputError(f"{kind} needs a model: {kind}:MODEL, with a name of the hub or a folder")
    try:
        threshold = float(number) if at else THRESHOLDS[kind]
    except ValueError:
        raise InputError(f"the threshold of {name!r} is no number") from None
    scorer = _SCORERS[kind](model_folder(model or DEFAULT))
    return ZeroShotMatcher(f"{kind}:{model or DEFAULT}", scorer, threshold)


class TextScorer(ABC):
    """Scores how alike pairs of texts are, from 0 to 1."""

    def __init__(self, folder: Any, kind: str) -> None:
        self.model = load_model(folder, kind)
        self.tokenizer = load_tokenizer(folder)

    quiet: bool = True

    @abstractmethod
    def scores(self, pairs: Sequence[Texts]) -> list[float]:
        """The score of each pair."""

    def run(self, *texts: Sequence[str]) -> list[tuple[Any, Any]]:
        """The model's output for each text, or pair of texts, with the mask of its tokens."""
        import torch

        ids = self.tokenizer(*map(list, texts), truncation=True, max_length=_MOST_TOKENS)
        rows: list[Any] = [None] * len(texts[0])
        batched = list(batches([len(one) for one in ids["input_ids"]]))
        for positions in progress(batched, "model", self.quiet, len(batched)):
            chosen = {key: [values[position] for position in positions] for key, values in ids.items()}
            batch = self.tokenizer.pad(chosen, return_tensors="pt")
            with torch.inference_mode():
                output = self.model(**batch)[0]
            for row, position in enumerate(positions):
                rows[position] = (output[row], batch["attention_mask"][row])
        return rows


class CosineScorer(TextScorer):
    """The cosine of mean token embeddings."""

    def __init__(self, folder: Any) -> None:
        super().__init__(folder, "AutoModel")
        self._known: dict[str, Any] = {}

    def scores(self, pairs: Sequence[Texts]) -> list[float]:
        """The cosine of each pair; negative ones are 0."""
        import torch

        new = [text for text in dict.fromkeys(text for pair in pairs for text in pair) if text not in self._known]
        for text, (states, mask) in zip(new, self.run(new) if new else (), strict=True):
            mean = states[mask.bool()].mean(dim=0)
            self._known[text] = torch.nn.functional.normalize(mean, dim=0)
        cosines = (float(self._known[first] @ self._known[second]) for first, second in pairs)
        return [max(0.0, round(value, _DIGITS)) for value in cosines]


class EntailmentScorer(TextScorer):
    """Entailment both ways."""

    def __init__(self, folder: Any) -> None:
        super().__init__(folder, "AutoModelForSequenceClassification")
        labels = {str(label).lower(): number for number, label in self.model.config.id2label.items()}
        entailments = [int(number) for label, number in labels.items() if label.startswith("entail")]
        if len(entailments) != 1:
            raise InputError(f"is no model of entailment: its labels are {', '.join(labels)}; try rerank:", folder)
        self.entailment = entailments[0]

    def scores(self, pairs: Sequence[Texts]) -> list[float]:
        """The lesser entailment probability of each pair."""
        there = self._entailed([first for first, _ in pairs], [second for _, second in pairs])
        back = self._entailed([second for _, second in pairs], [first for first, _ in pairs])
        return [round(min(both), _DIGITS) for both in zip(there, back, strict=True)]

    def _entailed(self, premises: Sequence[str], hypotheses: Sequence[str]) -> list[float]:
        if not premises:
            return []
        return [float(logits.softmax(dim=-1)[self.entailment]) for logits, _ in self.run(premises, hypotheses)]


class RerankScorer(TextScorer):
    """A cross-encoder with one output, or with two of which the last stands for a match."""

    def __init__(self, folder: Any) -> None:
        super().__init__(folder, "AutoModelForSequenceClassification")
        if self.model.config.num_labels > 2:
            raise InputError("is no reranker: it has more than two outputs; try nli:", folder)

    def scores(self, pairs: Sequence[Texts]) -> list[float]:
        """The score of each pair."""
        if not pairs:
            return []
        outputs = self.run([first for first, _ in pairs], [second for _, second in pairs])
        return [
            round(float(logits.sigmoid()[0] if len(logits) == 1 else logits.softmax(dim=-1)[1]), _DIGITS)
            for logits, _ in outputs
        ]


_SCORERS: dict[str, Any] = {COSINE: CosineScorer, NLI: EntailmentScorer, RERANK: RerankScorer}


class ZeroShotMatcher(Matcher):
    """Matches by the score of the texts of a pair."""

    worth_workers = None  # torch takes all processors by itself
    english = "the lemmas by which its pairs are chosen"

    def __init__(self, name: str, scorer: TextScorer, threshold: float) -> None:
        self.name = name
        self.scorer = scorer
        self.threshold = threshold

    def candidates(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[Candidate]:
        """The pairs whose score reaches the threshold."""
        return self._scored([(sentence, extractions)], self.threshold)[0]

    def show_progress(self, quiet: bool) -> None:
        """Draw a bar over the batches."""
        self.scorer.quiet = quiet

    def match_many(self, work: Work) -> list[Assignment]:
        """The assignments of many systems and sentences, their pairs scored in common batches."""
        candidates = self._scored(work, self.threshold)
        return [
            decode(sentence, extractions, part, self.decoding)
            for (sentence, extractions), part in zip(work, candidates, strict=True)
        ]

    def pair_scores(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[tuple[int, int, float]]:
        """The score of every pair that is worth a look."""
        return [(c.extraction, c.cluster, c.score) for c in self._scored([(sentence, extractions)], 0.0)[0]]

    def _scored(self, work: Work, threshold: float) -> list[list[Candidate]]:
        pairs: list[tuple[int, int, int, Texts]] = []
        for number, (sentence, extractions) in enumerate(work):
            table = pair_table(sentence, extractions, thin=False)
            for row, reading in enumerate(table.readings):
                index, cluster = int(table.extraction[row]), int(table.cluster[row])
                formulation = sentence.clusters[cluster].formulations[reading.formulation]
                pairs.append((number, index, cluster, linearized(extractions[index], formulation)))
        distinct = list(dict.fromkeys(texts for *_, texts in pairs))
        scores = dict(zip(distinct, self.scorer.scores(distinct), strict=True))
        candidates: list[list[Candidate]] = [[] for _ in work]
        for number, index, cluster, texts in pairs:
            if scores[texts] >= threshold:
                reason = Reason(self.name, f"is like '{texts[1]}' ({scores[texts]:.3f})")
                candidates[number].append(Candidate(index, cluster, scores[texts], False, reason))
        return candidates

    @property
    def settings(self) -> dict[str, str]:
        """The threshold."""
        return {"threshold": f"{self.threshold:.4f}"}


def linearized(extraction: Extraction, formulation: Formulation) -> Texts:
    """The words of an extraction and of a formulation, the latter with the optional words that the former has.

    >>> from data.formats.slots import parse_slot
    >>> fact = Formulation(*(parse_slot(text)[0] for text in ("[The] [old] mill", "burned", "[in May]")))
    >>> linearized(Extraction("1", "The mill", "burned down", ""), fact)
    ('The mill burned down', 'The mill burned')
    """
    said = " ".join(" ".join(extraction.slots).split())
    roots = {lemma(word) for word in plain(tuple(said.split()))}
    words = [
        word
        for slot in formulation.slots
        for group in slot.groups
        if not group.optional or all(lemma(word) in roots for word in plain(group.words))
        for word in group.words
    ]
    return said, " ".join(words)
