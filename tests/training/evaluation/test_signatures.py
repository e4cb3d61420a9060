from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import training
from data.catalog import load
from data.model import Benchmark
from data.problems import Diagnostics
from training.evaluation.signatures import run_identity, trained_signature
from training.labels.material import Material, gather
from training.recipes import Recipe, Supervision, recipe_hash

RECIPE = Recipe(name="mine", supervision=Supervision(0.3, None, (0.5,), 2))
MORE = replace(RECIPE, supervision=replace(RECIPE.supervision, silver_dataset="sample"))


def other(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, tuple):
        return (*value, "more") if value and isinstance(value[0], str) else (*value, 0.7)
    return f"{value}x" if isinstance(value, str) or value is None else value + 1


def changed(recipe: Any) -> Iterator[tuple[str, Any]]:
    """A recipe in all ways in which one of its fields is another."""
    for item in fields(recipe):
        value = getattr(recipe, item.name)
        if is_dataclass(value):
            yield from ((f"{item.name}.{name}", replace(recipe, **{item.name: one})) for name, one in changed(value))
        else:
            yield item.name, replace(recipe, **{item.name: other(value)})


@pytest.mark.parametrize(
    ("kind", "idle"), [("features", "cross_encoder"), ("cross_encoder", "classifier"), ("hybrid", "nothing")]
)
def test_every_field_of_a_recipe_counts_but_its_name_and_what_its_kind_leaves_alone(kind: str, idle: str) -> None:
    recipe = replace(RECIPE, kind=kind)
    same = {name for name, one in changed(recipe) if recipe_hash(one) == recipe_hash(recipe)}
    assert same == {"name", *(name for name, _ in changed(recipe) if name.startswith(f"{idle}."))}


def test_the_files_of_a_base_model_in_a_folder_count(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    recipe = replace(
        RECIPE, kind="cross_encoder", cross_encoder=replace(RECIPE.cross_encoder, base_model=str(tmp_path))
    )
    before = recipe_hash(recipe)
    assert recipe_hash(recipe) == before
    (tmp_path / "model.safetensors").write_bytes(b"others")
    assert recipe_hash(recipe) != before


@pytest.fixture
def benchmark(small: Path) -> Benchmark:
    return load(small, diagnostics=Diagnostics())


def signed(benchmark: Benchmark, recipe: Recipe = RECIPE, **changes: Any) -> str:
    how = {"supervision": None, "protocol": "sentence", "resamples": 100, "seed": 1, **changes}
    material = gather(recipe, benchmark, None, how["supervision"])
    return str(trained_signature(benchmark, recipe, material, how["protocol"], how["resamples"], how["seed"]))


def relabelled(benchmark: Benchmark) -> Benchmark:
    first, *rest = benchmark.judgments
    return replace(benchmark, judgments=(replace(first, clusters=() if first.clusters else ("1",)), *rest))


def with_less_gold(benchmark: Benchmark) -> Benchmark:
    """Without one formulation, and as if read from the same file."""
    first, *rest = benchmark.sentences
    cluster = next(cluster for cluster in first.clusters if len(cluster.formulations) > 1)
    thinner = replace(cluster, formulations=cluster.formulations[:1])
    clusters = tuple(thinner if one is cluster else one for one in first.clusters)
    return replace(benchmark, sentences=(replace(first, clusters=clusters), *rest))


def test_anything_that_can_change_a_figure_changes_the_signature(benchmark: Benchmark) -> None:
    made = {
        "as it is": signed(benchmark),
        "recipe": signed(benchmark, replace(RECIPE, inner_folds=2)),
        "seed of the recipe": signed(benchmark, replace(RECIPE, seed=2)),
        "no supervision": signed(benchmark, supervision=["none"]),
        "more data": signed(benchmark, MORE),
        "less supervision": signed(benchmark, MORE, supervision=["generated"]),
        "still less supervision": signed(benchmark, MORE, supervision=["generated:small"]),
        "protocol": signed(benchmark, protocol="leave-one-system-out"),
        "resamples": signed(benchmark, resamples=101),
        "seed of the resampling": signed(benchmark, seed=2),
        "a judgment": signed(relabelled(benchmark)),
        "a judgment less": signed(replace(benchmark, judgments=benchmark.judgments[:-1])),
        "a formulation less": signed(with_less_gold(benchmark)),
    }
    assert {name: one for name, one in made.items() if list(made.values()).count(one) > 1} == {}
    assert made["as it is"] == signed(benchmark) == signed(benchmark, replace(RECIPE, name="mine"))


def test_silver_data_that_are_found_or_not_make_two_signatures(benchmark: Benchmark, small: Path) -> None:
    """What the same command finds on two machines is told apart."""
    recipe = replace(RECIPE, supervision=replace(RECIPE.supervision, silver_dataset=str(small.parent / "more")))
    (small.parent / "more" / "gold").mkdir(parents=True)
    gold = small.parent / "more" / "gold" / "gold.txt"
    block = "sent_id:1\tBo Kern bakes bread .\n1--> Cluster 1:\nBo Kern --> bakes --> {}\n"
    gold.write_text(block.format("bread"))
    first = signed(benchmark, recipe)
    gold.write_text(block.format("[the] bread"))
    assert signed(benchmark, recipe) != first


def test_a_run_is_told_apart_by_all_but_the_resampling(benchmark: Benchmark) -> None:
    def identity(material: Material, recipe: Recipe = RECIPE, of: Benchmark = benchmark) -> str:
        return run_identity(of, recipe, material, "sentence")

    whole, none = gather(RECIPE, benchmark), gather(RECIPE, benchmark, None, ["none"])
    again = relabelled(benchmark)
    made = [identity(whole), identity(none), identity(whole, replace(RECIPE, folds=3))]
    made.append(identity(gather(RECIPE, again), of=again))
    assert len(set(made)) == 4 and identity(whole) == made[0]


def test_runs_with_other_figures_have_other_signatures(small: Path) -> None:
    cheap = (
        *("folds=3", "inner_folds=2", "supervision.silver_dataset=null", "supervision.generated_per_sentence=2"),
        *("supervision.levels=[first]", "classifier.trees=10", "classifier.calibrated=true"),
    )
    variants: dict[str, dict[str, Any]] = {
        "none": {"supervision": ["none"]},
        "none again": {"supervision": ["none"]},
        "generated": {},
        "strength": {"supervision": ["none"], "overrides": [*cheap, "classifier.strength=5"]},
        "inner folds": {"supervision": ["none"], "overrides": [*cheap, "inner_folds=3"]},
        "seed": {"supervision": ["none"], "overrides": [*cheap, "seed=2"]},
        "protocol": {"supervision": ["none"], "protocol": "leave-one-system-out"},
    }
    reports = {
        name: training.train(small, **{"overrides": cheap, "resamples": 20, **how}) for name, how in variants.items()
    }
    figures = {name: (report.matcher.to_json(), report.by_system) for name, report in reports.items()}
    for name, report in reports.items():
        for another, compared in reports.items():
            assert report.signature != compared.signature or figures[name] == figures[another], (name, another)
    assert reports["none"].signature == reports["none again"].signature
    assert len({report.signature for report in reports.values()}) == len(reports) - 1
