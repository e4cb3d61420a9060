"""Reviews: judgments of our own of extractions that are near a fact, in sentences that nobody else judged.

Two passes judged each extraction by BenchIE^FL's guidelines. The sentences can't be in this repository, so that a line
of the file names a sentence (with its gold) and its extractions by hashes, and holds both passes' clusters:

    {"sentence": "5d41402abc4b2a76", "extractions": {"7d793037a0760186": ["3", "0?"]}}

`0` is no cluster, `2.5` is both 2 and 5, `?` stands behind what a pass was not sure of. What is not listed of a
sentence is an exact match or far from every fact.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from data.jsonlines import Record, records
from data.model import Extraction, Sentence
from data.textfile import read_text, sha256

REVIEWS = Path(__file__).parent / "reviews" / "benchie_fl.jsonl"
_LABEL = re.compile(r"(?:0|[1-9][0-9]*(?:\.[1-9][0-9]*)*)\??")
_DIGITS = 16


@dataclass(frozen=True)
class Review:
    """What two passes said of an extraction: the ids of the clusters that it matches, and whether both were sure."""

    first: frozenset[str]
    second: frozenset[str]
    sure: bool

    @property
    def clear(self) -> bool:
        """Whether both said the same and, if it is a match, both were sure."""
        return self.first == self.second and (self.sure or not self.first)


Reviews = dict[str, dict[str, Review]]


def sentence_key(sentence: Sentence) -> str:
    """What stands for a sentence: a hash of its text and its gold, so that reviews of another gold are not used."""
    facts = (f"{cluster.id} {formulation}" for cluster in sentence.clusters for formulation in cluster.formulations)
    return sha256("\n".join((sentence.text, *facts)).encode())[:_DIGITS]


def extraction_key(extraction: Extraction) -> str:
    """What stands for an extraction: a hash of its slots."""
    return sha256("\t".join(extraction.slots).encode())[:_DIGITS]


@lru_cache(maxsize=4)
def read_reviews(path: Path = REVIEWS) -> Reviews:
    """The reviews of a file, by the keys of sentences and extractions."""
    found: Reviews = {}
    for record in records(read_text(path), path):
        listed = record.fields.get("extractions")
        if not isinstance(listed, dict):
            raise record.error("the field 'extractions' is missing or no object")
        found[record.text("sentence")] = {name: _review(record, labels) for name, labels in listed.items()}
    return found


def _review(record: Record, labels: object) -> Review:
    if not isinstance(labels, list) or len(labels) != 2 or not all(isinstance(label, str) for label in labels):
        raise record.error("a review is a list of two labels such as ['3', '0']")
    if not all(_LABEL.fullmatch(label) for label in labels):
        raise record.error(f"a label is a cluster's number, 0, or several such as 2.5; not {labels}")
    first, second = (frozenset(label.rstrip("?").split(".")) - {"0"} for label in labels)
    return Review(first, second, not any(label.endswith("?") for label in labels))
