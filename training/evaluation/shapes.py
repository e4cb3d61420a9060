"""The shapes of the JSON that `training.run` writes; `docs/json.md` is made from them."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from matchers.scoring.shapes import Bounds, RatesJson
from training.labels.shapes import SourceJson


class CorrelationJson(TypedDict):
    """How a matcher's scores of systems go with people's; null where that is not defined."""

    pearson: float | None
    spearman: float | None
    kendall: float | None
    pairwise_accuracy: Annotated[float | None, "the share of pairs of systems that both rank alike"]
    mae: Annotated[float, "the mean absolute difference"]


class FiguresJson(RatesJson, CorrelationJson):
    """A matcher's agreement with people: on extraction-cluster pairs, and on the systems' F1."""

    name: str
    tp: Annotated[int, "matches of both"]
    fp: Annotated[int, "matches of the matcher only"]
    fn: Annotated[int, "matches of people only"]
    f1_interval: Annotated[Bounds | None, "95 %, lower bound first; null if there are too few sentences"]


class LeadJson(TypedDict):
    """The difference in pair F1 of a matcher to the rules."""

    value: float
    interval: Annotated[Bounds | None, "95 %, lower bound first; null if there are too few sentences"]
    p: Annotated[float, "by permutation of sentences"]


class SystemFiguresJson(TypedDict):
    """Pair F1 on one system's extractions."""

    rules: float
    matcher: float


class SupervisionJson(TypedDict):
    """What a recipe trains on beside people's judgments; weights are of a pair, and 0 is not at all."""

    silver_weight: float
    silver_dataset: str | None
    generated_weight: Annotated[list[float], "those to choose from"]
    generated_per_sentence: int
    levels: Annotated[list[str], "the thinnesses of gold under which the labels are learned again"]
    formulations_weight: float
    formulations_rounds: int


class ClassifierJson(TypedDict):
    """A recipe's feature-based classifier."""

    estimator: Annotated[str, "`logistic_regression`, `gradient_boosting`, `random_forest` or `by_thickness`"]
    strength: Annotated[float, "of logistic regression"]
    trees: Annotated[int, "of the other estimators"]
    ensembles: Annotated[int, "of boosted trees, that are averaged"]
    anchor: Annotated[list[str], "what of the rules' matches is out of reach; those to choose from"]
    threshold: Annotated[float | None, "of full gold; null if inner folds choose it"]
    thin_threshold: Annotated[float | None, "of thin gold; null if inner folds choose it"]
    calibrated: Annotated[bool, "whether inner folds scale its log-odds"]
    groups_without: Annotated[list[str], "groups of features that are left out"]
    features_without: Annotated[list[str], "features that are left out"]


class CrossEncoderJson(TypedDict):
    """A recipe's cross-encoder."""

    base_model: str
    method: Annotated[str, "`full` or `lora`"]
    lora_rank: int
    epochs: float
    learning_rate: float
    batch_size: int
    max_length: Annotated[int, "of a pair, in tokens"]
    warmup: float
    weight_decay: float
    dropout: float
    imbalance: float
    negatives: int
    extra_negatives: int
    threshold_folds: int
    keep_rules: bool
    judged: Annotated[bool, "whether it learns from what people judged"]
    checkpoint: Annotated[str | None, "whose cross-encoder a hybrid takes as it is"]
    bf16: bool


class RecipeJson(TypedDict):
    """A recipe with all its settings, those by default too."""

    kind: Annotated[str, "`features`, `cross_encoder` or `hybrid`"]
    name: str
    seed: int
    folds: int
    inner_folds: int
    supervision: SupervisionJson
    classifier: ClassifierJson
    cross_encoder: CrossEncoderJson


class StartJson(TypedDict):
    """The checkpoint that was adapted."""

    name: str
    hash: Annotated[str, "of its config, which has the hashes of its files"]
    sentences: Annotated[int, "that it was trained on and that stay known"]


class TrainingJson(TypedDict):
    """What `training.run --json` writes, and `report.json` in the folder that it trains: a recipe, cross-validated."""

    name: Annotated[str, "of the recipe"]
    kind: Annotated[str, "`features`, `cross_encoder` or `hybrid`"]
    dataset: str
    sentences: Annotated[int, "with judgments"]
    pairs: Annotated[int, "of an extraction and a cluster of its sentence"]
    positives: Annotated[int, "pairs that people matched"]
    protocol: Annotated[str, "how folds were made"]
    signature: Annotated[str, "what produced these numbers"]
    command: Annotated[str, "as it was typed; empty if it was none"]
    rules: Annotated[FiguresJson, "of the rules on the same sentences"]
    matcher: Annotated[FiguresJson, "of the recipe, out of fold"]
    difference: LeadJson
    by_system: Annotated[dict[str, SystemFiguresJson], "by the systems' names"]
    judgments: Annotated[str, "the hash of what people said"]
    supervision: Annotated[list[SourceJson], "what was trained on beside people's judgments"]
    training_data: Annotated[str, "the same in a sentence"]
    origins: Annotated[list[str], "where what it learned from is from"]
    recipe: RecipeJson
    libraries: Annotated[dict[str, str], "versions of what it was trained with"]
    start: NotRequired[Annotated[StartJson, "with `--from`"]]
    insight: NotRequired[
        Annotated[list[tuple[str, float]], "features that weigh most, each with its weight; not with `--no-checkpoint`"]
    ]
    learning_curve: NotRequired[
        Annotated[list[tuple[int, float]], "steps of training, each with its loss; not with `--no-checkpoint`"]
    ]
    checkpoint: NotRequired[Annotated[str, "the folder of the matcher that was trained on everything"]]
