"""Variants of a scoring run: the facet of the gold, which extractions count, the language; flags and signature."""

from __future__ import annotations

import argparse
from pathlib import Path

from data.languages import is_english, tokenised
from data.model import Benchmark
from data.problems import Diagnostics
from matchers.facets import FACETS, facet_label, faceted
from matchers.filters import without_implicit
from matchers.interface import Matcher

LANGUAGE = "language"
FACET = "facet"
USUAL = {"facet": "default", "nary": "join", "implicit": "keep"}


def add_variant_flags(command: argparse.ArgumentParser) -> None:
    """The flags that choose a variant."""
    command.add_argument(
        "--facet",
        choices=FACETS,
        default="default",
        help="BenchIE's facets: C ignores borders of slots, M allows no optional words, E wants whole entities",
    )
    command.add_argument(
        "--facet-gold", type=Path, metavar="FILE", help="the gold of --facet E (default: derived by a rule, E-derived)"
    )
    command.add_argument(
        "--nary", choices=["join", "drop"], default="join", help="join further arguments to the second, or drop n-ary"
    )
    command.add_argument(
        "--implicit", choices=["keep", "drop"], default="keep", help="drop extractions with words not in the sentence"
    )
    command.add_argument(
        "--language", metavar="CODE", help="language of the texts (default: the data set's, else en); zh is split"
    )


def check_variant(command: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuse flags that contradict each other."""
    if options.facet_gold and options.facet != "E":
        command.error("--facet-gold is the gold of --facet E; give that too")


def as_variant(
    benchmark: Benchmark, options: argparse.Namespace, diagnostics: Diagnostics, notes: Diagnostics
) -> Benchmark:
    """The benchmark in the variant that is asked for; n-ary extractions were seen to when they were read.

    Defects of the facet's gold go to `diagnostics`, and what the user should know of the variant to `notes`.
    """
    benchmark = tokenised(benchmark, options.language or benchmark.language)
    if options.implicit == "drop":
        benchmark = without_implicit(benchmark, notes)
    if options.facet == "E" and not options.facet_gold and not is_english(benchmark):
        message = f"facet E is derived by English prepositions, but the language is {benchmark.language}"
        notes.warn(LANGUAGE, message + "; give its gold with --facet-gold")
    gold = _facet_gold(options, benchmark.language, diagnostics) if options.facet_gold else None
    return faceted(benchmark, options.facet, gold)


def _facet_gold(options: argparse.Namespace, language: str, diagnostics: Diagnostics) -> Benchmark:
    from data.formats import read_any_gold

    return tokenised(read_any_gold(options.facet_gold, diagnostics, options.encoding), language)


def note_language(benchmark: Benchmark, matcher: str, english: str, notes: Diagnostics) -> None:
    """Say what of a matcher is bound to English, if the benchmark is not."""
    if english and not is_english(benchmark):
        message = f"the language is {benchmark.language}, but these are English in the matcher {matcher}"
        notes.warn(LANGUAGE, f"{message}: {english}; it may find less")


def note_limits(benchmark: Benchmark, matcher: Matcher, facet: str, notes: Diagnostics) -> None:
    """Say once what a matcher can't do on this benchmark."""
    note_language(benchmark, matcher.name, matcher.english, notes)
    if facet == "C":
        if matcher.name == "rules" or {"af", "lod"} & set(matcher.name.split("+")):
            notes.warn(FACET, "facet C has no borders of slots, on which AF and LoD depend; they don't fire")
        elif matcher.hash:
            notes.warn(FACET, f"facet C has no slots, and {matcher.name} was trained on extractions that have them")


def variant_settings(benchmark: Benchmark, options: argparse.Namespace | None = None) -> dict[str, str]:
    """What the signature says of the variant; without options, that of the usual one."""
    if options is None:
        return {**USUAL, "language": benchmark.language}
    return {
        "facet": facet_label(options.facet, options.facet_gold is not None),
        "nary": options.nary,
        "implicit": options.implicit,
        "language": benchmark.language,
    }
