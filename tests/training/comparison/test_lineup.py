from __future__ import annotations

from pathlib import Path

import pytest

from data.problems import InputError
from matchers.checkpoints import shipped
from tests.training.compared import Overlap
from training.comparison.contenders import Learning, Matching, Scoring
from training.comparison.lineup import default_names, find_contender, find_contenders
from training.recipes import load_recipe


def test_names_become_contenders() -> None:
    kinds = {"em+af": Matching, "rules": Matching, "wire57": Matching, "oie2016": Matching, "carb": Scoring}
    for name, kind in kinds.items():
        found = find_contender(name)
        assert (found.name, found.given, type(found)) == (name, name, kind)


def test_fractions_are_asked_for() -> None:
    assert isinstance(find_contender("wire57:fractions"), Scoring)
    assert isinstance(find_contender("wire57:fractions+every+tokens"), Scoring)
    assert isinstance(find_contender("wire57:dropped"), Matching)
    with pytest.raises(InputError, match="has no fractions"):
        find_contender("oie2016:fractions")
    with pytest.raises(InputError, match="no reading of clusters"):
        find_contender("carb:magic")


def test_the_rules_are_always_there_and_names_count_once() -> None:
    assert [c.name for c in find_contenders(["em", "em", " wire57", ""])] == ["em", "wire57", "rules"]
    assert [c.name for c in find_contenders(["rules", "em"])] == ["rules", "em"]


def test_the_default_can_be_run_as_it_is() -> None:
    assert [contender.name for contender in find_contenders(default_names())] == [
        "em", "em+af", "em+lod", "em+af+lod", "rules", "wire57", "carb", "oie2016", "features",
    ]  # fmt: skip
    assert isinstance(find_contender(default_names()[-1]), Learning)  # out of fold, and not the checkpoint


@pytest.mark.parametrize("name", ["features", "hybrid"])
def test_a_plain_name_is_the_shipped_checkpoint_and_a_recipe_says_so(name: str) -> None:
    if name not in shipped():
        pytest.skip(f"checkpoints/{name} does not ship")
    found = find_contender(name)
    assert isinstance(found, Matching) and found.matcher.trained_on
    for given in (f"recipe:{name}", f"configs/{name}.yaml"):
        recipe = find_contender(given)
        assert isinstance(recipe, Learning) and recipe.recipe == load_recipe(name)


def test_a_matcher_of_the_users_own() -> None:
    own = Overlap()
    assert [c.name for c in find_contenders([own, "em"])] == ["overlap", "em", "rules"]
    assert [c.name for c in find_contenders([own, Overlap(0.9)])] == ["overlap", "overlap (2)", "rules"]
    named = find_contender("tests.training.compared:Overlap")
    assert isinstance(named, Matching) and isinstance(named.matcher, Overlap)


def test_recipes_by_file_and_by_name(tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text("kind: features\nfolds: 3\n")
    found = find_contender(str(own))
    assert isinstance(found, Learning) and (found.name, found.recipe.folds) == ("mine", 3)
    with pytest.raises(InputError, match="no recipe is called"):
        find_contender("configs/absent.yaml")


def test_unknown_names() -> None:
    with pytest.raises(InputError, match="is called 'magic'"):
        find_contender("magic")


def test_a_checkpoint_and_a_recipe_of_one_name_are_two(tmp_path: Path) -> None:
    first, second = tmp_path / "a" / "same.yaml", tmp_path / "b" / "same.yaml"
    for number, path in enumerate((first, second)):
        path.parent.mkdir()
        path.write_text(f"kind: features\nfolds: {number + 2}\n")
    assert [c.name for c in find_contenders([str(first), str(second)])] == [str(first), str(second), "rules"]
