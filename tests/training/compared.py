"""What the tests of the benchmark share: the sample as ground, a comparison on it, and a matcher to be trained."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from data.catalog import load
from data.formats.slots import parse_slot
from data.model import Benchmark, Cluster, Extraction, Formulation, Judgment, Sentence, System
from data.problems import Diagnostics
from matchers.interface import Candidate, Matcher, Reason
from training.comparison.comparison import compare
from training.comparison.contenders import Learning
from training.comparison.ground import Ground, Terms
from training.comparison.levels import thin_levels
from training.comparison.lineup import find_contenders
from training.comparison.results import Comparison
from training.evaluation.crossval import Train
from training.labels.material import Material
from training.pages.report import report_page
from training.recipes import Recipe

TERMS = Terms(resamples=300)
NAMES = ("em", "rules", "wire57", "carb")


class Overlap(Matcher):
    """Matches by the share of common words; `trained_on` and the least share are what training gives it."""

    def __init__(self, least: float = 0.6, trained_on: frozenset[str] = frozenset()) -> None:
        self.name = "overlap"
        self.least, self.trained_on = least, trained_on

    def candidates(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[Candidate]:
        return [
            Candidate(e, c, score, score == 1, Reason("overlap", f"shares {score:.2f}"))
            for e, c, score in self.pair_scores(sentence, extractions)
            if score >= self.least
        ]

    def pair_scores(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[tuple[int, int, float]]:
        return [
            (e, c, max((shared(extraction, f) for f in cluster.formulations), default=0.0))
            for e, extraction in enumerate(extractions)
            for c, cluster in enumerate(sentence.clusters)
        ]

    def explain_pair(self, sentence: Sentence, extraction: Extraction, cluster: Cluster) -> list[str]:
        return [f"asks for {self.least:.2f}"]


def shared(extraction: Extraction, formulation: Formulation) -> float:
    """The share of common words."""
    own = {word for slot in extraction.slots for word in slot.split()}
    other = {word for slot in formulation.slots for word in slot.words}
    return len(own & other) / len(own | other)


class Training:
    """Trains `Overlap`, each time a stricter one, and remembers which sentences each fold saw."""

    def __init__(self, step: float = 0.01) -> None:
        self.seen: list[set[str]] = []
        self.step = step

    def __call__(self, train: Sequence[int]) -> Matcher:
        self.seen.append({sample().work[position].sentence.id for position in train})
        return Overlap(0.5 + len(self.seen) * self.step)


def learning(training: Training | None = None, folds: int = 4) -> Learning:
    """A recipe as contender, with a trainer of our own."""
    recipe = Recipe(name="words", folds=folds)

    def trainer(_: Recipe, __: Material, ___: bool) -> Train:
        return training or Training()

    return Learning("words", "configs/words.yaml", recipe, trainer)


@lru_cache
def sample() -> Ground:
    """The bundled sample."""
    return Ground.of(load("sample", diagnostics=Diagnostics()))


@lru_cache
def comparison() -> Comparison:
    """A comparison on the sample, with a recipe among the contenders."""
    return compare(sample(), [*find_contenders(NAMES), learning()], TERMS)


@lru_cache
def page() -> str:
    """The report of that comparison."""
    return report_page(comparison(), "sample", "python -m training.benchmark --dataset sample")


THIN_TERMS = Terms(resamples=100, levels=thin_levels(), seeds=2)


@lru_cache
def few() -> Ground:
    """The first sentences of the sample."""
    return Ground.of(sample().benchmark.restricted([sentence.id for sentence in sample().sentences[:9]]))


@lru_cache
def thin_comparison() -> Comparison:
    """A comparison on them under thin gold, with a recipe by two seeds and a token scorer."""
    return compare(few(), [*find_contenders(["em", "rules", "carb"]), learning(Training(0.05), folds=3)], THIN_TERMS)


@lru_cache
def thin_page() -> str:
    """The report of that comparison."""
    return report_page(thin_comparison(), "sample", "python -m training.benchmark --dataset sample --thinness")


def fact(cluster_id: str, *formulations: str) -> Cluster:
    """A cluster from formulations as files have them."""
    made = []
    for text in formulations:
        arg1, relation, arg2 = (parse_slot(slot)[0] for slot in text.split(" --> "))
        made.append(Formulation(arg1, relation, arg2))
    return Cluster(cluster_id, tuple(made))


def hostile() -> Benchmark:
    """Judgments on texts that try to become markup, script or comment."""
    bad = "</script><script>window.hacked=1</script><!--"
    worse = "<img src=x onerror=window.hacked=2> \" ' & {{ 7*7 }}"
    sentences = tuple(
        Sentence(
            name,
            f"{bad} and {worse} are here",
            (fact("1", "Ada --> saw --> <b>Rome</b>"), fact("2", f"Ada --> is --> {bad.replace(' ', '')}")),
        )
        for name in ("1", "<i>2</i>")
    )
    made = [Extraction(s.id, "Ada", "saw", slot) for s in sentences for slot in ("<b>Rome</b>", bad, worse)]
    one, two = "sys<svg/onload=hacked()>", "other&amp;"
    judgments = tuple(
        Judgment(name, e, ("1",) if number % 3 != 1 else ()) for name in (one, two) for number, e in enumerate(made)
    )
    return Benchmark("<u>hostile</u>", sentences, (System(one, tuple(made)), System(two, tuple(made))), judgments)
