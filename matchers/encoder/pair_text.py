"""The text of a pair for a cross-encoder: not both texts but how they differ.

The pair's cheapest reading (`matchers.features.readings`) is written out as one text, with optional words resolved to
what the extraction has. Words of both stand plain; marks say which words are missing or extra, where the slots begin,
and what the sentence's other clusters account for. So the model judges what differs, in a few tokens, and has not to
find out what is equal.

    gold        Mara Venn --> moved to --> Oslo            (cluster 1)
                Mara Venn --> moved to Oslo in --> May     (cluster 2)
    extraction  Mara Venn - moved to - Oslo in May
    text        [LOD] [DETAIL] [1] [W1] [T1] mara venn [REL] moved to [ARG] oslo [D] in may [/D]

The head names the rule that fires, the kind of reading, how many other clusters the extra words are taken from, and
how many wordings the gold lists, of the cluster (`W`) and on average of the sentence's clusters (`T`): a wording that
is not among many is rather none of the fact's, while one that is not among one says little.
Runs of words are marked where they differ: `[-]` missing, `[+]` extra, `[M]` extra here and missing in another slot,
`[D]` the detail that the reading takes from another formulation, `[F]` what further clusters account for, `[A]` what a
rewriting drops, `[O]` the cluster's own words that the detail's formulation lacks. `[~]` stands before a word that is
there in another form. Long runs are shortened to their ends, since what is between decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from data.model import Extraction, Sentence
from matchers.features.in_order import in_order
from matchers.features.readings import AS_FORMULATION, REWRITTEN, WITH_DETAIL, Reading, reader
from matchers.features.rows import PairTable, pair_table
from matchers.features.thickness import THICK, thickness
from matchers.features.word_bits import Masks, left_by, masks
from matchers.interface import Candidate
from matchers.text.gold_index import PLAIN, view
from matchers.text.patterns import Groups
from matchers.text.word_lists import ADVERBS, FUNCTION, lemma

REL, ARG, GAP = "[REL]", "[ARG]", "[..]"
MISSING, EXTRA, MOVED, DETAIL, FURTHER, DROPPED, OWN = "[-]", "[+]", "[M]", "[D]", "[F]", "[A]", "[O]"
INFLECTED = "[~]"
RULE_TOKENS = {"em": "[EM]", "lod": "[LOD]", "af": "[AF]", "": "[NONE]"}
KIND_TOKENS = {AS_FORMULATION: "[SAME]", WITH_DETAIL: "[DETAIL]", REWRITTEN: "[REWRITTEN]"}
COUNT_TOKENS = ("[0]", "[1]", "[2]", "[3]")
WORDING_TOKENS = ("[W1]", "[W2]", "[W3]")
THICKNESS_TOKENS = ("[T1]", "[T2]", "[T3]")
_SPANS = {
    MISSING: "missing", EXTRA: "extra", MOVED: "moved", DETAIL: "detail", FURTHER: "further", DROPPED: "dropped",
    OWN: "own",
}  # fmt: skip


def _end(mark: str) -> str:
    return f"[/{mark[1:]}"


# Each with the words that its embedding starts from. The order is that of a tokenizer, which checkpoints rely on.
SPECIAL_TOKENS: dict[str, str] = {
    "[EM]": "exact match", "[LOD]": "level of detail", "[AF]": "alternative", "[NONE]": "no rule",
    "[SAME]": "same", "[DETAIL]": "with detail", "[REWRITTEN]": "rewritten",
    "[0]": "zero", "[1]": "one", "[2]": "two", "[3]": "three or more",
    REL: "relation", ARG: "argument", GAP: "...", INFLECTED: "inflected",
    **{token: words for mark, words in _SPANS.items() for token in (mark, _end(mark))},
    "[W1]": "one wording", "[W2]": "two wordings", "[W3]": "many wordings",
    "[T1]": "one", "[T2]": "two", "[T3]": "many",
}  # fmt: skip

_KEPT_AT_END = 2
_NEARLY_ONE = 1.25
_PLAIN = ""
_LIGHT = FUNCTION | ADVERBS  # a word that any cluster may have says nothing about which one accounts for it

Marked = tuple[str, str]


@dataclass(frozen=True)
class EncodedPair:
    """A pair and its text: positions of extraction and cluster, its reading, and the rules' candidate if one fires."""

    extraction: int
    cluster: int
    text: str
    reading: Reading
    rule: Candidate | None

    @property
    def exact(self) -> bool:
        """Whether the pair is an exact match, which no model has to judge."""
        return self.rule is not None and self.rule.exact


def encoded_pairs(sentence: Sentence, extractions: Sequence[Extraction]) -> list[EncodedPair]:
    """The texts of the candidate pairs of one system in one sentence."""
    return encoded_table(sentence, extractions, pair_table(sentence, extractions, thin=False))


def encoded_table(sentence: Sentence, extractions: Sequence[Extraction], table: PairTable) -> list[EncodedPair]:
    """The texts of pairs whose readings are known."""
    encoded = []
    for row, reading in enumerate(table.readings):
        index, cluster = int(table.extraction[row]), int(table.cluster[row])
        rule = table.rules.get((index, cluster))
        text = pair_text(sentence, extractions[index], cluster, reading, rule.reason.rule if rule else "")
        encoded.append(EncodedPair(index, cluster, text, reading, rule))
    return encoded


def pair_text(sentence: Sentence, extraction: Extraction, cluster: int, reading: Reading, rule: str = "") -> str:
    """The text of a pair by one of its readings; `rule` is the name of the rule that fires, if one does."""
    accounts = _Accounts(sentence, extraction, cluster, reading)
    slots = [_marked(accounts, slot) for slot in range(3)]
    head = [RULE_TOKENS[rule.partition("+")[0]], KIND_TOKENS[reading.kind], COUNT_TOKENS[min(accounts.needed, 3)]]
    head += _wordings(sentence, cluster)
    body = (*_written(slots[0], 1), REL, *_written(slots[1], _KEPT_AT_END), ARG, *_written(slots[2], 1))
    return " ".join((*head, *body))


def _wordings(sentence: Sentence, cluster: int) -> tuple[str, str]:
    """How many wordings the gold lists, of a cluster and of the sentence's clusters on average."""
    mean, own = thickness(sentence), len(sentence.clusters[cluster].formulations)
    return WORDING_TOKENS[min(max(own, 1), 3) - 1], THICKNESS_TOKENS[(mean > _NEARLY_ONE) + (mean > THICK)]


class _Accounts:
    """The words of an extraction beside a formulation, and which other cluster accounts for those that are extra."""

    def __init__(self, sentence: Sentence, extraction: Extraction, cluster: int, reading: Reading) -> None:
        ordered, written = in_order(sentence), view(sentence, PLAIN)
        by, bits = reader(ordered.sentence), masks(ordered.sentence)
        as_written = written.triples[ordered.now.starts[cluster] + reading.formulation]
        cluster, reading = ordered.now.clusters[cluster], ordered.now.reading(cluster, reading)
        number = by.offsets[cluster] + reading.formulation
        self.reading = reading
        self.forms = written.slots(extraction)
        self.soft = by.view.slots(extraction)
        self.alignments = [
            by.slot(words, pattern) for words, pattern in zip(self.soft, by.view.triples[number].slots, strict=True)
        ]
        self.gold_forms = [_forms(written.patterns[pattern].groups) for pattern in as_written.slots]
        self.lacking = frozenset(word for alignment in self.alignments for word in alignment.missing)
        self.detail: frozenset[int] = frozenset()
        self.own: frozenset[int] = frozenset()
        line = self.soft[0] + self.soft[1] + self.soft[2]
        if reading.detail is not None:
            self.own = frozenset(by.line(line, reading.detail).extra_at)
            self.detail = frozenset(range(len(line))) - self.own
        self.further, others = self._others(bits, bits.of(line), cluster)
        self.needed = others + (reading.detail is not None)

    def _others(self, bits: Masks, says: int, cluster: int) -> tuple[frozenset[str], int]:
        """The extra words that clusters contained whole account for, and how many clusters it takes, greedily."""
        extra = set()
        start = 0
        for words, alignment in zip(self.soft, self.alignments, strict=True):
            for word, position in zip(alignment.extra, alignment.extra_at, strict=True):
                if start + position not in self.detail and word not in _LIGHT:
                    extra.add(word)
            start += len(words)
        rest = bits.of(tuple(extra))
        covers = [
            gold.allows
            for number, formulations in enumerate(bits.clusters)
            if rest and number != cluster
            for gold in formulations
            if gold.needs and not gold.needs & ~says
        ]
        rests = (rest, *left_by(covers, rest))
        return frozenset(word for word in extra if not bits.of((word,)) & rests[-1]), len(rests) - 1


def _forms(groups: Groups) -> dict[str, list[str]]:
    """The words of a gold slot as they are inflected, by their lemmas."""
    forms: dict[str, list[str]] = {}
    for words, _ in groups:
        for word in words:
            forms.setdefault(lemma(word), []).append(word)
    return forms


def _marked(accounts: _Accounts, slot: int) -> list[Marked]:
    """The words of a slot in order, each with its mark."""
    alignment, gold_forms = accounts.alignments[slot], accounts.gold_forms[slot]
    forms, soft = accounts.forms[slot], accounts.soft[slot]
    start = sum(len(words) for words in accounts.soft[:slot])
    extra_at = frozenset(alignment.extra_at)
    missing: dict[int, list[Marked]] = {}
    for root, position in zip(alignment.missing, alignment.missing_at, strict=True):
        missing.setdefault(position, []).append((gold_forms.get(root, [root])[0], MISSING))
    marked: list[Marked] = []
    for position, (word, root) in enumerate(zip(forms, soft, strict=True)):
        marked += missing.get(position, ())
        word = _unmarked(word)
        if position in extra_at:
            marked.append((word, _extra_mark(accounts, root, start + position)))
            continue
        mark = OWN if start + position in accounts.own else _PLAIN
        if word not in gold_forms.get(root, [word]):
            marked.append((INFLECTED, mark))
        marked.append((word, mark))
    return _joined(marked + missing.get(len(soft), []))


def _joined(marked: list[Marked]) -> list[Marked]:
    """Extra function words go with the accounted words that they stand before: `that arrived in 2019` is one run."""
    following = _PLAIN
    for position in reversed(range(len(marked))):
        word, mark = marked[position]
        if mark == EXTRA and following == FURTHER and lemma(word) in _LIGHT:
            marked[position] = (word, FURTHER)
        following = marked[position][1]
    return marked


def _extra_mark(accounts: _Accounts, root: str, position: int) -> str:
    if accounts.reading.kind == REWRITTEN:
        return DROPPED
    if root in accounts.lacking:
        return MOVED
    if position in accounts.detail:
        return DETAIL
    return FURTHER if root in accounts.further else EXTRA


def _written(marked: Sequence[Marked], kept: int) -> Iterator[str]:
    """The words with a mark before and after each run of one kind; long runs are shortened to their ends.

    Of words that are the same in both, `kept` stay at each end: in arguments they are names that decide nothing.
    """
    for mark, run in groupby(marked, key=lambda item: item[1]):
        words = [word for word, _ in run]
        if mark == _PLAIN:
            yield from _shortened(words, kept)
        else:
            yield from (mark, *_shortened(words, _KEPT_AT_END), _end(mark))


def _unmarked(word: str) -> str:
    """A word that can't be taken for a mark: only a slot of nothing but punctuation keeps its brackets until here."""
    return word.replace("[", "(").replace("]", ")")


def _shortened(words: list[str], kept: int) -> list[str]:
    if len(words) <= 2 * kept + 1 or INFLECTED in words:
        return words
    return [*words[:kept], GAP, *words[-kept:]]
