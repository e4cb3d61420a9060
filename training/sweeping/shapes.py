"""The shapes of the JSON that a sweep writes; `docs/json.md` is made from them."""

from __future__ import annotations

from typing import Annotated, TypedDict

from training.evaluation.shapes import FiguresJson, LeadJson, RecipeJson


class TrialJson(TypedDict):
    """A trial of a sweep."""

    number: Annotated[int, "from 1, in the order in which they ended"]
    f1: Annotated[float, "cross-validated, on the sentences that are not held out"]
    chosen: Annotated[list[str], "what it tried, as overrides of the recipe"]


class BestTrialJson(TypedDict):
    """The best trial of a sweep."""

    f1: float
    chosen: list[str]
    recipe: RecipeJson


class HeldOutJson(TypedDict):
    """Figures on the sentences that no trial has seen."""

    sentences: int
    matchers: Annotated[list[FiguresJson], "the rules, the recipe as it was, and the best"]
    difference: Annotated[LeadJson, "of the best"]


class SweepJson(TypedDict):
    """What `training.run --sweep FILE --json` writes, and `sweep.json` in its folder."""

    sweep: Annotated[str, "its name"]
    config: Annotated[str, "the recipe that it starts from"]
    dataset: str
    signature: Annotated[str, "what produced these numbers"]
    trials: list[TrialJson]
    best: BestTrialJson
    sentences: Annotated[int, "that trials see"]
    held_out: HeldOutJson
