"""The shapes of the JSON that `training.benchmark` writes; `docs/json.md` is made from them."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from matchers.scoring.shapes import Bounds, RatesJson
from training.evaluation.shapes import CorrelationJson, LeadJson


class LeadOverRulesJson(TypedDict):
    """The difference in pair F1 of a matcher to the rules."""

    f1: float
    interval: Annotated[Bounds | None, "95 %, lower bound first; null if there are too few sentences"]
    p: Annotated[float, "by permutation of sentences, Holm-corrected"]


class SystemCorrelationJson(CorrelationJson):
    """How a matcher's precision, recall or F1 of systems goes with people's; null where that is not defined."""

    pearson_interval: Annotated[Bounds | None, "95 %, lower bound first"]


class ContenderJson(TypedDict):
    """A matcher's agreement with people; what a token scorer does not have, since it makes no matches, is null."""

    name: str
    signature: str
    protocol: Annotated[str, "how it was trained, or that it was not"]
    seen: Annotated[bool, "whether it was trained on sentences of the data set, which makes it no fair measure"]
    precision: Annotated[float | None, "on extraction-cluster pairs"]
    recall: Annotated[float | None, "on extraction-cluster pairs"]
    f1: Annotated[float | None, "on extraction-cluster pairs"]
    tp: Annotated[int | None, "matches of both"]
    fp: Annotated[int | None, "matches of the matcher only"]
    fn: Annotated[int | None, "matches of people only"]
    f1_interval: Annotated[Bounds | None, "95 %, lower bound first"]
    difference_to_rules: Annotated[LeadOverRulesJson | None, "null for the rules themselves, too"]
    correlation: Annotated[dict[str, SystemCorrelationJson], "of `precision`, `recall` and `f1`"]
    systems: Annotated[dict[str, RatesJson], "the systems' scores by this matcher"]


class MeasurementJson(TypedDict):
    """A measurement of speed at one size; ratios are to the rules at the same size, and null if there is none."""

    scale: Annotated[int, "how many times the data set"]
    extractions: Annotated[int, "that were matched"]
    pairs: Annotated[int, "that were decided"]
    seconds: float
    megabytes: Annotated[float, "the highest memory"]
    done: Annotated[float, "the share of the work that was done; below 1 if time was over"]
    speed_ratio: float | None
    memory_ratio: float | None
    command_pairs: Annotated[int, "of `matchers.score`, end to end; 0 if it was not run"]
    command_seconds: Annotated[float | None, "of `matchers.score`, end to end"]
    command_ratio: float | None


class ScaleRunJson(TypedDict):
    """A run of `matchers.score` from start to end."""

    workers: int
    seconds: float
    megabytes: Annotated[float, "of the largest process"]
    sha256: Annotated[str, "of the JSON that it wrote"]
    load: Annotated[float, "how many processes wanted a processor before it began"]


class ScaleJson(TypedDict):
    """Runs of `matchers.score` on a data set that was repeated under new sentence ids."""

    scale: Annotated[int, "how many times the data set"]
    sentences: int
    extractions: int
    runs: list[ScaleRunJson]


class TimingJson(TypedDict):
    """How long a matcher took."""

    seconds: float
    pairs_per_second: float
    calls: NotRequired[Annotated[int, "requests to a language model, if it is one"]]
    speed: NotRequired[Annotated[list[MeasurementJson], "with `--speed`"]]
    scale: NotRequired[Annotated[list[ScaleJson], "with `--speed`: of the rules and of checkpoints"]]


class LevelJson(TypedDict):
    """A level of thinness."""

    name: Annotated[str, "`all`, `3`, `2`, `first` or `random`"]
    formulations: Annotated[int, "that the gold of the judged sentences has: what an annotator has to write"]
    draws: Annotated[list[str], "the golds whose mean it is, each as `--formulations` would name it, with its seed"]


class RunJson(TypedDict):
    """A matcher under one gold, a recipe by one seed; what a token scorer does not have is null."""

    formulations: Annotated[str, "as `--formulations` would name it, with its seed"]
    seed: Annotated[int | None, "of the recipe and its folds; null for what is not trained on the spot"]
    tp: int | None
    fp: int | None
    fn: int | None
    f1: Annotated[float | None, "on extraction-cluster pairs"]
    pearson: Annotated[float | None, "of systems' F1 with people's; null where it is not defined"]
    kendall: float | None
    mae: float


class RankingFigureJson(TypedDict):
    """How systems' F1 by a matcher goes with their F1 by people: a mean over runs."""

    value: Annotated[float | None, "null where it is not defined"]
    interval: Annotated[Bounds | None, "95 %, lower bound first, by resampling sentences"]
    difference_to_rules: Annotated[
        LeadJson | None, "in this very measure; p is Holm-corrected; null for the rules themselves, too"
    ]


class AtLevelJson(TypedDict):
    """A matcher at one level: means over its runs there; what a token scorer does not have is null."""

    level: str
    precision: Annotated[float | None, "on extraction-cluster pairs"]
    recall: float | None
    f1: float | None
    tp: Annotated[float | None, "matches of both"]
    fp: Annotated[float | None, "matches of the matcher only"]
    fn: Annotated[float | None, "matches of people only"]
    f1_interval: Annotated[Bounds | None, "95 %, lower bound first, by resampling sentences"]
    f1_spread: Annotated[Bounds | None, "the lowest and the highest of several seeds; null if there is one"]
    difference_to_rules: Annotated[
        LeadJson | None, "in F1; p is Holm-corrected for the number of matchers; null for the rules themselves, too"
    ]
    pearson: RankingFigureJson
    kendall: RankingFigureJson
    mae: RankingFigureJson
    runs: list[RunJson]


class ThinMatcherJson(TypedDict):
    """A matcher under thinner and thinner gold; what a token scorer does not have is null."""

    name: str
    seen: Annotated[bool, "whether it was trained on sentences of the data set, which makes it no fair measure"]
    mean_f1: Annotated[float | None, "the mean of the levels' F1"]
    mean_f1_interval: Annotated[Bounds | None, "95 %, lower bound first, by resampling sentences"]
    mean_f1_spread: Annotated[Bounds | None, "the lowest and the highest of several seeds; null if there is one"]
    difference_to_rules: Annotated[
        LeadJson | None,
        "in mean F1; p is Holm-corrected for the number of matchers; null for the rules themselves, too",
    ]
    levels: list[AtLevelJson]


class ThinnessJson(TypedDict):
    """Matchers at each level of thinness; judgments are of the full gold and stay the truth."""

    levels: list[LevelJson]
    seeds: Annotated[int, "how often recipes were cross-validated, each time with other folds"]
    matchers: list[ThinMatcherJson]


class ComparisonJson(TypedDict):
    """What `training.benchmark --json` writes: matchers beside people, in the order in which they were named."""

    dataset: str
    sentences: Annotated[int, "with judgments"]
    pairs: Annotated[int, "of an extraction and a cluster of its sentence"]
    positives: Annotated[int, "pairs that people matched"]
    signature: Annotated[str, "what produced these numbers"]
    matchers: list[ContenderJson]
    manual: Annotated[dict[str, RatesJson], "the systems' scores by people"]
    thinness: NotRequired[Annotated[ThinnessJson, "with `--thinness`"]]
    timings: NotRequired[Annotated[dict[str, TimingJson], "by matcher; not with `--no-timings`"]]
