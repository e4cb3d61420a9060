"""Verbs by word lists and endings."""

from __future__ import annotations

from data.attacks.verbs import verb_positions


def test_verbs_are_found_without_a_tagger():
    words = (
        "She wanted to open the building , which holds seeds , while singing , and it did not need red paint".split()
    )
    assert [words[position] for position in verb_positions(words)] == ["wanted", "open", "holds", "singing", "did"]
    assert verb_positions(["The", "wanted", "man", "can", "swim"]) == [4]  # 'the wanted'; modals are left out
