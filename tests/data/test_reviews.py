from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from data.catalog import load
from data.problems import Diagnostics, InputError
from data.reviews import REVIEWS, extraction_key, read_reviews, sentence_key
from tests.matchers.facts import sentence, triple

GOOD = '{"sentence": "ab", "extractions": {"x": ["3", "3"], "y": ["0", "2.5?"], "z": ["4", "4?"], "w": ["0?", "0"]}}\n'


def read(tmp_path: Path, text: str):
    path = tmp_path / "reviews.jsonl"
    path.write_text(text)
    return read_reviews(path)


def test_both_passes_are_read(tmp_path: Path) -> None:
    found = read(tmp_path, GOOD)["ab"]
    assert found["x"].first == found["x"].second == frozenset("3") and found["x"].sure
    assert found["y"].first == frozenset() and found["y"].second == frozenset("25")


def test_what_is_clear(tmp_path: Path) -> None:
    """Agreement is not enough for a match: both passes must have been sure of it."""
    clear = {name: review.clear for name, review in read(tmp_path, GOOD)["ab"].items()}
    assert clear == {"x": True, "y": False, "z": False, "w": True}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"sentence": "ab"}', "'extractions' is missing"),
        ('{"extractions": {}}', "'sentence' is missing"),
        ('{"sentence": "ab", "extractions": {"x": ["3"]}}', "two labels"),
        ('{"sentence": "ab", "extractions": {"x": ["3", 3]}}', "two labels"),
        ('{"sentence": "ab", "extractions": {"x": ["3", "three"]}}', "cluster's number"),
        ("[", "is not JSON"),
    ],
)
def test_what_is_no_review_is_an_error_with_a_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(tmp_path, GOOD + text + "\n")
    assert "reviews.jsonl" in str(caught.value) and "2" in str(caught.value)


def test_another_gold_or_text_is_another_sentence() -> None:
    one = sentence("Bo Kern --> bakes --> bread", text="Bo Kern bakes bread .")
    other = sentence("Bo Kern --> bakes --> [the] bread", text="Bo Kern bakes bread .")
    keys = {sentence_key(one), sentence_key(other), sentence_key(replace(one, text="Bo Kern bakes bread"))}
    assert len(keys) == 3 and sentence_key(one) == sentence_key(replace(one, id="77"))


def test_slots_make_an_extraction() -> None:
    assert extraction_key(triple("Bo - bakes - bread")) == extraction_key(triple("Bo - bakes - bread", "9"))
    assert extraction_key(triple("Bo - bakes - bread")) != extraction_key(triple("Bo bakes - - bread"))


def test_the_file_holds_hashes_and_labels_only() -> None:
    assert not set(REVIEWS.read_text()) - set('0123456789abcdef{}[]":, .?\nsentcxrio')


def test_every_review_is_of_a_sentence_without_judgments(real_data: Path) -> None:
    judged = {one.text for one in load("benchie_fl_match", real_data, Diagnostics()).sentences}
    benchmark = load("benchie_fl", real_data, Diagnostics())
    by_key = {sentence_key(one): one for one in benchmark.sentences}
    reviews = read_reviews()
    assert len(reviews) == 249 and sum(map(len, reviews.values())) == 958
    for key, listed in reviews.items():
        found = by_key[key]
        assert found.text not in judged
        said = {
            extraction_key(extraction)
            for system in benchmark.systems
            for extraction in system.by_sentence.get(found.id, ())
        }
        ids = {cluster.id for cluster in found.clusters}
        assert listed.keys() <= said
        assert all(review.first | review.second <= ids for review in listed.values())
