"""The report on a gold file: what its reader had to mend, what its annotation may have wrong, its statistics."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import cast

from data.command_line import table
from data.formats.textfile import DEFAULT_ENCODING, decode, is_file, read_bytes, sha256
from data.linting import checks
from data.linting.checks import Finding
from data.linting.published import PUBLISHED, Published, Row, number, table5_rows, table18_rows
from data.linting.shapes import AnnotationJson, LintJson, PublishedFigureJson, StatisticsJson
from data.linting.statistics import Statistics, statistics
from data.model import Benchmark
from data.problems import Diagnostics, InputError
from data.text import printable


@dataclass(frozen=True)
class Report:
    """All that was found in a gold file; `unpaired` are sentences that the other annotation does not have."""

    benchmark: Benchmark
    findings: tuple[Finding, ...]
    statistics: Statistics
    against: Benchmark | None = None
    unpaired: tuple[str, ...] = ()
    published: Published | None = None
    table5: tuple[Row, ...] = ()
    table18: tuple[Row, ...] = ()

    @property
    def warned(self) -> bool:
        """Whether a check that is more than informational has a hit."""
        return any(finding.hits for finding in self.findings if finding.check.level == "warning")


def lint(
    benchmark: Benchmark,
    diagnostics: Diagnostics | None = None,
    against: Benchmark | None = None,
    encoding: str = DEFAULT_ENCODING,
) -> Report:
    """Check a benchmark; `diagnostics` are those of its reading, `against` is another annotation of its sentences."""
    unpaired: tuple[str, ...] = ()
    if against is not None:
        pairs = checks.pair_sentences(benchmark, against)
        if not pairs:
            message = f"no sentence of {against.name} has the text or the id of one of {benchmark.name}"
            raise InputError(message + "; --against needs another annotation of the same sentences")
        unpaired = tuple(sentence.id for sentence in benchmark if sentence.id not in pairs)
    problems = diagnostics.problems if diagnostics else []
    findings = checks.check(benchmark, problems, _text(benchmark, encoding), against)
    counted = statistics(benchmark)
    published = PUBLISHED.get(benchmark.source.sha256) if benchmark.source else None
    if published is None:
        return Report(benchmark, findings, counted, against, unpaired)
    rows5 = table5_rows(benchmark, findings, counted, published)
    rows18 = table18_rows(benchmark, findings, against, published)
    return Report(benchmark, findings, counted, against, unpaired, published, rows5, rows18)


def _text(benchmark: Benchmark, encoding: str) -> str:
    """The text that the warnings' line numbers count in; formats without such lines have none."""
    if benchmark.source is None or not is_file(benchmark.source.path):
        return ""
    content = read_bytes(benchmark.source.path)
    return decode(content, benchmark.source.path, encoding) if sha256(content) == benchmark.source.sha256 else ""


def as_json(report: Report) -> LintJson:
    """All of a report as JSON values."""
    return {
        "gold": _origin(report.benchmark),
        "against": _origin(report.against) if report.against else None,
        "unpaired": list(report.unpaired),
        "statistics": cast(StatisticsJson, asdict(report.statistics)),
        "checks": [
            {
                "name": finding.check.name,
                "level": finding.check.level,
                "meaning": finding.check.meaning,
                "hits": len(finding.hits),
                "sentences": finding.sentences,
                "found": [
                    {
                        "sentence_id": hit.sentence_id,
                        "clusters": list(hit.clusters),
                        "text": hit.text,
                        "line": hit.line,
                    }
                    for hit in finding.hits
                ],
            }
            for finding in report.findings
        ],
        "published": {
            "name": report.published.name,
            "table5": [_row_json(row) for row in report.table5],
            "table18": [_row_json(row) for row in report.table18],
        }
        if report.published
        else None,
    }


def _origin(benchmark: Benchmark) -> AnnotationJson:
    source = benchmark.source
    return {
        "name": benchmark.name,
        "path": str(source.path) if source else None,
        "sha256": source.sha256 if source else None,
    }


def _row_json(row: Row) -> PublishedFigureJson:
    return {
        "name": row.name,
        "ours": row.ours,
        "paper": row.paper,
        "readings": [{"reading": label, "value": value} for label, value in row.readings],
        "note": row.note,
    }


def as_text(report: Report, shown: int | None = 3) -> str:
    """A report to read: statistics, published figures, checks, and some examples of each (`None`: all)."""
    parts = [_statistics_text(report)]
    if report.published:
        parts.append(_published_text(report))
    rows = [["check", "level", "meaning", "hits", "sentences"]]
    for finding in report.findings:
        check = finding.check
        rows.append([check.name, check.level, check.meaning, str(len(finding.hits)), str(finding.sentences)])
    parts.append(table(rows, left=3))
    if report.unpaired:
        some = ", ".join(report.unpaired[:5]) + ", ..." * (len(report.unpaired) > 5)
        parts.append(f"{len(report.unpaired)} sentences have no counterpart and were not compared: {some}")
    parts.extend(_examples(finding, shown) for finding in report.findings if finding.hits and shown != 0)
    return "\n\n".join(parts)


def _statistics_text(report: Report) -> str:
    rows = [[report.benchmark.name, "value"]]
    rows += [[name.replace("_", " "), number(value)] for name, value in asdict(report.statistics).items()]
    return table(rows)


def _published_text(report: Report) -> str:
    assert report.published is not None
    blocks = []
    for title, figures in (("Table 5", report.table5), ("Table 18, sentences", report.table18)):
        rows = [[f"{report.published.name}, {title}", "ours", "paper"]]
        rows += [[row.name.replace("_", " "), number(row.ours), row.paper] for row in figures]
        notes = [f"  {row.name.replace('_', ' ')}: {row.note}" for row in figures if row.note]
        blocks.append("\n".join([table(rows), *notes]))
    return "\n\n".join(blocks)


def _examples(finding: Finding, shown: int | None) -> str:
    lines = [f"{finding.check.name}:"]
    for hit in finding.hits[:shown]:
        clusters = f" cluster {' and '.join(hit.clusters)}" if hit.clusters else ""
        line = f" line {hit.line}" if hit.line else ""
        place = f"sentence {hit.sentence_id}" if hit.sentence_id else "file"
        lines.append(f"  {place}{clusters}{line}: {printable(hit.text)}".rstrip(": "))
    more = len(finding.hits) - len(finding.hits[:shown])
    if more:
        lines.append(f"  ... and {more} more (--show all)")
    return "\n".join(lines)
