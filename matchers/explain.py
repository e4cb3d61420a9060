"""The explaining command: why an extraction matches the clusters of its sentence, or how near it comes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data.catalog import NAMES
from data.commands import add_reading_flags, parser, run, write_json
from data.problems import Diagnostics, InputError

if TYPE_CHECKING:
    from data.model import Benchmark, Extraction, Sentence
    from matchers.explanation import ClusterExplanation, Explanation, RuleOutcome

Paint = Callable[[str, str], str]

_COLORS = {"head": "1", "fires": "32", "miss": "2", "missing": "33", "extra": "31", "cluster": "36"}


def arguments_parser() -> argparse.ArgumentParser:
    """The command's flags."""
    command = parser(
        "matchers.explain",
        "Say why an extraction matches a cluster of its sentence, or which words keep it from it.",
        [
            '--dataset sample --sentence 1 --extraction "Brennick city council" "voted on" "Tuesday"',
            '--gold gold.txt --sentence 7 --extraction "Mara Venn" "is" "a chemist" --matcher em+af',
        ],
    )
    gold = command.add_mutually_exclusive_group(required=True)
    gold.add_argument("--gold", type=Path, metavar="FILE", help="gold file")
    gold.add_argument("--dataset", metavar="NAME", help=f"a folder, or one of {', '.join(NAMES)}")
    command.add_argument("--from", dest="gold_format", metavar="FORMAT", help="format of --gold (default: as it looks)")
    command.add_argument("--sentence", required=True, metavar="ID", help="the sentence's id in the gold")
    command.add_argument(
        "--extraction",
        required=True,
        nargs=3,
        metavar=("ARG1", "RELATION", "ARG2"),
        help='the slots; "" for an empty one, a space before one that begins with a dash',
    )
    command.add_argument("--matcher", default="rules", metavar="NAME", help="rules (default), em+af, a checkpoint, ...")
    command.add_argument("--json", metavar="FILE", help="write the explanation as JSON (- for stdout)")
    command.add_argument(
        "--color", choices=["auto", "always", "never"], default="auto", help="auto (default): on a terminal"
    )
    add_reading_flags(command)
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Explain an extraction."""
    options = arguments_parser().parse_args(arguments)
    from matchers.explanation import explain
    from matchers.registry import load

    matcher = load(options.matcher)
    diagnostics = Diagnostics(options.strict)
    benchmark = _gold(options, diagnostics)
    sentence = find_sentence(benchmark, options.sentence)
    found = explain(matcher, sentence, _extraction(sentence, options.extraction))
    if not options.quiet:
        diagnostics.show()
    if options.json:
        write_json(as_json(found), options.json)
    if options.json != "-":
        print(as_text(found, in_color(options.color)))
    return 0


def _gold(options: argparse.Namespace, diagnostics: Diagnostics) -> Benchmark:
    if options.gold:
        from matchers.score import read_gold_file

        return read_gold_file(options, diagnostics)
    from data.catalog import load
    from data.folder import ReadOptions

    return load(options.dataset, options.data, diagnostics, ReadOptions(options.encoding))


def find_sentence(benchmark: Benchmark, sentence_id: str) -> Sentence:
    """The sentence with this id, or an error that names the ids that it could have been."""
    from difflib import get_close_matches

    if sentence_id in benchmark.by_id:
        return benchmark.by_id[sentence_id]
    ids = list(benchmark.by_id)
    message = f"the gold has no sentence {sentence_id!r}; its {len(ids)} ids are {', '.join(ids[:3])}"
    message += ", ..." if len(ids) > 3 else ""
    if close := get_close_matches(sentence_id, ids, n=3, cutoff=0.4):
        message += f"; the closest: {', '.join(close)}"
    raise InputError(message, benchmark.source and benchmark.source.path)


def _extraction(sentence: Sentence, slots: Sequence[str]) -> Extraction:
    from data.model import Extraction, one_line

    arg1, relation, arg2 = map(one_line, slots)
    try:
        return Extraction(sentence.id, arg1, relation, arg2)
    except ValueError as error:
        raise InputError(f"--extraction: {error}") from None


def in_color(choice: str) -> bool:
    """Whether to colour: as chosen, or else on a terminal where nobody set NO_COLOR."""
    if choice != "auto":
        return choice == "always"
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def as_text(found: Explanation, color: bool = False) -> str:
    """The explanation for a reader."""

    def paint(kind: str, text: str) -> str:
        return f"\033[{_COLORS[kind]}m{text}\033[0m" if color else text

    slots = " - ".join(slot or "(nothing)" for slot in found.extraction.slots)
    lines = [f"sentence {found.sentence.id}: {found.sentence.text}", f"extraction: {paint('head', slots)}", ""]
    for part in found.clusters:
        lines.extend(_cluster_lines(part, paint))
        lines.append("")
    if not found.clusters:
        lines.extend(["the sentence has no cluster", ""])
    for match in found.matches:
        text = f"{match.reason.rule}, score {match.score:.3f}: {match.reason}"
        lines.append(paint("fires", f"{found.matcher}: matches cluster {match.cluster}") + f" ({text})")
    if found.matches:
        lines.append("In a system's output, a closer extraction of the same fact would be credited in its stead.")
    else:
        lines.append(f"{found.matcher}: matches no cluster")
    return "\n".join(lines)


def _cluster_lines(part: ClusterExplanation, paint: Paint) -> list[str]:
    lines = [paint("cluster", f"cluster {part.cluster.id}")]
    lines.extend(f"  {formulation}" for formulation in part.cluster.formulations)
    if not part.cluster.formulations:
        lines.append("  (no formulation)")
    width = max((len(outcome.rule) for outcome in part.outcomes), default=0)
    for outcome in part.outcomes:
        mark = paint("fires", "yes") if outcome.fires else paint("miss", "no ")
        lines.append(f"    {outcome.rule.ljust(width)}  {mark}  {_outcome_text(outcome, paint)}")
    lines.extend(f"    {note}" for note in part.notes)
    if part.candidate and not part.outcomes:
        lines.append(f"    proposed with score {part.candidate.score:.3f}: {part.candidate.reason}")
    return lines


def _outcome_text(outcome: RuleOutcome, paint: Paint) -> str:
    if not outcome.differences:
        return outcome.text
    parts = (f"{difference.where} {' and '.join(difference.parts(paint))}" for difference in outcome.differences)
    return f"{outcome.text}: {'; '.join(parts)}"


def as_json(found: Explanation) -> dict[str, Any]:
    """The explanation as JSON."""
    return {
        "matcher": found.matcher,
        "sentence": {"id": found.sentence.id, "text": found.sentence.text},
        "extraction": dict(zip(("arg1", "relation", "arg2"), found.extraction.slots, strict=True)),
        "clusters": [_cluster_json(part) for part in found.clusters],
        "matches": [
            {"cluster": m.cluster, "score": round(m.score, 6), "rule": m.reason.rule, "explanation": str(m.reason)}
            for m in found.matches
        ],
    }


def _cluster_json(part: ClusterExplanation) -> dict[str, Any]:
    return {
        "id": part.cluster.id,
        "formulations": [str(formulation) for formulation in part.cluster.formulations],
        "score": round(part.candidate.score, 6) if part.candidate else None,
        "rules": [
            {
                "rule": outcome.rule,
                "fires": outcome.fires,
                "explanation": outcome.text,
                "formulation": outcome.formulation or None,
                "differences": [
                    {"where": item.where, "missing": list(item.missing), "extra": list(item.extra)}
                    for item in outcome.differences
                ],
            }
            for outcome in part.outcomes
        ],
        "notes": list(part.notes),
    }


if __name__ == "__main__":
    raise SystemExit(run(main))
