from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, NotRequired, TypedDict

import pytest

from matchers.explain import main as explain
from matchers.profile import main as profile
from matchers.score import main as score
from matchers.scoring.schema import document, parts_of, problems, title_of, type_text
from matchers.scoring.shapes import BenchmarksJson, ExplanationJson, OutcomeJson, ProfileJson, ScoresJson
from tests.json_document import DOCUMENT, SHAPES, text


class CityJson(TypedDict):
    """A city."""

    name: Annotated[str, "what it is called"]
    people: int | None
    rivers: NotRequired[list[str]]
    place: NotRequired[tuple[float, float]]


class CountryJson(TypedDict):
    """A country."""

    cities: list[CityJson]


def test_a_shape_as_a_document() -> None:
    shown = document([CountryJson])
    assert shown.startswith("## Country\n\nA country.\n")
    assert "| `cities` | list of [City](#city) |  |" in shown and "### City" in shown
    assert "| `name` | text | what it is called |" in shown
    assert "| `people` | whole number, or null |  |" in shown
    assert "| `place` (may be missing) | [number, number] |  |" in shown
    assert "| `rivers` (may be missing) | list of texts |  |" in shown
    assert type_text(dict[str, dict[str, float]]) == "object: a name to object: a name to number"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"cities": [{"name": "Oslo", "people": None}]}, []),
        ({"cities": [{"name": "Oslo", "people": 7, "rivers": ["Akerselva"]}]}, []),
        ({"cities": [{"name": "Oslo", "people": 7, "place": [59.9, 10.7]}]}, []),
        ({"cities": [{"name": "Oslo", "people": 7, "place": [59.9, ""]}]}, ["cities[0].place[1]: '' is no number"]),
        ({"cities": [{"name": "Oslo", "people": 7, "place": [1]}]}, ["cities[0].place: [1] is no [number, number]"]),
        ({}, [": no cities"]),
        ({"cities": [{"name": 3, "people": 1}]}, ["cities[0].name: 3 is no text"]),
        ({"cities": [{"name": "Oslo", "people": True}]}, ["cities[0].people: True is no whole number"]),
        ({"cities": [{"name": "Oslo", "people": 1, "hills": 2}]}, ["cities[0]: hills is not in City"]),
        ({"cities": {}}, ["cities: {} is no list of [City](#city)"]),
    ],
)
def test_values_that_have_a_shape_and_values_that_don_t(value: object, said: list[str]) -> None:
    assert problems(value, CountryJson) == said


def written(path: Path) -> Any:
    return json.loads(path.read_text())


@pytest.mark.parametrize(
    "arguments",
    [
        ["--dataset", "sample", "--resamples", "20"],
        ["--dataset", "sample", "--resamples", "20", "--matcher", "carb", "--facet", "M"],
        ["--dataset", "sample", "--resamples", "20", "--matcher", "features", "--duplicates", "ignore"],
    ],
)
def test_scores_have_the_documented_shape(arguments: list[str], tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    assert score([*arguments, "--quiet", "--json", str(target)]) == 0
    assert problems(written(target), ScoresJson) == []


def test_scores_on_data_sets_with_scorers_have_the_documented_shape(sets: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    for name in ("wire57", "benchie_carb"):
        assert score(["--dataset", name, "--data", str(sets), "--quiet", "--json", str(target)]) == 0
        assert problems(written(target), ScoresJson) == []


def test_all_benchmarks_have_the_documented_shape(sets: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    assert score(["--all", "--data", str(sets), "--resamples", "20", "--quiet", "--json", str(target)]) == 0
    assert problems(written(target), BenchmarksJson) == []


def test_matches_have_the_documented_shape(tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    assert score(["--dataset", "sample", "--resamples", "20", "--quiet", "--matches", str(target)]) == 0
    lines = [json.loads(line) for line in target.read_text().splitlines()]
    assert len(lines) > 1000 and [line for line in lines if problems(line, OutcomeJson)] == []


def test_profiles_and_explanations_have_the_documented_shape(gold: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    assert profile(["--gold", str(gold), "--quiet", "--json", str(target)]) == 0
    assert problems(written(target), ProfileJson) == []
    for slots in (("Mara Venn", "is", "a chemist"), ("Mara", "left", "")):
        assert explain(["--gold", str(gold), "--sentence", "1", "--extraction", *slots, "--json", str(target)]) == 0
        assert problems(written(target), ExplanationJson) == []


def test_no_two_shapes_have_one_title() -> None:
    titles = Counter(title_of(shape) for shape in {part for shape in SHAPES for part in parts_of(shape)})
    assert len(titles) > 50 and [title for title, count in titles.items() if count > 1] == []


def test_every_command_that_writes_json_is_in_the_document() -> None:
    root = DOCUMENT.parent.parent
    files = [path for room in ("data", "matchers", "training") for path in (root / room).glob("*.py")]
    commands = {f"{path.parent.name}.{path.stem}" for path in files if '"--json"' in path.read_text(encoding="utf-8")}
    assert commands >= {"data.lint", "matchers.score", "training.run"}
    said = " ".join(shape.__doc__ or "" for shape in SHAPES)
    assert [name for name in sorted(commands) if f"`{name} " not in said] == []


def test_the_document_is_up_to_date() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == text(), "run `python -m tests.json_document`"
