"""The profiling command: which slots systems get wrong, in which sentences they fail, how long extractions are."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data.catalog import NAMES
from data.commands import add_reading_flags, check_stdout, parser, run, table, write_json, write_output
from data.languages import is_english
from data.model import SLOT_NAMES
from data.problems import Diagnostics
from matchers.variants import add_variant_flags, as_variant, check_variant, note_limits, variant_settings

if TYPE_CHECKING:
    from data.model import Benchmark
    from matchers.interface import Matcher
    from matchers.profiling import Profile, SystemProfile

ENGLISH_WORDS = "English word lists"
WORDS = "words"  # what conjunctions and case markers are counted with, if not a parse


def arguments_parser() -> argparse.ArgumentParser:
    """The command's flags."""
    command = parser(
        "matchers.profile",
        "Profile OIE systems: errors by slot, F1 by kind of sentence, lengths of extractions.",
        [
            "--dataset sample",
            "--dataset benchie_en --matcher em --duplicates ignore --json profile.json",
            "--gold gold.txt --system mine=mine.tsv --system other=other.jsonl",
            "--dataset sample --report page.html",
            "--dataset sample --bucket questions=my_buckets:questions  # a function of a sentence, in my_buckets.py",
            "--dataset sample --spacy en_core_web_sm",
        ],
    )
    gold = command.add_mutually_exclusive_group(required=True)
    gold.add_argument("--gold", type=Path, metavar="FILE", help="gold file; systems are looked for in its folder")
    gold.add_argument("--dataset", metavar="NAME", help=f"a folder, or one of {', '.join(NAMES)}")
    command.add_argument("--from", dest="gold_format", metavar="FORMAT", help="format of --gold (default: as it looks)")
    command.add_argument(
        "--system", action="append", default=[], metavar="NAME=FILE", help="extractions of a system; may be repeated"
    )
    command.add_argument("--beside", action="store_true", help="profile --system beside the systems that are found")
    command.add_argument("--confidence", choices=["none", "first", "last"], default="none", help="column of confidence")
    command.add_argument("--matcher", default="rules", metavar="NAME", help="rules (default), em+af, a checkpoint, ...")
    command.add_argument(
        "--duplicates",
        choices=["count", "ignore"],
        default="count",
        help="a repeated fact counts as wrong in F1, as in BenchIE^FL (default), or is ignored, as in BenchIE",
    )
    command.add_argument(
        "--spacy",
        metavar="MODEL",
        help="count conjunctions and case markers in this spaCy model's parse (default: with lists of words)",
    )
    command.add_argument(
        "--bucket",
        action="append",
        default=[],
        metavar="NAME=MODULE:FUNCTION",
        help="F1 by a function of your own, too, that names the bucket of a sentence; may be repeated",
    )
    command.add_argument("--resamples", type=int, default=1000, metavar="N", help="bootstrap resamples (default: 1000)")
    command.add_argument("--seed", type=int, default=1, help="seed of the resampling (default: 1)")
    command.add_argument("--json", metavar="FILE", help="write the profile as JSON (- for stdout)")
    command.add_argument("--report", metavar="FILE", help="write a page (HTML) with pictures of the profile")
    add_variant_flags(command)
    add_reading_flags(command)
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Profile systems."""
    from matchers import score

    command = arguments_parser()
    options = command.parse_args(arguments)
    check_stdout(command, options, "json", "report")
    check_variant(command, options)
    score.check_resampling(command, options)
    if options.facet == "C":
        command.error("facet C has no slots, so there is nothing to say of errors in them")
    from matchers.own_buckets import own_bucket
    from matchers.profiling import Resampling, profile
    from matchers.registry import load
    from matchers.sentence_counts import Parsed, default_buckets

    matcher = load(options.matcher)
    parsed = Parsed.of(options.spacy) if options.spacy else None
    buckets = dict(map(own_bucket, options.bucket))
    diagnostics, notes = Diagnostics(options.strict), Diagnostics()
    # what the scoring command alone can be asked for keeps its default
    reading = score.arguments_parser().parse_args(["--dataset", ""], argparse.Namespace(**vars(options)))
    reading.dataset = options.dataset
    benchmark = as_variant(score.load_benchmark(reading, diagnostics), options, diagnostics, notes)
    note_limits(benchmark, matcher, options.facet, notes)
    if not is_english(benchmark) and not parsed:
        message = f"conjunctions and case markers are counted by English words, but {benchmark.name} is not English"
        notes.warn(ENGLISH_WORDS, message + "; name a spaCy model with --spacy")
    if not options.quiet:
        diagnostics.show()
        notes.show()
    resampling = Resampling(options.resamples, options.seed)
    found = profile(benchmark, matcher, {**default_buckets(parsed), **buckets}, options.duplicates, resampling)
    counted = parsed.name if parsed else WORDS
    settings = {"duplicates": options.duplicates, **variant_settings(benchmark, options), "counted": counted}
    result = as_json(benchmark, matcher, found, {**settings, **vars(resampling)})
    if options.report:
        from matchers.profile_page import profile_page

        typed = score.command_line("matchers.profile", arguments)
        page = profile_page(benchmark, found, matcher.name, counted, result["signature"], typed)
        write_output(page, options.report)
    if options.json:
        write_json(result, options.json)
    if "-" not in (options.json, options.report):
        print(as_text(result))
    return 0


def as_json(benchmark: Benchmark, matcher: Matcher, found: Profile, settings: Mapping[str, object]) -> dict[str, Any]:
    """A profile as JSON; the settings are for its signature."""
    from matchers.signature import signature

    return {
        "signature": str(signature(benchmark, matcher, **settings)),
        "matcher": matcher.name,
        "gold": {"name": benchmark.name, "sentences": len(benchmark.sentences), "clusters": benchmark.cluster_count},
        "bucket_sizes": {name: dict(sizes) for name, sizes in found.sizes.items()},
        "systems": [_system_json(system) for system in found.systems],
    }


def _system_json(system: SystemProfile) -> dict[str, Any]:
    errors = system.errors
    return {
        "name": system.name,
        "extractions": system.extractions,
        **asdict(system.score),
        "errors": {
            "matched": errors.matched,
            "repeats": errors.repeats,
            "without_gold": errors.without_gold,
            "rejected": errors.rejected,
            "wrong": errors.wrong,
            "slots": errors.slots,
            "buckets": [
                {"right": list(bucket), "count": count, "share": errors.share(bucket)}
                for bucket, count in errors.buckets.items()
            ],
        },
        "words": asdict(system.lengths),
        "by_bucket": {
            name: {label: _score_json(system, name, label) for label in scores}
            for name, scores in system.by_bucket.items()
        },
    }


def _score_json(system: SystemProfile, name: str, label: str) -> dict[str, Any]:
    bounds = system.intervals[name].get(label)
    return {**asdict(system.by_bucket[name][label]), "f1_interval": [bounds.low, bounds.high] if bounds else None}


def as_text(result: dict[str, Any]) -> str:
    """A profile as tables."""
    systems = result["systems"]
    gold = result["gold"]
    parts = [
        f"{gold['sentences']} sentences, {gold['clusters']} clusters, matcher {result['matcher']}",
        "Wrong extractions by slot, and by the slots that are right (arg1, relation, arg2) in the closest formulation",
        table([_error_head(systems), *map(_error_row, systems)]),
    ]
    for name, sizes in result["bucket_sizes"].items():
        heads = [f"{label} ({size})" for label, size in sizes.items()]
        rows = [[system["name"], *_bucket_cells(system["by_bucket"][name], sizes)] for system in systems]
        parts += [
            f"F1 by {name} of the sentence, with its 95 % interval (in the head: sentences)",
            table([["system", *heads], *rows]),
        ]
    parts += [
        "Words of an extraction",
        table([["system", "mean", "median", "shortest", "longest"], *map(_length_row, systems)]),
        result["signature"],
    ]
    return "\n\n".join(parts)


def _bucket_cells(scores: dict[str, Any], sizes: dict[str, int]) -> list[str]:
    return [_f1_cell(scores[label]) if size else "-" for label, size in sizes.items()]


def _f1_cell(score: dict[str, Any]) -> str:
    low, high = score["f1_interval"]
    return f"{score['f1']:.3f} [{low:.2f}, {high:.2f}]"


def _error_head(systems: Sequence[dict[str, Any]]) -> list[str]:
    buckets = (bucket["right"] for bucket in systems[0]["errors"]["buckets"])
    return ["system", "wrong", *SLOT_NAMES, *(",".join(map(str, right)) for right in buckets)]


def _error_row(system: dict[str, Any]) -> list[str]:
    errors = system["errors"]
    shares = [*errors["slots"].values(), *(bucket["share"] for bucket in errors["buckets"])]
    return [system["name"], str(errors["wrong"]), *(f"{share:.2f}" for share in shares)]


def _length_row(system: dict[str, Any]) -> list[str]:
    words = system["words"]
    return [
        system["name"],
        f"{words['mean']:.1f}",
        f"{words['median']:g}",
        str(words["shortest"]),
        str(words["longest"]),
    ]


if __name__ == "__main__":
    raise SystemExit(run(main))
