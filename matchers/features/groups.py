"""The groups of features: what is measured of a pair, each number's name, meaning and value defined in one place.

A group is a named tuple whose fields are features; the annotation of a field says what it means and which way it may
speak, and `of` computes the values. `FEATURES` lists them all; groups can be left out by name, for ablations.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, get_type_hints

from matchers.features.detail_groups import Accounted, Combined
from matchers.features.edits import Edits
from matchers.features.meaning import Feature, against, either, for_match
from matchers.features.pair import Pair
from matchers.features.readings import AS_FORMULATION, REWRITTEN, WITH_DETAIL
from matchers.features.standing import FAR, standing
from matchers.features.thin_groups import Borders, Context, Crossed, InARow, LineRank, Shares, Thickness, Voice
from matchers.text.word_lists import ADVERBS, CONJUNCTIONS, PREPOSITIONS, PRONOUNS

Row = tuple[float, ...]

_OPENERS = CONJUNCTIONS | PREPOSITIONS | PRONOUNS | ADVERBS
count = int.bit_count


class EditCounts(NamedTuple):
    """Words to put in and to take away in the cheapest reading."""

    missing_content: Annotated[float, against("content words to put in, in the cheapest reading")]
    missing_preposition: Annotated[float, against("prepositions to put in, in the cheapest reading")]
    missing_function: Annotated[float, against("other function words to put in, in the cheapest reading")]
    extra_content: Annotated[float, against("content words to take away, in the cheapest reading")]
    extra_preposition: Annotated[float, against("prepositions to take away, in the cheapest reading")]
    extra_function: Annotated[float, against("other function words to take away, in the cheapest reading")]
    determiners: Annotated[float, against("determiners to put in or take away, in the cheapest reading")]
    adverbs: Annotated[float, against("light adverbs to put in or take away, in the cheapest reading")]
    own_words: Annotated[float, against("words to take away that this cluster has and the detail lacks")]

    @classmethod
    def of(cls, edits: Edits) -> EditCounts:
        """The counts of a reading; `Edits` has the same kinds in the same order."""
        return cls._make(edits)


class Readings(NamedTuple):
    """What the readings of a pair cost."""

    reading_cost: Annotated[float, against("weighted number of edits of the cheapest reading")]
    reading_free: Annotated[float, for_match("the cheapest reading takes no edits")]
    reading_light: Annotated[float, for_match("it takes some, but of determiners, adverbs and own words only")]
    reading_detail: Annotated[float, either("the cheapest reading takes another formulation's detail (LoD)")]
    reading_rewritten: Annotated[float, either("the cheapest reading is a rewriting (AF)")]
    formulation_cost: Annotated[float, against("cost of the reading as a formulation (EM)")]
    detail_cost: Annotated[float, against("cost of the reading with a detail (LoD)")]

    @classmethod
    def of(cls, pair: Pair) -> Readings:
        """The costs of a pair."""
        plain = min(FAR, pair.costs[AS_FORMULATION])
        return cls(
            reading_cost=min(FAR, pair.cost),
            reading_free=pair.cost == 0,
            reading_light=pair.cost > 0 and pair.reading.edits.only_light,
            reading_detail=pair.reading.kind == WITH_DETAIL,
            reading_rewritten=pair.reading.kind == REWRITTEN,
            formulation_cost=plain,
            detail_cost=min(FAR, pair.costs.get(WITH_DETAIL, plain)),
        )


class Words(NamedTuple):
    """Words on one side that change what is said, whatever slot they stand in."""

    inflected: Annotated[float, against("words that are there in another inflection")]
    negations: Annotated[float, against("negations that are missing or extra")]
    hedges: Annotated[float, against("hedges, modals and bounds that are missing or extra")]
    extra_date: Annotated[float, against("dates and numbers beyond the formulation")]
    extra_conjunction: Annotated[float, against("conjunctions beyond the formulation")]
    lack_determiner: Annotated[
        float, against("determiners and possessives of the formulation that are nowhere in the extraction")
    ]
    lack_adverb: Annotated[float, against("adverbs of the formulation that are nowhere in the extraction")]
    new_adverb: Annotated[float, against("adverbs that are nowhere in the formulation")]

    @classmethod
    def of(cls, pair: Pair) -> Words:
        """The counts of a pair."""
        bits, missing, extra = pair.bits, pair.missing, pair.extra
        return cls(
            inflected=max(0, count(pair.said.forms & ~pair.gold.forms) - count(extra)),
            negations=count(pair.differing & bits.negation),
            hedges=count(pair.differing & bits.hedge),
            extra_date=count(extra & bits.date),
            extra_conjunction=count(extra & bits.conjunction),
            lack_determiner=count(missing & bits.determiner),
            lack_adverb=count(missing & bits.adverb),
            new_adverb=count(extra & bits.adverb),
        )


class SlotWords(NamedTuple):
    """Content words of a slot that the other side has nowhere."""

    lack_arg1: Annotated[float, against("content words of the formulation's arg1 that are nowhere in the extraction")]
    lack_relation: Annotated[
        float, against("content words of the formulation's relation that are nowhere in the extraction")
    ]
    lack_arg2: Annotated[float, against("content words of the formulation's arg2 that are nowhere in the extraction")]
    new_arg1: Annotated[float, against("content words of the arg1 that are nowhere in the formulation")]
    new_relation: Annotated[float, against("content words of the relation that are nowhere in the formulation")]
    new_arg2: Annotated[float, against("content words of the arg2 that are nowhere in the formulation")]

    @classmethod
    def of(cls, pair: Pair) -> SlotWords:
        """The counts of a pair."""
        if not pair.differing:
            return _NO_SLOT_WORDS
        content = ~pair.bits.function
        lack, new = pair.missing & content, pair.extra & content & ~pair.bits.adverb
        (need1, need_relation, need2), (said1, said_relation, said2) = pair.gold.required, pair.said.slots
        return cls(
            lack_arg1=count(need1 & lack),
            lack_relation=count(need_relation & lack),
            lack_arg2=count(need2 & lack),
            new_arg1=count(said1 & new),
            new_relation=count(said_relation & new),
            new_arg2=count(said2 & new),
        )


_NO_SLOT_WORDS = SlotWords(0, 0, 0, 0, 0, 0)


class Moves(NamedTuple):
    """Words that stand in another slot."""

    moved_content: Annotated[float, against("content words that stand in another slot")]
    moved_function: Annotated[float, against("function words that stand in another slot")]
    preposition_out: Annotated[float, against("prepositions moved from the relation into an argument")]
    preposition_in: Annotated[float, against("prepositions moved from an argument into the relation")]

    @classmethod
    def of(cls, pair: Pair) -> Moves:
        """The counts of a pair."""
        said, gold = pair.said, pair.gold
        (said0, said1, said2), (need0, need1, need2), (gold0, gold1, gold2) = said.slots, gold.required, gold.every
        lack0, lack1, lack2 = need0 & ~said0, need1 & ~said1, need2 & ~said2
        add0, add1, add2 = said0 & ~gold0, said1 & ~gold1, said2 & ~gold2
        moved = (lack0 | lack1 | lack2) & said.says | (add0 | add1 | add2) & gold.allows
        if not moved:
            return _NO_MOVES
        function, preposition = pair.bits.function, pair.bits.preposition
        return cls(
            moved_content=count(moved & ~function),
            moved_function=count(moved & function),
            preposition_out=count(lack1 & (add0 | add2) & preposition),
            preposition_in=count(add1 & (lack0 | lack2) & preposition),
        )


_NO_MOVES = Moves(0, 0, 0, 0)


class Order(NamedTuple):
    """Which slots are the cluster's or the formulation's, and what comes after the latter's."""

    relation_same: Annotated[float, for_match("the relation is one of the cluster's")]
    arg1_same: Annotated[float, for_match("the first argument is the formulation's")]
    arg2_same: Annotated[float, for_match("the second argument is the formulation's")]
    arg2_begins: Annotated[float, for_match("the second argument begins with the formulation's")]
    tail: Annotated[float, against("words of the second argument after the formulation's")]
    tail_bare: Annotated[float, against("they begin with a content word, not with a preposition or the like")]

    @classmethod
    def of(cls, pair: Pair) -> Order:
        """The order of a pair's words."""
        whole = pair.whole
        arg1, relation, arg2 = whole.accepted
        triple = whole.view.triples[whole.gold.reader.offsets[pair.cluster] + pair.reading.formulation]
        first, _, third = triple.slots
        pattern = whole.view.patterns[third]
        same, end = third in arg2, 0
        if not same and not pattern.openers.isdisjoint(whole.opener):
            end = max(0, pattern.run(whole.text, 1).bit_length() - 1)
        tail = whole.slots[2][end:] if end else ()
        return cls(
            relation_same=not relation.isdisjoint(whole.gold.relations[pair.cluster]),
            arg1_same=first in arg1,
            arg2_same=same,
            arg2_begins=same or end > 0,
            tail=len(tail),
            tail_bare=bool(tail) and tail[0] not in _OPENERS,
        )


class Shape(NamedTuple):
    """The extraction's own form."""

    dangling_end: Annotated[float, against("a slot ends with a conjunction, determiner or (arguments) preposition")]
    dangling_start: Annotated[float, against("an argument begins with a conjunction or preposition")]
    length: Annotated[float, against("words of the extraction")]

    @classmethod
    def of(cls, pair: Pair) -> Shape:
        """The form of a pair's extraction."""
        whole = pair.whole
        return cls(whole.dangling_end, whole.dangling_start, length=sum(map(len, whole.slots)))


class Overlap(NamedTuple):
    """The form of extraction and formulation together."""

    overlap: Annotated[float, for_match("share of common lemmas (F1) of extraction and formulation")]
    one_argument: Annotated[float, either("the extraction or the formulation has no second argument")]

    @classmethod
    def of(cls, pair: Pair) -> Overlap:
        """The overlap of a pair."""
        common = count(pair.said.says & pair.gold.allows)
        return cls(
            overlap=2 * common / (count(pair.said.says) + max(common, count(pair.gold.needs)) or 1),
            one_argument=not pair.whole.slots[2] or not pair.gold.every[2],
        )


class Fired(NamedTuple):
    """Which rule fires, and where else one does."""

    rule_em: Annotated[float, for_match("EM fires")]
    rule_em_punc: Annotated[float, for_match("EM fires without punctuation and case")]
    rule_lod: Annotated[float, for_match("LoD fires: its closeness")]
    rule_af: Annotated[float, for_match("AF fires: its closeness")]
    rule_elsewhere: Annotated[float, against("surest rule that fires for another cluster")]
    rule_rival: Annotated[
        float, against("surest rule that fires for this cluster and another extraction of the system")
    ] = 0.0

    @classmethod
    def of(cls, pair: Pair) -> Fired:
        """The rules on a pair; what the system's other extractions do, whoever sees them all fills in."""
        rules = pair.whole.rules
        if not rules:
            return _NOTHING_FIRED
        fired = rules.get(pair.cluster)
        rule, score = (fired.reason.rule, fired.score) if fired else ("", 0.0)
        return cls(
            rule_em=rule == "em",
            rule_em_punc=rule == "em+punc",
            rule_lod=score if rule.startswith("lod") else 0.0,
            rule_af=score if rule.startswith("af") else 0.0,
            rule_elsewhere=max((other.score for other in rules.values() if other.cluster != pair.cluster), default=0.0),
        )


_NOTHING_FIRED = Fired(0, 0, 0, 0, 0)


class Rank(NamedTuple):
    """How a pair stands among the extraction's other clusters, and among the cluster's other extractions."""

    rank: Annotated[float, against("clusters that are cheaper for the extraction")]
    gap: Annotated[float, against("cost above that of the cheapest other cluster")]
    rival_rank: Annotated[float, against("extractions of the system that are cheaper for the cluster")] = 0.0
    rival_gap: Annotated[float, against("cost above that of the cheapest other extraction of the system")] = 0.0

    @classmethod
    def of(cls, pair: Pair) -> Rank:
        """The standing of a pair; among the system's other extractions, whoever sees them all fills it in."""
        rank, gap = standing(pair.cost, pair.whole.costs)
        return cls(rank=rank, gap=gap)


_GROUPS: tuple[tuple[str, type[tuple[float, ...]]], ...] = (
    ("edits", EditCounts),
    ("edits", Readings),
    ("words", Words),
    ("slots", SlotWords),
    ("moves", Moves),
    ("order", Order),
    ("shape", Shape),
    ("shape", Overlap),
    ("rules", Fired),
    ("detail", Combined),
    ("detail", Accounted),
    ("rank", Rank),
    ("line", InARow),
    ("crossed", Crossed),
    ("borders", Borders),
    ("shares", Shares),
    ("voice", Voice),
    ("context", Context),
    ("thickness", Thickness),
    ("line", LineRank),
)


def _features() -> tuple[Feature, ...]:
    return tuple(
        Feature(name, group, *hint.__metadata__[0])
        for group, kind in _GROUPS
        for name, hint in get_type_hints(kind, include_extras=True).items()
    )


FEATURES = _features()
# Groups that only models of thin gold use: they take a third of the time, and whoever needs none of them skips them.
THIN_GROUPS = frozenset({"line", "crossed", "borders", "shares", "voice", "context", "thickness"})
THIN_NAMES = frozenset(feature.name for feature in FEATURES if feature.group in THIN_GROUPS)
_NO_THIN = (0.0,) * len(THIN_NAMES)
NAMES = tuple(feature.name for feature in FEATURES)
GROUPS = tuple(dict.fromkeys(feature.group for feature in FEATURES))


def row(pair: Pair, thin: bool = True) -> Row:
    """The features of a pair, in the order of `FEATURES`; those of `THIN_GROUPS`, the last, are 0 unless asked for."""
    return (
        *EditCounts.of(pair.reading.edits),
        *Readings.of(pair),
        *Words.of(pair),
        *SlotWords.of(pair),
        *Moves.of(pair),
        *Order.of(pair),
        *Shape.of(pair),
        *Overlap.of(pair),
        *Fired.of(pair),
        *Combined.of(pair),
        *Accounted.of(pair),
        *Rank.of(pair),
        *(_thin_row(pair) if thin else _NO_THIN),
    )


def _thin_row(pair: Pair) -> Row:
    return (
        *InARow.of(pair.line),
        *Crossed.of(pair.line),
        *Borders.of(pair, pair.line),
        *Shares.of(pair, pair.line),
        *Voice.of(pair, pair.line),
        *Context.of(pair, pair.line),
        *Thickness.of(pair),
        *LineRank.of(pair.line),
    )
