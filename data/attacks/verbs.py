"""Which words of an English sentence are verbs, by word lists and endings: enough for a naive extractor.

No tagger is needed, and the same sentence gives the same verbs on every machine. Modals are not counted, as BenchIE's
released naive extractions have none.
"""

from __future__ import annotations

from collections.abc import Sequence

_AUXILIARIES = frozenset("am is are was were be been being has have had having do does did done doing".split())
_MODALS = frozenset("can could may might must shall should will would 'll 'd wo ca cannot".split())
_DETERMINERS = frozenset("a an the this that these those its his her their our my your some any no each every".split())
_SUBJECTS = frozenset("he she it who which".split())
_IRREGULAR = frozenset(
    """arose ate became began begun bent bet bit bled blew blown born bought bound bred broke broken brought built
    burnt came caught chose chosen clung crept dealt died drank drawn drew driven drove drunk dug eaten fallen fed fell
    felt fled flew flown forbade forgot forgotten forgave fought found froze frozen gave given gone got gotten grew
    grown hanged heard held hid hidden hung kept knew known laid lain led left lent lit lost made meant met paid ran
    rang risen rode rose said sang sank sat saw seen sent shaken shook shot shown shrank slept slid sold sought spent
    spoke spoken sprang sprung stole stolen stood struck stuck sung sunk swam swept swore sworn swum taken taught
    thought threw thrown told took tore torn understood underwent undertook went woke won wore worn wove woven
    written wrote withdrew withdrawn withheld withstood
    lies says gets goes makes takes gives comes means seems""".split()
)
_NOT_ED = frozenset(
    "bed breed creed deed feed freed greed hundred indeed kindred need red sacred seed shed sled speed".split()
)
_NOT_ING = frozenset(
    """anything beijing bring building ceiling cling during evening everything king morning nothing ring sing sling
    something spring sting string swing thing wedding wing""".split()
)
_NO_INFINITIVE = _DETERMINERS | frozenset(
    """about all also as at both by even five for four from him however in it many me more most much never not n't of on
    one only other second six so soon still ten than them then they three to two us we what when where which whom with
    he she i you""".split()
)


def verb_positions(words: Sequence[str]) -> list[int]:
    """The positions of the verbs.

    >>> verb_positions("Mara Venn was born in Arden and hopes to open a building .".split())
    [2, 3, 9]
    """
    lower = [word.lower() for word in words]
    return [number for number in range(len(words)) if _is_verb(words, lower, number)]


def _is_verb(words: Sequence[str], lower: Sequence[str], number: int) -> bool:
    word, before = lower[number], lower[number - 1] if number else ""
    if word in _AUXILIARIES:
        return True
    if not word.isalpha() or (number and words[number][0].isupper()):
        return False
    if word in _IRREGULAR or _after_infinitive_mark(word, before):
        return True
    return before not in _DETERMINERS and _has_verb_ending(word, before)


def _has_verb_ending(word: str, before: str) -> bool:
    """Whether a word ends as pasts and participles do, or as the third person does after a pronoun."""
    if word.endswith("ed"):
        return len(word) > 3 and word not in _NOT_ED
    if word.endswith("ing"):
        return len(word) > 4 and word not in _NOT_ING
    return before in _SUBJECTS and word.endswith("s") and not word.endswith(("ss", "us"))


def _after_infinitive_mark(word: str, before: str) -> bool:
    """Whether a bare word follows `to`, a modal or a form of `do`, as infinitives do."""
    if word in _NO_INFINITIVE or word.endswith(("s", "ly", "ing", "ed")):
        return False
    return before == "to" or before in _MODALS or before in {"do", "does", "did"}
