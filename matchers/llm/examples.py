"""Examples for the prompt from a judged data set: matches that take judgment, and extractions that people refused."""

from __future__ import annotations

from pathlib import Path

from data.catalog import load
from data.problems import Diagnostics, InputError
from matchers.llm.prompt import Example
from matchers.rules.matcher import RuleMatcher

MATCHED, REFUSED = 4, 4


def judged_examples(dataset: str, data: Path | None = None) -> tuple[Example, ...]:
    """The first matches that are not exact, and the first refusals, each of another sentence where there are enough."""
    benchmark = load(dataset, data, Diagnostics())
    exact = RuleMatcher("em+punc")
    matched: dict[str, Example] = {}
    refused: dict[str, Example] = {}
    for judgment in benchmark.judgments:
        sentence = benchmark.by_id[judgment.extraction.sentence_id]
        if len(judgment.clusters) > 1 or sentence.id in matched or sentence.id in refused:
            continue
        if not sentence.clusters or exact.candidates(sentence, [judgment.extraction]):
            continue
        kept, most = (matched, MATCHED) if judgment.clusters else (refused, REFUSED)
        if len(kept) < most:
            ids = [cluster.id for cluster in sentence.clusters]
            fact = ids.index(judgment.clusters[0]) + 1 if judgment.clusters else 0
            kept[sentence.id] = Example(sentence, judgment.extraction, fact)
    if not matched or not refused:
        raise InputError(f"{dataset} has too few judgments for examples: matches that are not exact, and refusals")
    return (*matched.values(), *refused.values())
