"""The levels of thinness under which matchers are compared, from all formulations of a fact to one of them."""

from __future__ import annotations

from dataclasses import dataclass

from data.thinning import ALL, FIRST, RANDOM, Thinness

DRAWS = 5  # of `random`


@dataclass(frozen=True)
class Level:
    """A level by its name, and the golds whose mean it is: one, or several draws."""

    name: str
    draws: tuple[Thinness, ...]


def thin_levels(seed: int = 1) -> tuple[Level, ...]:
    """All formulations, the first 3, the first 2, the first, and one at random: several draws, the first by this seed.

    >>> [level.name for level in thin_levels()]
    ['all', '3', '2', 'first', 'random']
    >>> [str(draw) for draw in thin_levels(7)[-1].draws]
    ['random-7', 'random-8', 'random-9', 'random-10', 'random-11']
    """
    kept = tuple(Level(name, (Thinness.of(name),)) for name in (ALL, "3", "2", FIRST))
    return (*kept, Level(RANDOM, tuple(Thinness.of(RANDOM, seed + number) for number in range(DRAWS))))


def signed_levels(levels: tuple[Level, ...]) -> str:
    """The levels for a signature.

    >>> signed_levels(thin_levels())
    'all+3+2+first+random-1+random-2+random-3+random-4+random-5'
    """
    return "+".join(str(draw) for level in levels for draw in level.draws)
