"""The results of the scoring command: what became of each extraction, and scores as JSON, table and CSV."""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Sequence
from typing import Any

from data.commands import table
from data.model import Benchmark
from matchers.bootstrap import difference_p, interval, resampled_scores
from matchers.checkpoints import seen_sentences
from matchers.interface import Assignment, Matcher
from matchers.scoring import SystemScore, ranked
from matchers.signature import gold_hash, signature
from matchers.variants import variant_settings

SIGNIFICANT = 0.05


def match_lines(system: str, assignment: Assignment) -> list[dict[str, Any]]:
    """What became of each extraction: the clusters it was credited with, or null and why not."""
    lines = []
    proposed = {candidate.extraction: candidate for candidate in sorted(assignment.candidates, key=lambda c: c.score)}
    for index, extraction in enumerate(assignment.extractions):
        matches = assignment.of(index)
        best = proposed.get(index)
        line: dict[str, Any] = {
            "sentence_id": extraction.sentence_id,
            "system": system,
            "arg1": extraction.arg1,
            "relation": extraction.relation,
            "arg2": extraction.arg2,
            "cluster": matches[0].cluster if matches else None,
            "score": round(matches[0].score if matches else best.score if best else 0.0, 6),
            "rule": matches[0].reason.rule if matches else "repeat" if best else None,
            "explanation": "no rule or model matches it to a cluster",
        }
        if matches:
            line["explanation"] = str(matches[0].reason)
            line["clusters"] = [match.cluster for match in matches]
        elif best:
            cluster = assignment.sentence.clusters[best.cluster].id
            line["explanation"] = f"{best.reason}, but cluster {cluster} is credited to a closer extraction"
        lines.append(line)
    return lines


def as_json(
    benchmark: Benchmark, matcher: Matcher, scores: Sequence[SystemScore], options: argparse.Namespace
) -> dict[str, Any]:
    """The scores as JSON, the best system first."""
    order = ranked(scores)
    resampled = resampled_scores([system.counts for system in order], options.resamples, options.seed)
    systems = []
    for rank, system in enumerate(order):
        score = system.score
        bounds = [interval(resampled[:, rank, column]) for column in range(3)]
        p = difference_p(resampled[:, rank - 1, 2], resampled[:, rank, 2]) if rank else None
        systems.append(
            {
                "name": system.name,
                "extractions": system.extractions,
                "matched": system.matched,
                "clusters_covered": system.clusters_covered,
                "precision": score.precision,
                "recall": score.recall,
                "f1": score.f1,
                "intervals": {
                    name: [bound.low, bound.high]
                    for name, bound in zip(("precision", "recall", "f1"), bounds, strict=True)
                },
                "p_to_previous": p,
            }
        )
    variant = variant_settings(benchmark, options)
    settings = {"duplicates": options.duplicates, **variant, "resamples": options.resamples, "seed": options.seed}
    source = benchmark.source
    return {
        "signature": str(signature(benchmark, matcher, **settings)),
        "matcher": matcher.name,
        **({"facet": variant["facet"]} if variant["facet"] != "default" else {}),
        "gold": {
            "path": str(source.path) if source else benchmark.name,
            "sha256": source.sha256 if source else gold_hash(benchmark),
            "sentences": len(benchmark.sentences),
            "clusters": benchmark.cluster_count,
            **seen_in_training(matcher, benchmark),
        },
        "systems": systems,
    }


def seen_in_training(matcher: Matcher, benchmark: Benchmark) -> dict[str, int]:
    """How many sentences a checkpoint was trained on, for the report; nothing if it has seen none."""
    seen = seen_sentences(matcher, benchmark)
    return {"seen_in_training": seen} if seen else {}


def as_table(result: dict[str, Any]) -> str:
    """The scores as a table, with a mark on systems that are not significantly worse than the one above."""
    rows = [["system", "", "P", "R", "F1", "95 % of F1", "extractions", "matched", "clusters"]]
    for system in result["systems"]:
        low, high = system["intervals"]["f1"]
        tie = system["p_to_previous"] is not None and system["p_to_previous"] >= SIGNIFICANT
        rows.append(
            [
                system["name"],
                "=" if tie else "",
                *(f"{system[name]:.4f}" for name in ("precision", "recall", "f1")),
                f"[{low:.3f}, {high:.3f}]",
                *(str(system[name]) for name in ("extractions", "matched", "clusters_covered")),
            ]
        )
    gold = result["gold"]
    seen = f" ({gold['seen_in_training']} sentences seen in training)" if "seen_in_training" in gold else ""
    facet = f", facet {result['facet']}" if "facet" in result else ""
    return "\n".join(
        [
            f"{gold['sentences']} sentences, {gold['clusters']} clusters, matcher {result['matcher']}{facet}{seen}",
            "",
            table(rows, left=2),
            "",
            "= not significantly different from the system above (paired bootstrap over sentences, p >= 0.05)",
            result["signature"],
        ]
    )


def as_csv(result: dict[str, Any]) -> str:
    """The scores as CSV."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = ("precision", "recall", "f1")
    counts = ("extractions", "matched", "clusters_covered")
    writer.writerow(["system", *counts, *(f"{name}{suffix}" for name in names for suffix in ("", "_low", "_high"))])
    for system in result["systems"]:
        values = [value for name in names for value in (system[name], *system["intervals"][name])]
        writer.writerow([system["name"], *(system[name] for name in counts), *values])
    return stream.getvalue()
