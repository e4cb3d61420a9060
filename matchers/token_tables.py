"""The tables of the token-level benchmarks on their own data, with the columns that their authors print.

WiRe57's gold knows inferred words and further arguments, and CaRB's knows contexts, which a benchmark of clusters does
not: so both are read from their own files here. Each system has four sums a sentence, as everywhere, for intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy

from data.model import Benchmark, Extraction, System
from matchers.scoring import Score
from matchers.token_scorers import Statistics, TokenScorer, score_of

WIRE57, CARB = "wire57", "benchie_carb"
Column = int | float | None


@dataclass(frozen=True)
class TokenRow:
    """A system's row: its score, the sums of each sentence, and further columns by name, in the order of print."""

    name: str
    extractions: int
    score: Score
    statistics: Statistics
    columns: dict[str, Column] = field(default_factory=dict)


def is_token_table(dataset: str | None, matcher: str) -> bool:
    """Whether a data set and a matcher's name ask for fractions of words in place of matches."""
    return matcher.partition(":")[0] == "carb" or (dataset == WIRE57 and matcher == "wire57")


def token_rows(
    benchmark: Benchmark,
    matcher: str,
    dataset: str | None = None,
    data: Path | None = None,
    given: Collection[str] = (),
    keep: Callable[[Extraction], bool] = lambda _: True,
    nary: str = "join",
) -> list[TokenRow]:
    """The systems' rows, best first; `given` are systems that are not those of the data set's own file.

    What `keep` refuses was left out of the benchmark's systems and is left out of WiRe57's own file too.
    """
    if dataset == WIRE57 and matcher == "wire57":
        rows = wire57_rows(benchmark, data, given, keep, nary)
    elif dataset == CARB and matcher == "carb":
        rows = carb_rows(benchmark, data)
    else:
        from matchers.token_scorers import load_scorer

        rows = scorer_rows(benchmark, load_scorer(matcher))
    return sorted(rows, key=lambda row: (-row.score.f1, row.name))


def _file(name: str, data: Path | None, which: Callable[[Any], str]) -> Path:
    from data.catalog import DATASETS, find

    root = find(name, data)
    assert root is not None  # the benchmark was loaded from there
    return root / which(DATASETS[name])


def wire57_rows(
    benchmark: Benchmark,
    data: Path | None,
    given: Collection[str],
    keep: Callable[[Extraction], bool] = lambda _: True,
    nary: str = "join",
) -> list[TokenRow]:
    """The rows of WiRe57's Table 3."""
    from data.wire57 import Wire57Extraction, plain_extraction, read_wire57_extractions, read_wire57_gold
    from matchers.wire57 import wire57_results

    gold = read_wire57_gold(_file(WIRE57, data, lambda dataset: dataset.gold))
    published = read_wire57_extractions(_file(WIRE57, data, lambda dataset: dataset.extra[0]))
    by_system: dict[str, list[Wire57Extraction]] = {system.name: [] for system in benchmark.systems}
    for found in published:
        ours = found.system in by_system and found.system not in given
        if ours and (nary == "join" or not found.further) and keep(plain_extraction(found)):
            by_system[found.system].append(found)
    for system in benchmark.systems:
        if system.name in given:
            by_system[system.name].extend(
                Wire57Extraction(e.sentence_id, system.name, *e.slots) for e in system.extractions
            )
    rows = []
    for name, own in by_system.items():
        table = numpy.zeros((len(gold), 4))
        for number, sentence in enumerate(gold):
            part = [extraction for extraction in own if extraction.sentence_id == sentence.id]
            tuples = len(sentence.tuples)
            table[number, 3] = tuples
            if part:
                score = wire57_results([sentence], part)[name].score
                table[number, :3] = score.precision * len(part), len(part), score.recall * tuples
        result = wire57_results(gold, own).get(name)
        rows.append(
            TokenRow(
                name,
                len(own),
                result.score if result else Score(0.0, 0.0, 0.0),
                table,
                {
                    "matches": result.matches if result else 0,
                    "exact": result.exact if result else 0,
                    "precision_of_matches": result.precision_of_matches if result else 0.0,
                    "recall_of_matches": result.recall_of_matches if result else 0.0,
                },
            )
        )
    return rows


def carb_rows(benchmark: Benchmark, data: Path | None) -> list[TokenRow]:
    """CaRB's scores against its own tuples: at the threshold of the best F1, and the area, if there are confidences."""
    from data.carb import read_carb
    from matchers.carb import carb_result, golds_by_id, row_of, table_of

    texts = {sentence.id: sentence.text for sentence in benchmark.sentences}
    golds = golds_by_id(read_carb(_file(CARB, data, lambda dataset: dataset.gold)), texts)
    rows = []
    for system in benchmark.systems:
        result = carb_result(golds, system)
        table = numpy.zeros((len(benchmark.sentences), 4))
        for number, sentence in enumerate(benchmark.sentences):
            if sentence.id in golds:
                chosen = _above(system, sentence.id, result.threshold)
                facts = [[gold] for gold in golds[sentence.id]]
                table[number] = row_of(table_of(chosen, facts), range(len(chosen)))
        columns: dict[str, Column] = {"auc": result.auc, "threshold": result.threshold, "left_out": result.left_out}
        rows.append(TokenRow(system.name, result.extractions, result.score, table, columns))
    return rows


def _above(system: System, sentence_id: str, threshold: float | None) -> list[Extraction]:
    found = system.by_sentence.get(sentence_id, ())
    return [e for e in found if threshold is None or (e.confidence is not None and e.confidence >= threshold)]


def scorer_rows(benchmark: Benchmark, scorer: TokenScorer) -> list[TokenRow]:
    """The scores of any benchmark by a token scorer."""
    found = scorer.statistics(benchmark)
    return [
        TokenRow(system.name, len(system.extractions), score_of(found[system.name]), found[system.name])
        for system in benchmark.systems
    ]


def token_json(
    benchmark: Benchmark, matcher: str, rows: Sequence[TokenRow], resamples: int, seed: int, settings: dict[str, str]
) -> dict[str, Any]:
    """The rows as JSON, in the shape of `matchers.score`, with the table's own columns."""
    from matchers.bootstrap import difference_p, interval, resampled_scores
    from matchers.signature import gold_hash, signed

    resampled = resampled_scores([row.statistics for row in rows], resamples, seed)
    systems = []
    for rank, row in enumerate(rows):
        bounds = [interval(resampled[:, rank, column]) for column in range(3)]
        scores = {"precision": row.score.precision, "recall": row.score.recall, "f1": row.score.f1}
        systems.append(
            {
                "name": row.name,
                "extractions": row.extractions,
                **row.columns,
                **scores,
                "intervals": {name: [bound.low, bound.high] for name, bound in zip(scores, bounds, strict=True)},
                "p_to_previous": difference_p(resampled[:, rank - 1, 2], resampled[:, rank, 2]) if rank else None,
            }
        )
    source = benchmark.source
    signature = signed(benchmark, {"matcher": matcher}, **settings, resamples=resamples, seed=seed)
    return {
        "signature": str(signature),
        "matcher": matcher,
        **({"facet": settings["facet"]} if settings["facet"] != "default" else {}),
        "gold": {
            "path": str(source.path) if source else benchmark.name,
            "sha256": source.sha256 if source else gold_hash(benchmark),
            "sentences": len(benchmark.sentences),
            "clusters": benchmark.cluster_count,
        },
        "systems": systems,
    }


_HEADS = {
    "precision_of_matches": "P of matches",
    "recall_of_matches": "R of matches",
    "auc": "AUC",
    "left_out": "left out",
}
_OUTSIDE = ("name", "precision", "recall", "f1", "intervals", "p_to_previous")


def own_columns(result: dict[str, Any]) -> list[str]:
    """The columns of a table that not every scorer has."""
    return [name for name in result["systems"][0] if name not in _OUTSIDE]


def title_of(column: str) -> str:
    """The head of a column."""
    return _HEADS.get(column, column)


def token_table(result: dict[str, Any], significant: float = 0.05) -> str:
    """The rows as a table."""
    from data.commands import table

    own = own_columns(result)
    rows = [["system", "", *map(title_of, own), "P", "R", "F1", "95 % of F1"]]
    for system in result["systems"]:
        low, high = system["intervals"]["f1"]
        tie = system["p_to_previous"] is not None and system["p_to_previous"] >= significant
        cells = [shown_value(system[name]) for name in (*own, "precision", "recall", "f1")]
        rows.append([system["name"], "=" if tie else "", *cells, f"[{low:.3f}, {high:.3f}]"])
    gold = result["gold"]
    variant = f", facet {result['facet']}" if "facet" in result else ""
    return "\n".join(
        [
            f"{gold['sentences']} sentences, {gold['clusters']} facts, scored by words: {result['matcher']}{variant}",
            "",
            table(rows, left=2),
            "",
            "= not significantly different from the system above (paired bootstrap over sentences, p >= 0.05)",
            result["signature"],
        ]
    )


def shown_value(value: Column) -> str:
    """A column's value as text."""
    return "-" if value is None else str(value) if isinstance(value, int) else f"{value:.4f}"


def token_csv(result: dict[str, Any]) -> str:
    """The rows as CSV."""
    import csv
    import io

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    rates = ("precision", "recall", "f1")
    own = own_columns(result)
    writer.writerow(["system", *own, *(f"{name}{suffix}" for name in rates for suffix in ("", "_low", "_high"))])
    for system in result["systems"]:
        values = [value for name in rates for value in (system[name], *system["intervals"][name])]
        writer.writerow([system["name"], *(system[name] for name in own), *values])
    return stream.getvalue()
