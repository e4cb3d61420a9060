"""Which word sequences a gold slot stands for, decided without listing them.

A slot with optional groups stands for up to 2^n word sequences. They are never listed: the groups are run over the
words as a small automaton whose state, the set of positions reached, is the bits of one integer. The cost is one
operation a gold word, however many groups there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Groups = tuple[tuple[tuple[str, ...], bool], ...]


@dataclass(frozen=True)
class Text:
    """Words of an extraction, with the positions of each as the bits of an integer."""

    words: tuple[str, ...]
    positions: dict[str, int] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        positions: dict[str, int] = {}
        bit = 1
        for word in self.words:
            positions[word] = positions.get(word, 0) | bit
            bit <<= 1
        object.__setattr__(self, "positions", positions)


@dataclass(frozen=True)
class Pattern:
    """The groups of a slot, or of several slots in a row, ready to be run over words.

    >>> court = Pattern(((("the",), True), (("High", "Court"), False), (("of", "Arden"), True)))
    >>> court.accepts(Text(("High", "Court", "of", "Arden"))), court.accepts(Text(("High", "Court", "of")))
    (True, False)
    >>> court.stands_in(Text(("judge", "of", "the", "High", "Court")))
    True
    """

    groups: Groups
    shortest: int = field(init=False, compare=False, repr=False)
    longest: int = field(init=False, compare=False, repr=False)
    openers: frozenset[str] = field(init=False, compare=False, repr=False)
    required: frozenset[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        shortest = longest = 0
        openers: set[str] = set()
        required: set[str] = set()
        for words, optional in self.groups:
            if not shortest:
                openers.add(words[0])
            longest += len(words)
            if not optional:
                shortest += len(words)
                required.update(words)
        object.__setattr__(self, "shortest", shortest)
        object.__setattr__(self, "longest", longest)
        object.__setattr__(self, "openers", frozenset(openers))
        object.__setattr__(self, "required", frozenset(required))

    @classmethod
    def joined(cls, patterns: Iterable[Pattern]) -> Pattern:
        """The pattern of several slots in a row."""
        return cls(tuple(group for pattern in patterns for group in pattern.groups))

    def __str__(self) -> str:
        return " ".join(f"[{' '.join(words)}]" if optional else " ".join(words) for words, optional in self.groups)

    def run(self, text: Text, reached: int) -> int:
        """The positions, as bits, that can be reached from these by reading a sequence of the pattern."""
        positions = text.positions
        for words, optional in self.groups:
            after = reached
            for word in words:
                after = (after & positions.get(word, 0)) << 1
                if not after:
                    break
            reached = reached | after if optional else after
            if not reached:
                return 0
        return reached

    def accepts(self, text: Text) -> bool:
        """Whether the words are one of the sequences that the pattern stands for."""
        if not self.shortest <= len(text.words) <= self.longest:
            return False
        return bool(self.run(text, 1) >> len(text.words) & 1)

    def stands_in(self, text: Text) -> bool:
        """Whether a non-empty sequence of the pattern is a run of consecutive words of the text."""
        if self.shortest:
            return bool(self.run(text, (1 << len(text.words)) - 1))
        return bool(self.spans(text))

    def spans(self, text: Text) -> list[tuple[int, int]]:
        """Where non-empty sequences of the pattern stand in the text, as (start, end)."""
        ranges = []
        for start, word in enumerate(text.words):
            if word in self.openers:
                ends = self.run(text, 1 << start) >> (start + 1)
                while ends:
                    ranges.append((start, start + (ends & -ends).bit_length()))
                    ends &= ends - 1
        return ranges

    def resolution(self, words: Sequence[str]) -> tuple[tuple[str, ...], ...] | None:
        """The optional groups that are absent when the pattern reads these words; None if it does not."""
        text = Text(tuple(words))
        reached = [1]
        for own, optional in self.groups:
            after = before = reached[-1]
            for word in own:
                after = (after & text.positions.get(word, 0)) << 1
            reached.append(before | after if optional else after)
        position = len(text.words)
        if not reached[-1] >> position & 1:
            return None
        absent = []
        for (own, _), before in zip(reversed(self.groups), reversed(reached[:-1]), strict=True):
            start = position - len(own)
            if start >= 0 and before >> start & 1 and text.words[start:position] == own:
                position = start  # a group that can be there is
            else:
                absent.append(own)
        return tuple(reversed(absent))
