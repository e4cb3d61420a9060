"""What kind of word a word is: function or content, preposition, negation, adverb, date; and its lemma.

The lists are English. For other languages words have no lemma and only punctuation-free equality counts.
"""

from __future__ import annotations

from functools import lru_cache

DETERMINERS = frozenset("a an the this that these those some any each every its his her their our my your".split())
PREPOSITIONS = frozenset(
    """about above across after against along among around as at before behind below beneath beside between beyond by
    despite down during for from in inside into like near of off on onto out outside over past per since through
    throughout till to toward towards under underneath until up upon via with within without""".split()
)
CONJUNCTIONS = frozenset("and or but nor yet so while whereas because although though if unless than".split())
PRONOUNS = frozenset(
    """he she it they we i you him them us me himself herself itself themselves who whom whose which what where when
    there here""".split()
)
AUXILIARIES = frozenset("be have do".split())
MODALS = frozenset("may might could would should can will shall must ought".split())
NEGATIONS = frozenset("not nt no never none neither nor nobody nothing without hardly barely".split())
HEDGES = MODALS | frozenset(
    """reportedly allegedly probably possibly perhaps apparently likely almost nearly about over under least most
    more less fewer only former expected believed thought said claimed according""".split()
)
ADVERBS = frozenset(
    """also now then already still later again soon once just even ever often usually sometimes always instead together
    too therefore thus however meanwhile moreover furthermore indeed initially finally currently recently originally
    previously subsequently eventually here there today yesterday tomorrow ago first well""".split()
)
DATES = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december century year month week day morning afternoon evening night""".split()
)
FUNCTION = (
    DETERMINERS | PREPOSITIONS | CONJUNCTIONS | PRONOUNS | AUXILIARIES | MODALS | NEGATIONS | frozenset({"s", "that"})
)


@lru_cache(maxsize=262144)
def lemma(word: str) -> str:
    """The dictionary form of an English word that has no punctuation and case.

    >>> lemma("was"), lemma("children"), lemma("an")
    ('be', 'child', 'a')
    """
    if word in {"an", "the"}:
        return "a"
    if word.isdigit() or not word.isascii():
        return word
    import simplemma

    return str(simplemma.lemmatize(word, lang="en")).lower()
