"""The published figures of gold files beside ours: Tables 5 and 18 of Lamarche and Langlais, with other readings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from data.formats import benchie
from data.linting import checks
from data.linting import same_fact as comparisons
from data.linting.checks import Finding
from data.linting.statistics import Statistics
from data.model import Benchmark


@dataclass(frozen=True)
class Published:
    """A published gold file by its hash, with the figures of Lamarche and Langlais as they print them."""

    name: str
    sha256: str
    table5: dict[str, str]
    table18: dict[str, str]


_ROWS = ("clusters", "clusters_per_sentence", "formulations_per_cluster", "formulation_length", "relation_length")
_PROXIES = (checks.DOUBLE.name, checks.MEANING.name, checks.MISSING.name)


def _published(name: str, digest: str, table5: Sequence[str], table18: Sequence[str]) -> Published:
    return Published(name, digest, dict(zip(_ROWS, table5, strict=True)), dict(zip(_PROXIES, table18, strict=True)))


PUBLISHED = {
    published.sha256: published
    for published in (
        _published(
            "BenchIE^FL",
            "82debf3794e175243c90e7a0cdbc699a1a9eebb2026b8f0c042b8cdbb961ea34",
            ("1798", "6", "3", "10.6", "3.9"),
            ("5", "26", "68"),
        ),
        _published(
            "BenchIE",
            "a5107265bd81e53e87952e3202ca366fe43b7f0f8ec8de4f8e047f7bf44bd916",
            ("1354", "4.5", "6", "12.5", "4.0"),
            ("135", "55", "17"),
        ),
    )
}


@dataclass(frozen=True)
class Row:
    """A figure of ours beside the paper's, with other ways to read the paper's definition."""

    name: str
    ours: float
    paper: str
    readings: tuple[tuple[str, float], ...] = ()

    def agrees(self, value: float) -> bool:
        """Whether a value is the paper's at the digits that the paper prints.

        >>> Row("length", 10.04, "10.0").agrees(10.04), Row("length", 10.06, "10.0").agrees(10.06)
        (True, False)
        """
        decimals = len(self.paper.partition(".")[2])
        return f"{value:.{decimals}f}" == self.paper

    @property
    def note(self) -> str:
        """Which reading gives the paper's figure, where ours does not."""
        if self.agrees(self.ours):
            return ""
        for label, value in self.readings:
            if self.agrees(value):
                return f"paper's figure if read as: {label}"
        tried = (("ours", self.ours), *self.readings)
        label, value = min(tried, key=lambda reading: abs(reading[1] - float(self.paper)))
        return f"cause not found (docs/lint.md says what was tried); the nearest shown here is {number(value)}: {label}"


def number(value: float | None) -> str:
    """A count as it is, a mean with two decimals, nothing as a dash."""
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.2f}"


def table5_rows(
    benchmark: Benchmark, findings: Sequence[Finding], statistics: Statistics, published: Published
) -> tuple[Row, ...]:
    """The statistics beside those of Table 5."""
    hits = {finding.check.name: len(finding.hits) for finding in findings}
    total = statistics.clusters
    empty = hits[checks.NO_CLUSTER.name]
    per_sentence = [list(dict.fromkeys(f for c in s.clusters for f in c.formulations)) for s in benchmark]
    lengths = [sum(len(slot.words) for slot in f.slots) for formulations in per_sentence for f in formulations]
    clusters = [c for s in benchmark for c in s.clusters if c.formulations]
    of_clusters = [
        sum(len(slot.words) for f in c.formulations for slot in f.slots) / len(c.formulations) for c in clusters
    ]
    filled = [max(1, len(slot.words)) for c in clusters for f in c.formulations for slot in f.slots]
    readings: dict[str, list[tuple[str, float | None]]] = {
        "clusters": [
            ("each sentence without cluster counted as one cluster", total + empty),
            ("headers only", total - hits[benchie.HEADLESS]),
            ("clusters of one number in a sentence counted once", total - hits[benchie.HEADER_NUMBER]),
        ],
        "formulation_length": [
            ("without optional words", statistics.required_formulation_length),
            ("an empty slot counted as one word", 3 * sum(filled) / len(filled)),
            ("each formulation of a sentence counted once", sum(lengths) / len(lengths)),
            ("mean of the clusters' means", sum(of_clusters) / len(of_clusters)),
        ],
        "relation_length": [("without optional words", statistics.required_relation_length)],
    }
    ours = asdict(statistics)
    return tuple(
        Row(name, ours[name], paper, tuple((label, v) for label, v in readings.get(name, []) if v is not None))
        for name, paper in published.table5.items()
    )


def table18_rows(
    benchmark: Benchmark, findings: Sequence[Finding], against: Benchmark | None, published: Published
) -> tuple[Row, ...]:
    """The proxies for annotation errors beside those of Table 18."""
    counts = {finding.check.name: finding.sentences for finding in findings}
    clusters = {sentence.id: comparisons.views(sentence) for sentence in benchmark}

    def sentences(hits: Callable[..., Any], *arguments: Any) -> int:
        return sum(any(True for _ in hits(s, clusters[s.id], *arguments)) for s in benchmark)

    rows = [
        Row(
            checks.DOUBLE.name,
            counts[checks.DOUBLE.name],
            published.table18[checks.DOUBLE.name],
            (
                ("slots joined", counts[checks.JOINED.name]),
                (
                    "slots joined, optional words dropped",
                    sentences(checks.clusters_in_common, comparisons.same_required),
                ),
            ),
        ),
        Row(
            checks.MEANING.name,
            counts[checks.MEANING.name],
            published.table18[checks.MEANING.name],
            (
                (
                    "second arguments without a required word in common",
                    sentences(checks.clusters_of_two_meanings, comparisons.disjoint_argument),
                ),
            ),
        ),
    ]
    # The paper compares the two published files with each other, and no others.
    if against is not None and against.source and against.source.sha256 in PUBLISHED.keys() - {published.sha256}:
        pairs = checks.pair_sentences(benchmark, against)
        others = {sentence_id: comparisons.views(sentence) for sentence_id, sentence in pairs.items()}

        def missing(same: comparisons.Test) -> int:
            return sum(
                any(True for _ in checks.clusters_missing(s, clusters[s.id], others[s.id], same))
                for s in benchmark
                if s.id in others
            )

        rows.append(
            Row(
                checks.MISSING.name,
                counts[checks.MISSING.name],
                published.table18[checks.MISSING.name],
                (
                    ("no shared resolution, slots joined", missing(comparisons.same_joined)),
                    ("as ours, function words left out", missing(comparisons.content_included)),
                ),
            )
        )
    return tuple(rows)
