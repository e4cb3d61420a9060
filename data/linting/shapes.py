"""The shapes of the JSON that `data.lint` writes; `docs/json.md` is made from them."""

from __future__ import annotations

from typing import Annotated, TypedDict


class AnnotationJson(TypedDict):
    """A gold annotation that was checked, or compared with."""

    name: str
    path: Annotated[str | None, "its file; null if it came from none"]
    sha256: Annotated[str | None, "of the file; null if it came from none"]


class StatisticsJson(TypedDict):
    """Counts and mean sizes of an annotation; lengths are in words, and a mean over nothing is null."""

    sentences: int
    clusters: Annotated[int, "how many facts it has"]
    formulations: Annotated[int, "how many ways to state them it has"]
    optional_groups: Annotated[int, "how many groups of words may be left out"]
    clusters_per_sentence: float | None
    formulations_per_cluster: float | None
    formulation_length: Annotated[float | None, "optional words count"]
    relation_length: Annotated[float | None, "optional words count"]
    required_formulation_length: Annotated[float | None, "optional words don't count"]
    required_relation_length: Annotated[float | None, "optional words don't count"]


class HitJson(TypedDict):
    """A place that a check found."""

    sentence_id: Annotated[str, "empty if it is of no sentence"]
    clusters: Annotated[list[str], "the facts that it is about"]
    text: Annotated[str, "what stands there"]
    line: Annotated[int, "of the gold file; 0 where the format has none"]


class CheckJson(TypedDict):
    """A check of an annotation, and what it found."""

    name: str
    level: Annotated[str, "`warning`, or `info` for what need not be a mistake"]
    meaning: Annotated[str, "what is looked for"]
    hits: Annotated[int, "how many places were found"]
    sentences: Annotated[int, "in how many sentences they are"]
    found: Annotated[list[HitJson], "all of them, in the order of the file"]


class ReadingJson(TypedDict):
    """Another way to read the definition of a published figure."""

    reading: Annotated[str, "in words"]
    value: Annotated[float, "ours, if it is read so"]


class PublishedFigureJson(TypedDict):
    """A published figure beside ours."""

    name: str
    ours: float
    paper: Annotated[str, "as the paper prints it"]
    readings: list[ReadingJson]
    note: Annotated[str, "which reading gives the paper's figure, where ours does not; empty if they agree"]


class PublishedAnnotationJson(TypedDict):
    """What was published of an annotation: tables of Lamarche and Langlais."""

    name: str
    table5: Annotated[list[PublishedFigureJson], "statistics"]
    table18: Annotated[list[PublishedFigureJson], "sentences with errors; those that need `--against` only with it"]


class LintJson(TypedDict):
    """What `data.lint --json` writes: what may be wrong in a gold annotation, and its statistics."""

    gold: AnnotationJson
    against: Annotated[AnnotationJson | None, "the other annotation, of `--against`"]
    unpaired: Annotated[list[str], "sentences that the other annotation does not have"]
    statistics: StatisticsJson
    checks: list[CheckJson]
    published: Annotated[PublishedAnnotationJson | None, "null if it is no file of which figures were published"]
