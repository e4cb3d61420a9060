from __future__ import annotations

import subprocess
import sys

import pytest

import matchers
from data.problems import InputError
from matchers.registry import RULE_NAMES, load
from matchers.rules.matcher import RuleMatcher


@pytest.mark.parametrize("name", RULE_NAMES)
def test_the_sets_of_rules_are_loaded_by_their_names(name: str) -> None:
    matcher = load(name)
    assert isinstance(matcher, RuleMatcher)
    assert matcher.name == name


def test_any_other_subset_in_any_order() -> None:
    assert load("PUNC+em").name == "em+punc"
    assert load("em+af+lod+punc").name == "rules"


def test_the_package_offers_load() -> None:
    assert matchers.load("rules").name == "rules"


@pytest.mark.parametrize("name", ["", "emm", "rules2", "wire57@0.5", "em+wow", "no/such/checkpoint"])
def test_unknown_names_are_errors_that_list_the_names(name: str) -> None:
    with pytest.raises(InputError, match="em, em\\+af"):
        load(name)


def test_punctuation_alone_is_no_matcher() -> None:
    with pytest.raises(InputError):
        load("punc")


def test_rules_need_neither_numpy_nor_torch_to_load() -> None:
    program = (
        "import sys; from matchers import load; load('rules');"
        "sys.exit(str({'numpy', 'scipy', 'torch', 'sklearn', 'simplemma'} & set(sys.modules) or ''))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""
