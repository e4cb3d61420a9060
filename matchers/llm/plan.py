"""What matching with a language model would cost, before anything is asked."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from data.model import Benchmark, Extraction, Sentence
from matchers.counts import Scorer
from matchers.interface import Matcher
from matchers.llm.settings import is_llm


def dry_run(matcher: Matcher | Scorer, work: Sequence[tuple[Sentence, Sequence[Extraction]]]) -> str:
    """What matching would cost; matchers that ask nobody cost nothing."""
    if not is_llm(matcher.name):
        return f"{matcher.name}: no calls; it asks no language model"
    from matchers.llm.matcher import LlmMatcher

    assert isinstance(matcher, LlmMatcher)
    cost = matcher.cost(work)
    return (
        f"{matcher.name}: {cost.questions} questions, {cost.questions - cost.calls} of them answered in the cache; "
        f"{cost.calls} calls of about {cost.tokens:,} tokens in all, at four characters a token"
    )


def whole_work(benchmark: Benchmark) -> list[tuple[Sentence, Sequence[Extraction]]]:
    """All sentences with the extractions of each system."""
    return [(one, system.by_sentence.get(one.id, ())) for one in benchmark.sentences for system in benchmark.systems]


def tell(matcher: Matcher | Scorer, quiet: bool) -> None:
    """Say on stderr what a matcher has to say when all is matched."""
    if isinstance(matcher, Matcher) and not quiet and matcher.afterword():
        print(matcher.afterword(), file=sys.stderr)
