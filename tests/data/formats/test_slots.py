"""Slots as readers make them of text."""

from __future__ import annotations

import pytest

from data.formats.slots import parse_slot, plain_slot, plain_words


def test_defects_are_mended_and_named() -> None:
    slot, defects = parse_slot("[old]harbour wall]")
    assert str(slot) == "[old] harbour wall" and defects == ("glued bracket", "stray bracket")


def test_an_arrow_in_a_slot_is_an_error() -> None:
    with pytest.raises(ValueError, match="can't be a word"):
        parse_slot("a-->b")


def test_plain_text_has_no_notation() -> None:
    assert plain_words("[sic] Arden --> Oslo") == ("sic", "Arden", "Oslo")
    assert str(plain_slot("[sic] a")) == "sic a" and plain_slot(" [] ").words == ()
    with pytest.raises(ValueError, match="XXX stands for an empty slot"):
        plain_slot("XXX")
