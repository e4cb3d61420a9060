"""The bracket notation of gold slots."""

from __future__ import annotations

import pytest

from data.brackets import EMPTY, GLUED, STRAY, parse


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("old port", ((("old", "port"), False),)),
        ("[the] old port", ((("the",), True), (("old", "port"), False))),
        ("[of the] [old]", ((("of", "the"), True), (("old",), True))),
        ("", ()),
        (" XXX ", ()),
        ("[XXX]", ((("XXX",), True),)),
    ],
)
def test_groups(text: str, groups: object) -> None:
    assert parse(text).groups == groups and parse(text).defects == ()


@pytest.mark.parametrize(
    ("text", "groups", "defects"),
    [
        ("[a]b", ((("a",), True), (("b",), False)), (GLUED,)),
        ("[a][b]", ((("a",), True), (("b",), True)), (GLUED,)),
        ("a ] b", ((("a", "b"), False),), (STRAY,)),
        ("[ a b", ((("a", "b"), False),), (STRAY,)),
        ("[ a [ b ]", ((("a",), False), (("b",), True)), (STRAY,)),
        ("a [ ] b", ((("a",), False), (("b",), False)), (EMPTY,)),
    ],
)
def test_defects_are_mended_and_named(text: str, groups: object, defects: tuple[str, ...]) -> None:
    assert parse(text).groups == groups and parse(text).defects == defects
