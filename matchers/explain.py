"""The explaining command: why an extraction matches the clusters of its sentence, or how near it comes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from data.command_line import add_reading_flags, add_thinning_flag, diagnostics_of, parser, run, thinness_of, write_json
from data.formats.reading import ReadOptions
from data.model import Extraction
from data.problems import Diagnostics, InputError
from data.text import one_line
from data.thinning import thin
from matchers.encoder.access import add_access_flags, grant
from matchers.llm.settings import add_llm_flags, use_llm
from matchers.registry import load
from matchers.scoring.inputs import Inputs, add_decoding_flag, add_gold_flags

if TYPE_CHECKING:
    from data.model import Benchmark, Extraction, Sentence
    from matchers.rules.near_misses import ClusterExplanation, Explanation, RuleOutcome
    from matchers.scoring.shapes import ExplainedClusterJson, ExplanationJson

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
    add_gold_flags(command, systems=False)
    command.add_argument("--sentence", required=True, metavar="ID", help="the sentence's id in the gold")
    command.add_argument(
        "--extraction",
        required=True,
        nargs=3,
        metavar=("ARG1", "RELATION", "ARG2"),
        help='the slots; "" for an empty one, a space before one that begins with a dash',
    )
    command.add_argument("--matcher", default="rules", metavar="NAME", help="rules (default), em+af, a checkpoint, ...")
    add_thinning_flag(command)
    command.add_argument("--seed", type=int, default=1, help="seed of --formulations random (default: 1)")
    add_decoding_flag(command)
    command.add_argument("--json", metavar="FILE", help="write the explanation as JSON (- for stdout)")
    command.add_argument(
        "--color", choices=["auto", "always", "never"], default="auto", help="auto (default): on a terminal"
    )
    add_access_flags(command)
    add_llm_flags(command)
    add_reading_flags(command)
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Explain an extraction."""
    command = arguments_parser()
    options = command.parse_args(arguments)
    if options.seed < 0:
        command.error("--seed must not be negative")
    thinness = thinness_of(command, options)
    grant(options)
    use_llm(options)
    from matchers.rules.near_misses import explain

    matcher = load(options.matcher)
    matcher.decoding = options.assignment
    diagnostics = diagnostics_of(options)
    benchmark = thin(_gold(options, diagnostics), thinness)
    sentence = find_sentence(benchmark, options.sentence)
    extraction = _extraction(sentence, options.extraction)
    if options.dry_run:
        from matchers.llm.plan import dry_run

        print(dry_run(matcher, [(sentence, [extraction])]))
        return 0
    explanation = explain(matcher, sentence, extraction)
    if not options.quiet:
        diagnostics.show()
    if options.json:
        shown = as_json(explanation)
        write_json(shown if thinness.is_full else {**shown, "formulations": str(thinness)}, options.json)
    if options.json != "-":
        print(as_text(explanation, in_color(options.color)))
        if not thinness.is_full:
            print(f"This gold is thin (formulations:{thinness}); what it left out might match.")
    return 0


def _gold(options: argparse.Namespace, diagnostics: Diagnostics) -> Benchmark:
    reading = ReadOptions(options.encoding)
    return Inputs(options.gold, options.dataset, reading, options.gold_format, options.data).read_gold(diagnostics)


def find_sentence(benchmark: Benchmark, sentence_id: str) -> Sentence:
    """The sentence with this id, or an error that names the ids that it could have been."""
    if sentence_id in benchmark.by_id:
        return benchmark.by_id[sentence_id]
    ids = list(benchmark.by_id)
    message = f"the gold has no sentence {sentence_id!r}; its {len(ids)} ids are {', '.join(ids[:3])}"
    message += ", ..." if len(ids) > 3 else ""
    if close := get_close_matches(sentence_id, ids, n=3, cutoff=0.4):
        message += f"; the closest: {', '.join(close)}"
    raise InputError(message, benchmark.source and benchmark.source.path)


def _extraction(sentence: Sentence, slots: Sequence[str]) -> Extraction:

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


def as_text(explanation: Explanation, color: bool = False) -> str:
    """The explanation for a reader."""

    def paint(kind: str, text: str) -> str:
        return f"\033[{_COLORS[kind]}m{text}\033[0m" if color else text

    slots = " - ".join(slot or "(nothing)" for slot in explanation.extraction.slots)
    lines = [
        f"sentence {explanation.sentence.id}: {explanation.sentence.text}",
        f"extraction: {paint('head', slots)}",
        "",
    ]
    for part in explanation.clusters:
        lines.extend(_cluster_lines(part, paint))
        lines.append("")
    lines.extend((*explanation.notes, "") if explanation.notes else ())
    if not explanation.clusters:
        lines.extend(["the sentence has no cluster", ""])
    for match in explanation.matches:
        text = f"{match.reason.rule}, score {match.score:.3f}: {match.reason}"
        lines.append(paint("fires", f"{explanation.matcher}: matches cluster {match.cluster}") + f" ({text})")
    if explanation.matches:
        lines.append("In a system's output, a closer extraction of the same fact would be credited in its stead.")
    else:
        lines.append(f"{explanation.matcher}: matches no cluster")
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


def as_json(explanation: Explanation) -> ExplanationJson:
    """The explanation as JSON."""
    shown: ExplanationJson = {
        "matcher": explanation.matcher,
        "sentence": {"id": explanation.sentence.id, "text": explanation.sentence.text},
        "extraction": {
            "arg1": explanation.extraction.arg1,
            "relation": explanation.extraction.relation,
            "arg2": explanation.extraction.arg2,
        },
        "clusters": [_cluster_json(part) for part in explanation.clusters],
        "matches": [
            {"cluster": m.cluster, "score": round(m.score, 6), "rule": m.reason.rule, "explanation": str(m.reason)}
            for m in explanation.matches
        ],
    }
    return {**shown, "notes": list(explanation.notes)} if explanation.notes else shown


def _cluster_json(part: ClusterExplanation) -> ExplainedClusterJson:
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
