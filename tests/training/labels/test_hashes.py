from __future__ import annotations

from dataclasses import replace

import pytest

from tests.matchers.facts import sentence, triple
from training.labels.hashes import parts_hash
from training.labels.judged_parts import Judged

GOLD = sentence("Ann --> is --> a pilot", "Ann --> left --> Oslo", text="Ann , a pilot , left Oslo .")
PART = Judged(GOLD, "x", (triple("Ann - is - a pilot"),), (frozenset({"1"}),))
OTHERS = {
    "label": replace(PART, labels=(frozenset({"2"}),)),
    "no label": replace(PART, labels=(frozenset(),)),
    "extraction": replace(PART, extractions=(triple("Ann - was - a pilot"),)),
    "system": replace(PART, system="y"),
    "source": replace(PART, source="silver"),
    "text": replace(PART, sentence=replace(GOLD, text="Ann is a pilot and left Oslo .")),
    "formulation": replace(
        PART, sentence=sentence("Ann --> is --> [a] pilot", "Ann --> left --> Oslo", text=GOLD.text)
    ),
    "fewer clusters": replace(PART, sentence=sentence("Ann --> is --> a pilot", text=GOLD.text)),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_anything_else_has_another_hash(other: Judged) -> None:
    assert parts_hash([PART]) == parts_hash([replace(PART)]) != parts_hash([other])


def test_order_number_and_weight_count() -> None:
    other = OTHERS["label"]
    made = {parts_hash(parts) for parts in ([], [PART], [PART, PART], [PART, other], [other, PART])}
    assert len(made) == 5
    assert parts_hash([PART], [0.5]) != parts_hash([PART], [1.0])
