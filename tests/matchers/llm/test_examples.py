from __future__ import annotations

from pathlib import Path

import pytest

from data.problems import InputError
from matchers.llm.examples import MATCHED, REFUSED, judged_examples


def test_examples_come_from_different_sentences_and_are_the_same_each_time() -> None:
    found = judged_examples("sample")
    assert found == judged_examples("sample")
    assert len(found) == len({one.sentence.id for one in found}) == MATCHED + REFUSED


def test_a_set_without_judgments_has_none(tmp_path: Path) -> None:
    (tmp_path / "gold").mkdir()
    text = "sent_id:1\tThe lamp hums .\n1--> Cluster 1:\nThe lamp --> hums --> XXX\n"
    (tmp_path / "gold" / "gold.txt").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="too few judgments"):
        judged_examples(str(tmp_path))
