"""Check a gold file: what its reader had to mend, what its annotation may have wrong, and its statistics."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from data import checks
from data.benchie import read_gold
from data.catalog import NAMES, load
from data.checks import Finding
from data.commands import add_quiet_flag, parser, run, table, write_json
from data.folder import ReadOptions
from data.gold_statistics import Statistics, statistics
from data.lint_published import PUBLISHED, Published, Row, number, table5_rows, table18_rows
from data.model import Benchmark
from data.problems import Diagnostics, InputError
from data.textfile import DEFAULT_ENCODING, decode, read_bytes, sha256

SHOWN = 3
EVERYTHING = "all"


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
    benchmark: Benchmark, diagnostics: Diagnostics | None = None, text: str = "", against: Benchmark | None = None
) -> Report:
    """Check a benchmark; `text` is that of its gold file and `against` another annotation of its sentences."""
    unpaired: tuple[str, ...] = ()
    if against is not None:
        pairs = checks.pair_sentences(benchmark, against)
        if not pairs:
            message = f"no sentence of {against.name} has the text or the id of one of {benchmark.name}"
            raise InputError(message + "; --against needs another annotation of the same sentences")
        unpaired = tuple(sentence.id for sentence in benchmark if sentence.id not in pairs)
    problems = diagnostics.problems if diagnostics else []
    findings = checks.check(benchmark, problems, text, against)
    counted = statistics(benchmark)
    published = PUBLISHED.get(benchmark.source.sha256) if benchmark.source else None
    if published is None:
        return Report(benchmark, findings, counted, against, unpaired)
    rows5 = table5_rows(benchmark, findings, counted, published)
    rows18 = table18_rows(benchmark, findings, against, published)
    return Report(benchmark, findings, counted, against, unpaired, published, rows5, rows18)


def as_json(report: Report) -> dict[str, Any]:
    """All of a report as JSON values."""
    return {
        "gold": _origin(report.benchmark),
        "against": _origin(report.against) if report.against else None,
        "unpaired": list(report.unpaired),
        "statistics": asdict(report.statistics),
        "checks": [
            {
                **asdict(finding.check),
                "hits": len(finding.hits),
                "sentences": finding.sentences,
                "found": [{**asdict(hit), "clusters": list(hit.clusters)} for hit in finding.hits],
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


def _origin(benchmark: Benchmark) -> dict[str, Any]:
    source = benchmark.source
    return {
        "name": benchmark.name,
        "path": str(source.path) if source else None,
        "sha256": source.sha256 if source else None,
    }


def _row_json(row: Row) -> dict[str, Any]:
    readings = [{"reading": label, "value": value} for label, value in row.readings]
    return {"name": row.name, "ours": row.ours, "paper": row.paper, "readings": readings, "note": row.note}


def as_text(report: Report, shown: int | None = SHOWN) -> str:
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
    for title, found in (("Table 5", report.table5), ("Table 18, sentences", report.table18)):
        rows = [[f"{report.published.name}, {title}", "ours", "paper"]]
        rows += [[row.name.replace("_", " "), number(row.ours), row.paper] for row in found]
        notes = [f"  {row.name.replace('_', ' ')}: {row.note}" for row in found if row.note]
        blocks.append("\n".join([table(rows), *notes]))
    return "\n\n".join(blocks)


def _examples(finding: Finding, shown: int | None) -> str:
    lines = [f"{finding.check.name}:"]
    for hit in finding.hits[:shown]:
        clusters = f" cluster {' and '.join(hit.clusters)}" if hit.clusters else ""
        line = f" line {hit.line}" if hit.line else ""
        place = f"sentence {hit.sentence_id}" if hit.sentence_id else "file"
        lines.append(f"  {place}{clusters}{line}: {hit.text}".rstrip(": "))
    more = len(finding.hits) - len(finding.hits[:shown])
    if more:
        lines.append(f"  ... and {more} more (--show all)")
    return "\n".join(lines)


def _show(value: str) -> int | None:
    if value == EVERYTHING:
        return None
    if not value.isdecimal():
        raise argparse.ArgumentTypeError(f"{value!r} is neither a number nor '{EVERYTHING}'")
    return int(value)


def _read(named: str, options: argparse.Namespace, dataset: bool | None) -> tuple[Benchmark, Diagnostics, str]:
    """A gold file or a data set with its warnings and text; `dataset` None leaves it to what is there."""
    diagnostics = Diagnostics()
    if dataset is None:
        dataset = named in NAMES or Path(named).is_dir()
    if dataset:
        benchmark = load(named, options.data, diagnostics, ReadOptions(options.encoding))
    else:
        benchmark = read_gold(Path(named), diagnostics, options.encoding)
    return benchmark, diagnostics, _text(benchmark, options.encoding)


def _text(benchmark: Benchmark, encoding: str) -> str:
    """The text that the warnings' line numbers count in; formats without such lines have none."""
    if benchmark.source is None or not benchmark.source.path.is_file():
        return ""
    content = read_bytes(benchmark.source.path)
    return decode(content, benchmark.source.path, encoding) if sha256(content) == benchmark.source.sha256 else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    command = parser(
        "data.lint",
        "Check a gold file: defects of the file, suspicious annotations, statistics.",
        (
            "gold.txt",
            "--dataset sample --show all",
            "--dataset benchie_fl --against benchie_en --json lint.json",
            "gold.txt --strict --show 0",
        ),
    )
    command.add_argument("gold", nargs="?", metavar="GOLD", help="a gold file in BenchIE's text format")
    command.add_argument("--dataset", metavar="NAME|FOLDER", help=f"instead of GOLD: {', '.join(NAMES)}, or a folder")
    command.add_argument("--against", metavar="OTHER", help="another annotation: a data set's name, a folder or a file")
    command.add_argument("--show", type=_show, default=SHOWN, metavar="N", help="examples a check, or all (default: 3)")
    command.add_argument("--json", metavar="FILE|-", help="write everything as JSON; - for stdout, without the tables")
    command.add_argument("--strict", action="store_true", help="exit code 1 if a check of the level 'warning' hits")
    command.add_argument("--data", type=Path, metavar="DIR", help="folder of the real data sets (else FACTMATCH_DATA)")
    command.add_argument("--encoding", default=DEFAULT_ENCODING, help="encoding of the input files (default: utf-8)")
    add_quiet_flag(command)
    options = command.parse_args(arguments)
    if (options.gold is None) == (options.dataset is None):
        command.error("name either a GOLD file or a --dataset")
    named, dataset = (options.gold, False) if options.gold is not None else (options.dataset, True)
    benchmark, diagnostics, text = _read(named, options, dataset)
    against = _read(options.against, options, None)[0] if options.against else None
    report = lint(benchmark, diagnostics, text, against)
    if options.json:
        write_json(as_json(report), options.json)
    if options.json != "-":
        print(as_text(report, options.show))
    return 1 if options.strict and report.warned else 0


if __name__ == "__main__":
    raise SystemExit(run(main))
