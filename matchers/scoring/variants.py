"""Variants of a scoring run: facet and thinness of the gold, which extractions count, the language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from data.languages import is_english, tokenised
from data.problems import InputError
from data.thinning import FULL, Thinness, thin
from matchers.interface import Matcher
from matchers.scoring.facets import FACETS, Facet, facet_label, faceted
from matchers.text.implicit import Implicit, without_implicit
from matchers.text.named_entities import NamedEntities, only_gold_arguments

if TYPE_CHECKING:
    from data.formats.reading import Nary
    from data.model import Benchmark
    from data.problems import Diagnostics
    from matchers.counts import Scorer

LANGUAGE = "language"
FACET = "facet"
CAUTION = "caution"


@dataclass(frozen=True)
class Variant:
    """What of a benchmark is scored: a facet of its gold, with n-ary and implicit extractions or without.

    `thinness` says how many formulations of a cluster the gold keeps. `facet_gold` is the hand-made gold of facet E,
    which is derived by a rule otherwise. `nary` says what was done with n-ary extractions when they were read. Without
    a `language`, the benchmark's is taken.
    """

    facet: Facet = "default"
    facet_gold: Benchmark | None = None
    nary: Nary = "join"
    implicit: Implicit = "keep"
    language: str | None = None
    thinness: Thinness = FULL
    named_entities: NamedEntities = "any"

    def __post_init__(self) -> None:
        if self.facet not in FACETS:
            raise InputError(f"no facet is called {self.facet!r}; they are {', '.join(FACETS)}")
        if self.facet_gold is not None and self.facet != "E":
            raise InputError("a gold of its own is that of facet E; name the facet too")

    @property
    def label(self) -> str:
        """What the facet is called in results."""
        return facet_label(self.facet, self.facet_gold is not None)

    @property
    def is_local(self) -> bool:
        """Whether each sentence has its variant without a look at the others, and no note says how many changed."""
        return self.facet_gold is None and self.implicit == "keep" and self.named_entities == "any"

    def settings(self, benchmark: Benchmark) -> dict[str, str]:
        """What the signature says of the variant."""
        return {
            "facet": self.label,
            "formulations": str(self.thinness),
            "nary": self.nary,
            "implicit": self.implicit,
            "language": benchmark.language,
            **({"named_entities": self.named_entities} if self.named_entities != "any" else {}),
        }


def as_variant(benchmark: Benchmark, variant: Variant, notes: Diagnostics) -> Benchmark:
    """The benchmark in a variant; what the user should know of it goes to the notes."""
    benchmark = tokenised(benchmark, variant.language or benchmark.language)
    if variant.implicit == "drop":
        benchmark = without_implicit(benchmark, notes)
    if variant.named_entities == "gold":
        benchmark = only_gold_arguments(benchmark, notes)
    gold = variant.facet_gold
    if variant.facet == "E" and gold is None and not is_english(benchmark):
        message = f"facet E is derived by English prepositions, but the language is {benchmark.language}"
        notes.warn(LANGUAGE, message + "; give its gold with --facet-gold")
    gold = gold and tokenised(gold, benchmark.language)
    return thin(faceted(benchmark, variant.facet, gold), variant.thinness)


def note_limits(benchmark: Benchmark, scorer: Matcher | Scorer, facet: Facet, notes: Diagnostics) -> None:
    """Say once what a matcher or scorer can't do on this benchmark."""
    if scorer.english and not is_english(benchmark):
        message = f"the language is {benchmark.language}, but these are English in the matcher {scorer.name}"
        notes.warn(LANGUAGE, f"{message}: {scorer.english}; it may find less")
    if isinstance(scorer, Matcher) and scorer.caution:
        notes.warn(CAUTION, scorer.caution)
    if facet == "C" and isinstance(scorer, Matcher):
        if scorer.name == "rules" or {"af", "lod"} & set(scorer.name.split("+")):
            notes.warn(FACET, "facet C has no borders of slots, on which AF and LoD depend; they don't fire")
        elif scorer.hash:
            notes.warn(FACET, f"facet C has no slots, and {scorer.name} was trained on extractions that have them")
