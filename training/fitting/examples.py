"""The texts that a cross-encoder learns from, with their labels and weights, as a `datasets.Dataset`.

Only pairs that the model has to judge are learned from, so exact ones are not. A pair without a label is a
negative example unless it is doubtful, as `held_out.is_doubtful` says.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from data.thinning import Thinness, thin_sentence
from matchers.encoder.matcher import is_judged
from matchers.encoder.pair_text import EncodedPair, encoded_pairs
from training.fitting.parts import own_levels
from training.labels.held_out import is_doubtful
from training.labels.judged_parts import Judged
from training.labels.material import Weighted

if TYPE_CHECKING:
    from datasets import Dataset

Extra = Sequence[tuple[Sequence[Judged], float]]


@dataclass(frozen=True)
class Example:
    """A text with its label, 0 or 1, and its weight."""

    text: str
    label: int
    weight: float


def examples(
    work: Sequence[Judged], extra: Extra, negatives: int, extra_negatives: int, levels: Sequence[Thinness] = ()
) -> list[Example]:
    """The examples of judged parts and of further parts with a weight, each distinct text and label once.

    Under thinner gold, of which there are `levels`, the same labels hold, and what is doubtful is as doubtful.
    Of each extraction only so many of the nearest negatives are taken, since the far ones teach nothing new.
    """
    weights: dict[tuple[str, int], float] = {}
    sources = [(work, 1.0, negatives), *((parts, weight, extra_negatives) for parts, weight in extra if weight > 0)]
    for parts, weight, most in sources:
        for text, label in _labelled(parts, most, levels):
            weights[text, label] = max(weight, weights.get((text, label), 0.0))
    return [Example(text, label, weight) for (text, label), weight in weights.items()]


def _labelled(parts: Iterable[Judged], most: int, levels: Sequence[Thinness]) -> Iterator[tuple[str, int]]:
    for part in parts:
        full = encoded_pairs(part.sentence, part.extractions)
        credited = {(cluster, index) for index, label in enumerate(part.labels) for cluster in label}
        doubtful = {(pair.extraction, pair.cluster) for pair in full if _is_doubtful(part, pair, credited)}
        thin = (
            encoded_pairs(thin_sentence(part.sentence, level), part.extractions) for level in own_levels(part, levels)
        )
        for pairs in (full, *thin):
            negatives: dict[int, list[tuple[float, int, str]]] = {}
            for pair in pairs:
                if not is_judged(pair):
                    continue
                if (part.sentence.clusters[pair.cluster].id, pair.extraction) in credited:
                    yield pair.text, 1
                elif (pair.extraction, pair.cluster) not in doubtful:
                    negatives.setdefault(pair.extraction, []).append((pair.reading.cost, pair.cluster, pair.text))
            for candidates in negatives.values():
                for _, _, text in sorted(candidates)[:most]:
                    yield text, 0


def _is_doubtful(part: Judged, pair: EncodedPair, credited: Collection[tuple[str, int]]) -> bool:
    cluster = part.sentence.clusters[pair.cluster].id
    return (cluster, pair.extraction) not in credited and is_doubtful(
        part, pair.extraction, cluster, pair.rule is not None, pair.reading.cost
    )


def dataset(shown: Sequence[Example], tokenizer: Any, max_length: int) -> Dataset:
    """The examples, tokenized."""
    from datasets import Dataset, Features, Value

    ids = tokenizer([example.text for example in shown], truncation=True, max_length=max_length)["input_ids"]
    columns = {
        "input_ids": ids,
        "label": [float(example.label) for example in shown],
        "weight": [example.weight for example in shown],
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


def by_weight(weighted: Iterable[Weighted]) -> list[tuple[list[Judged], float]]:
    """Parts of one weight together, in order."""
    together: dict[float, list[Judged]] = {}
    for item in weighted:
        together.setdefault(item.weight, []).append(item.part)
    return [(parts, weight) for weight, parts in together.items()]


def without(extra: Extra, held: frozenset[str]) -> list[tuple[list[Judged], float]]:
    """The further parts, but for those of sentences of these keys."""
    return [([part for part in parts if part.key not in held], weight) for parts, weight in extra]
