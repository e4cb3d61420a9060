"""The texts that a cross-encoder learns from, with their labels and weights, as a `datasets.Dataset`.

Only pairs that the model has to judge are learned from, so exact ones are not. Labels of pairs are not quite those of
judgments, since judgments are assignments: a system's second extraction of a fact is judged 0. Such a pair, where a
rule fires and the cluster is credited to another extraction, is left out. In silver and generated parts every negative
on which a rule fires is, and silver ones that take hardly any edits: the rules may be wrong there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from matchers.cross_encoder import is_judged
from matchers.encoding import encoded_pairs
from training.judged import Judged
from training.supervision import is_doubtful

if TYPE_CHECKING:
    from datasets import Dataset

Extra = Sequence[tuple[Sequence[Judged], float]]


@dataclass(frozen=True)
class Example:
    """A text with its label, 0 or 1, and its weight."""

    text: str
    label: int
    weight: float


def examples(work: Sequence[Judged], extra: Extra, negatives: int, extra_negatives: int) -> list[Example]:
    """The examples of judged parts and of further parts with a weight, each distinct text and label once.

    Of each extraction only so many of the nearest negatives are taken, since the far ones teach nothing new.
    """
    found: dict[tuple[str, int], float] = {}
    sources = [(work, 1.0, negatives), *((parts, weight, extra_negatives) for parts, weight in extra if weight > 0)]
    for parts, weight, most in sources:
        for text, label in _labelled(parts, most):
            found[text, label] = max(weight, found.get((text, label), 0.0))
    return [Example(text, label, weight) for (text, label), weight in found.items()]


def _labelled(parts: Iterable[Judged], most: int) -> Iterator[tuple[str, int]]:
    for part in parts:
        credited = {(cluster, index) for index, label in enumerate(part.labels) for cluster in label}
        negatives: dict[int, list[tuple[float, int, str]]] = {}
        for pair in encoded_pairs(part.sentence, part.extractions):
            if not is_judged(pair) or pair.extraction in part.unclear:
                continue
            cluster = part.sentence.clusters[pair.cluster].id
            if (cluster, pair.extraction) in credited:
                yield pair.text, 1
            elif not is_doubtful(part, pair.extraction, cluster, pair.rule is not None, pair.reading.cost):
                negatives.setdefault(pair.extraction, []).append((pair.reading.cost, pair.cluster, pair.text))
        for found in negatives.values():
            for _, _, text in sorted(found)[:most]:
                yield text, 0


def dataset(found: Sequence[Example], tokenizer: Any, max_length: int) -> Dataset:
    """The examples, tokenized."""
    from datasets import Dataset, Features, Value

    ids = tokenizer([example.text for example in found], truncation=True, max_length=max_length)["input_ids"]
    columns = {
        "input_ids": ids,
        "label": [float(example.label) for example in found],
        "weight": [example.weight for example in found],
        "length": [len(one) for one in ids],
    }
    features = Features(
        {
            "input_ids": [Value("int32")],
            "label": Value("float32"),
            "weight": Value("float32"),
            "length": Value("int32"),
        }
    )
    return Dataset.from_dict(columns, features=features)


def by_weight(parts: Iterable[tuple[Judged, float]]) -> list[tuple[list[Judged], float]]:
    """Parts of one weight together, in order."""
    found: dict[float, list[Judged]] = {}
    for part, weight in parts:
        found.setdefault(weight, []).append(part)
    return [(together, weight) for weight, together in found.items()]


def without(extra: Extra, held: frozenset[str]) -> list[tuple[list[Judged], float]]:
    """The further parts, but for those of sentences of these texts."""
    return [([part for part in parts if part.sentence.text not in held], weight) for parts, weight in extra]
