"""The groups of features that thin gold needs: what another wording of the same fact may change.

Each is a named tuple as in `matchers.features.groups`. They look at the words in a row, at what crosses the borders of
slots, at voice and possession, at the sentence, and at what the sentence's other facts know.
"""

from __future__ import annotations

from itertools import starmap
from typing import Annotated, NamedTuple

from matchers.features.lines import Line
from matchers.features.meaning import against, either, for_match
from matchers.features.pair import Pair
from matchers.features.standing import FAR
from matchers.features.word_kinds import (
    CONTENT,
    NOTHING,
    Words,
    content_words,
    first_kind,
    head_verb,
    is_pronoun,
    kind,
    last_kind,
    relation_kind,
    stem,
)

_MANY = 5
_KINDS = "(0 content, 1 preposition, 2 determiner, 3 auxiliary, 4 other, -1 none)"


class InARow(NamedTuple):
    """What the words in a row lack of the formulation's and have beyond them, wherever the borders of slots are."""

    line_missing_content: Annotated[float, against("content words that the words in a row lack")]
    line_missing_preposition: Annotated[float, against("prepositions that the words in a row lack")]
    line_missing_determiner: Annotated[float, against("determiners that the words in a row lack")]
    line_missing_auxiliary: Annotated[float, against("auxiliaries that the words in a row lack")]
    line_missing_other: Annotated[float, against("other function words that the words in a row lack")]
    line_extra_content: Annotated[float, against("content words that the words in a row have too many")]
    line_extra_preposition: Annotated[float, against("prepositions that the words in a row have too many")]
    line_extra_determiner: Annotated[float, against("determiners that the words in a row have too many")]
    line_extra_auxiliary: Annotated[float, against("auxiliaries that the words in a row have too many")]
    line_extra_other: Annotated[float, against("other function words that the words in a row have too many")]
    line_cost: Annotated[float, against("weighted number of words in a row that differ")]
    line_tail: Annotated[float, against("extra words after the last common one")]
    line_head: Annotated[float, against("extra words before the first common one")]
    line_inner: Annotated[float, against("extra words between common ones")]
    line_inner_content: Annotated[float, against("content words among those")]
    line_tail_kind: Annotated[float, either(f"kind of the first word after the last common one {_KINDS}")]
    line_dropped: Annotated[float, either("optional words of the formulation that are absent")]
    only_borders: Annotated[float, for_match("the words in a row are the formulation's")]

    @classmethod
    def of(cls, line: Line) -> InARow:
        """The differences of a line."""
        first, last = line.kept_between
        inner = [position for position in line.extra_at if first < position < last]
        tail = sum([position > last for position in line.extra_at])
        values = (
            *line.missing, *line.extra, min(FAR, line.cost), tail, len(line.extra_at) - len(inner) - tail, len(inner),
            sum([kind(line.words[position]) == CONTENT for position in inner]),
            kind(line.words[last + 1]) if last + 1 < len(line.words) else NOTHING,
            line.dropped, not line.extra_at and not any(line.missing),
        )  # fmt: skip
        return cls._make(values)


class Crossed(NamedTuple):
    """Words that stand on another side of a border than the formulation has them."""

    arg1_from_relation: Annotated[float, either("content words of the gold's relation that stand in arg1")]
    arg1_from_relation_function: Annotated[float, either("function words of the gold's relation that stand in arg1")]
    relation_from_arg1: Annotated[float, either("content words of the gold's arg1 that stand in the relation")]
    relation_from_arg1_function: Annotated[float, either("function words of the gold's arg1 that stand there")]
    relation_from_arg2: Annotated[float, either("content words of the gold's arg2 that stand in the relation")]
    relation_from_arg2_function: Annotated[float, either("function words of the gold's arg2 that stand there")]
    arg2_from_relation: Annotated[float, either("content words of the gold's relation that stand in arg2")]
    arg2_from_relation_function: Annotated[float, either("function words of the gold's relation that stand there")]
    out_first: Annotated[float, either(f"kind of the first word that left the gold's relation for arg2 {_KINDS}")]
    out_last: Annotated[float, either(f"kind of the last word that left the gold's relation for arg2 {_KINDS}")]
    in_first: Annotated[float, either(f"kind of the first word that came from the gold's arg2 {_KINDS}")]
    in_last: Annotated[float, either(f"kind of the last word that came from the gold's arg2 {_KINDS}")]
    out_of: Annotated[float, either("'of' left the gold's relation for arg2")]
    out_to: Annotated[float, either("'to' left the gold's relation for arg2")]
    in_of: Annotated[float, either("'of' came into the relation from the gold's arg2")]

    @classmethod
    def of(cls, line: Line) -> Crossed:
        """The crossings of a line."""
        if not line.crossed:
            return _NOTHING_CROSSED
        out, came = line.crossed.get((2, 1), []), line.crossed.get((1, 2), [])
        counts: list[int] = []
        for border in ((0, 1), (1, 0), (1, 2), (2, 1)):
            words = line.crossed.get(border, ())
            content = sum([kind(word) == CONTENT for word in words])
            counts += (content, len(words) - content)
        kinds = first_kind(tuple(out)), last_kind(tuple(out)), first_kind(tuple(came)), last_kind(tuple(came))
        return cls._make((*counts, *kinds, "of" in out, "to" in out, "of" in came))


_NOTHING_CROSSED = Crossed(0, 0, 0, 0, 0, 0, 0, 0, NOTHING, NOTHING, NOTHING, NOTHING, 0, 0, 0)


class Borders(NamedTuple):
    """What stands at the borders of slots, on both sides."""

    relation_kind: Annotated[float, either("what the relation is made of (1 be, 2 have, 4 no content word, ...)")]
    gold_relation_kind: Annotated[float, either("what the formulation's relation is made of")]
    relation_kind_same: Annotated[float, for_match("both relations are made of the same")]
    relation_end: Annotated[float, either(f"kind of the relation's last word {_KINDS}")]
    gold_relation_end: Annotated[float, either(f"kind of the formulation's relation's last word {_KINDS}")]
    relation_start: Annotated[float, either(f"kind of the relation's first word {_KINDS}")]
    gold_relation_start: Annotated[float, either(f"kind of the formulation's relation's first word {_KINDS}")]
    arg1_end: Annotated[float, either(f"kind of the first argument's last word {_KINDS}")]
    arg2_start: Annotated[float, either(f"kind of the second argument's first word {_KINDS}")]
    gold_arg2_start: Annotated[float, either(f"kind of the formulation's second argument's first word {_KINDS}")]
    relation_longer: Annotated[float, either("the relation begins with the formulation's")]
    relation_shorter: Annotated[float, either("the formulation's relation begins with the extraction's")]
    relation_length: Annotated[float, either("words of the relation")]
    gold_relation_length: Annotated[float, either("words of the formulation's relation")]
    gold_length: Annotated[float, either("words of the formulation")]

    @classmethod
    def of(cls, pair: Pair, line: Line) -> Borders:
        """The borders of a pair."""
        arg1, relation, arg2 = pair.whole.slots
        gold1, gold_relation, gold2 = line.formulation
        own, gold = relation_kind(relation), relation_kind(gold_relation)
        return cls(
            own, gold, own == gold,
            last_kind(relation), last_kind(gold_relation), first_kind(relation), first_kind(gold_relation),
            last_kind(arg1), first_kind(arg2), first_kind(gold2),
            relation[: len(gold_relation)] == gold_relation, gold_relation[: len(relation)] == relation,
            len(relation), len(gold_relation), len(gold1) + len(gold_relation) + len(gold2),
        )  # fmt: skip


class Shares(NamedTuple):
    """How much of the content words of slots is common (F1), each slot with each; -1 where both have none."""

    arg1_arg1: Annotated[float, for_match("common content words of arg1 and the formulation's arg1")]
    arg1_relation: Annotated[float, either("common content words of arg1 and the formulation's relation")]
    arg1_arg2: Annotated[float, either("common content words of arg1 and the formulation's arg2")]
    relation_arg1: Annotated[float, either("common content words of the relation and the formulation's arg1")]
    relation_relation: Annotated[float, for_match("common content words of both relations")]
    relation_arg2: Annotated[float, either("common content words of the relation and the formulation's arg2")]
    arg2_arg1: Annotated[float, either("common content words of arg2 and the formulation's arg1")]
    arg2_relation: Annotated[float, either("common content words of arg2 and the formulation's relation")]
    arg2_arg2: Annotated[float, for_match("common content words of arg2 and the formulation's arg2")]
    arg1_words: Annotated[float, for_match("common words of arg1 and the formulation's arg1")]
    relation_words: Annotated[float, for_match("common words of both relations")]
    arg2_words: Annotated[float, for_match("common words of arg2 and the formulation's arg2")]
    stems_relation: Annotated[float, for_match("common stems of both relations")]
    stems_missing: Annotated[float, against("stems of the formulation that the extraction lacks")]
    stems_new: Annotated[float, against("stems of the extraction that the formulation lacks")]
    same_verb: Annotated[float, for_match("both relations have the same first content word, by its stem")]

    @classmethod
    def of(cls, pair: Pair, line: Line) -> Shares:
        """The shares of a pair."""
        slots, gold = pair.whole.slots, line.formulation
        own, golden = tuple(map(content_words, slots)), tuple(map(content_words, gold))
        own_stems = [frozenset(map(stem, words)) for words in own]
        gold_stems = [frozenset(map(stem, words)) for words in golden]
        said, wanted = own_stems[0].union(*own_stems[1:]), gold_stems[0].union(*gold_stems[1:])
        verb = head_verb(slots[1])
        values = (
            *(_share(mine, theirs) for mine in own for theirs in golden),
            *starmap(_share, zip(map(frozenset, slots), map(frozenset, gold), strict=True)),
            _share(own_stems[1], gold_stems[1]), len(wanted - said), len(said - wanted),
            verb == head_verb(gold[1]) if verb else 0,
        )  # fmt: skip
        return cls._make(values)


def _share(first: frozenset[str], second: frozenset[str]) -> float:
    return 2 * len(first & second) / (len(first) + len(second)) if first or second else -1.0


class Voice(NamedTuple):
    """Arguments the other way round: passive for active, possession, apposition; pronouns for names."""

    swapped: Annotated[float, either("differing content words of the arguments, if they are exchanged")]
    straight: Annotated[float, against("differing content words of the arguments as they are")]
    passive: Annotated[float, for_match("the same verb with be on one side only, arguments exchanged (2 exactly)")]
    be_reversed: Annotated[float, either("both relations are be, arguments exchanged")]
    have_gained: Annotated[float, either("have in the relation (1), in the formulation's (-1)")]
    by_gained: Annotated[float, either("'by' in the extraction (1), in the formulation (-1)")]
    possessive_gained: Annotated[float, either("'s in the extraction (1), in the formulation (-1)")]
    arg1_pronoun: Annotated[float, either("the first argument is a pronoun (1), the formulation's is (-1)")]
    arg2_pronoun: Annotated[float, either("the second argument is a pronoun (1), the formulation's is (-1)")]

    @classmethod
    def of(cls, pair: Pair, line: Line) -> Voice:
        """The voice of a pair."""
        (arg1, relation, arg2), (gold1, gold_relation, gold2) = pair.whole.slots, line.formulation
        own1, own2, golden1, golden2 = map(content_words, (arg1, arg2, gold1, gold2))
        swapped, straight = len(own1 ^ golden2) + len(own2 ^ golden1), len(own1 ^ golden1) + len(own2 ^ golden2)
        verb = head_verb(relation)
        other_voice = bool(verb) and verb == head_verb(gold_relation) and ("be" in relation) != ("be" in gold_relation)
        gold_words = gold1 + gold_relation + gold2
        kinds = {relation_kind(relation), relation_kind(gold_relation)}
        return cls(
            swapped=swapped,
            straight=straight,
            passive=0 if not other_voice else 2 if swapped == 0 else float(swapped < straight),
            be_reversed=kinds <= {1, 4} and swapped < straight,
            have_gained=_has(relation) - _has(gold_relation),
            by_gained=("by" in line.words) - ("by" in gold_words),
            possessive_gained=("s" in line.words) - ("s" in gold_words),
            arg1_pronoun=is_pronoun(arg1) - is_pronoun(gold1),
            arg2_pronoun=is_pronoun(arg2) - is_pronoun(gold2),
        )


def _has(relation: Words) -> int:
    return int(relation_kind(relation) in {2, 8})


class Context(NamedTuple):
    """What the sentence and its other facts know of the extraction."""

    arg1_known: Annotated[float, either("other clusters with this first argument")]
    relation_known: Annotated[float, either("other clusters with this relation")]
    arg2_known: Annotated[float, either("other clusters with this second argument")]
    strange: Annotated[float, against("content words that are not in the sentence")]
    strange_function: Annotated[float, either("function words that are not in the sentence")]
    gold_strange: Annotated[float, either("content words of the formulation that are not in the sentence")]
    in_sentence: Annotated[float, either("the words stand in the sentence in a row")]
    relation_in_sentence: Annotated[float, either("those of the relation do")]
    after_arg2: Annotated[float, either(f"kind of the sentence's word after the second argument {_KINDS}")]
    before_arg2: Annotated[float, either(f"kind of the sentence's word before the second argument {_KINDS}")]
    after_arg1: Annotated[float, either(f"kind of the sentence's word after the first argument {_KINDS}")]
    before_arg1: Annotated[float, either(f"kind of the sentence's word before the first argument {_KINDS}")]
    other_line: Annotated[float, either("weighted words that differ from the nearest formulation of another cluster")]
    clusters: Annotated[float, either("clusters of the sentence")]

    @classmethod
    def of(cls, pair: Pair, line: Line) -> Context:
        """The context of a pair."""
        whole, gold = pair.whole, pair.whole.gold
        own = pair.cluster
        known = gold.sentence_words
        values = (
            *(min(_MANY, len(clusters - {own})) for clusters in whole.known_in),
            *whole.strange,
            sum([kind(word) == CONTENT and word not in known for slot in line.formulation for word in slot]),
            *whole.places,
            min([cost for cost, number in whole.near_lines if number != own], default=FAR),
            len(gold.formulations),
        )
        return cls._make(values)


class Thickness(NamedTuple):
    """How many wordings the gold lists: where it lists many, what is not among them is rather no match."""

    formulations: Annotated[float, against("formulations of the cluster")]
    mean_formulations: Annotated[float, against("mean number of formulations of the sentence's clusters")]

    @classmethod
    def of(cls, pair: Pair) -> Thickness:
        """The thickness of a pair's gold."""
        gold = pair.whole.gold
        return cls(gold.formulations[pair.cluster], gold.thickness)


class LineRank(NamedTuple):
    """How a pair stands by its line among the extraction's other clusters, and among the cluster's extractions."""

    line_whole: Annotated[float, against("weighted number of words in a row that differ or crossed a border")]
    line_rank: Annotated[float, against("clusters whose line is closer to the extraction")] = 0.0
    line_gap: Annotated[float, against("cost above that of the closest other cluster's line")] = 0.0
    line_rival_rank: Annotated[float, against("extractions of the system that are closer to the cluster's line")] = 0.0
    line_rival_gap: Annotated[float, against("cost above that of the system's closest other extraction")] = 0.0

    @classmethod
    def of(cls, line: Line) -> LineRank:
        """The cost of a line; its ranks are filled in by whoever sees all pairs."""
        return cls(line_whole=min(FAR, line.whole_cost))
