"""Write extractions that are worth nothing, to show which scorers are fooled by them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from data.attacks.baselines import KINDS, checked_attack, without_confidences
from data.attacks.tagger import Tagger
from data.command_line import add_reading_flags, diagnostics_of, parser, run, write_output
from data.model import System


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the extractions of an attack."""
    command = _parser()
    options = command.parse_args(arguments)
    if options.spacy and options.kind != "naive":
        command.error("--spacy is for --kind naive, the other attacks need no verbs")
    if options.confidence and options.kind != "munchkin":
        command.error("--confidence is for --kind munchkin, the other attacks have none")
    from data.files import read_gold  # the help needs no readers

    diagnostics = diagnostics_of(options)
    benchmark = read_gold(
        options.gold, options.gold_format, encoding=options.encoding, data=options.data, diagnostics=diagnostics
    )
    system = checked_attack(benchmark, options.kind, diagnostics, Tagger.of(options.spacy) if options.spacy else None)
    if not options.quiet:
        diagnostics.show()
    _write(system, options.output, options.confidence)
    return 0


def _parser() -> argparse.ArgumentParser:
    command = parser(
        "data.attack",
        __doc__ or "",
        [
            "gold.txt --kind naive --output naive.tsv",
            "gold.txt --kind munchkin --output munchkin.jsonl",
            "benchie_fl --kind whole-sentence --output whole.tsv",
            "sample --kind naive | head -3",
        ],
    )
    command.add_argument("gold", metavar="GOLD", help="a gold file, or a data set's name or folder")
    command.add_argument("--kind", required=True, choices=KINDS, help="the attack")
    command.add_argument(
        "--output", type=Path, metavar="FILE", help="tab-separated, or JSON Lines if named .jsonl (default: stdout)"
    )
    command.add_argument(
        "--confidence",
        action="store_true",
        help="munchkin: a last column with confidences, to be read with --confidence last (.jsonl always has them)",
    )
    command.add_argument(
        "--spacy", metavar="MODEL", help="naive: find verbs with this spaCy model (default: word lists and endings)"
    )
    command.add_argument("--from", dest="gold_format", metavar="FORMAT", help="format of GOLD (default: as it looks)")
    add_reading_flags(command)
    return command


def _write(system: System, path: Path | None, confidence: bool) -> None:
    """Write to a file or to stdout; tab-separated text has confidences only if they were asked for."""
    from data.files import write_extractions
    from data.formats.extractions import form_of, tsv_text

    if not confidence and (path is None or form_of(path) == "tsv"):
        system = without_confidences(system)
    if path:
        write_extractions(system, path)
    else:
        write_output(tsv_text(system), "-")


if __name__ == "__main__":
    raise SystemExit(run(main))
