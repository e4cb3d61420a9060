"""The shapes of the JSON that `training.downstream` writes; `docs/json.md` is made from them."""

from __future__ import annotations

from typing import Annotated, TypedDict

from matchers.scoring.shapes import Bounds


class AnsweringJson(TypedDict):
    """A system's ABQA score."""

    system: str
    answered: Annotated[int, "passages that it answers"]
    score: Annotated[float, "their share"]
    interval: Annotated[Bounds, "95 %, lower bound first, by resampling passages"]
    published: Annotated[float | None, "as printed in Table 9 of BenchIE^FL; null for systems that it does not have"]


class TaskCorrelationJson(TypedDict):
    """How a benchmark's F1 of systems goes with a task."""

    pearson: Annotated[float | None, "null if there are too few systems, or all are equal"]
    interval: Annotated[Bounds | None, "95 %, lower bound first; null if nothing can be resampled"]
    systems: Annotated[int, "that both have"]


_ByTask = TypedDict(
    "_ByTask",
    {
        "ABQA": Annotated[TaskCorrelationJson, "scored here, by the matcher"],
        "ABQA printed": Annotated[TaskCorrelationJson, "as published"],
        "C-QA": Annotated[TaskCorrelationJson, "as published"],
        "KBP": Annotated[TaskCorrelationJson, "as published"],
    },
)


class BenchmarkCorrelationJson(_ByTask):
    """How a benchmark goes with the tasks."""

    benchmark: Annotated[str, "its name, or what `--scores` calls it"]
    signature: Annotated[str | None, "what produced its scores; null if they were given by `--scores`"]
    seen_in_training: Annotated[int, "sentences that the checkpoint was trained on"]
    f1: Annotated[dict[str, float], "by system"]


class DownstreamJson(TypedDict):
    """What `training.downstream --json` writes."""

    signature: Annotated[str, "what produced these numbers"]
    matcher: str
    passages: Annotated[int, "how many questions there are"]
    abqa: list[AnsweringJson]
    tasks: Annotated[dict[str, dict[str, float]], "the published scores, by task and then by system"]
    correlations: list[BenchmarkCorrelationJson]
    published_correlations: Annotated[dict[str, dict[str, float]], "Table 10, by benchmark and then by task"]
