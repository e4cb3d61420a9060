from __future__ import annotations

import re
import tomllib
from pathlib import Path

from data.formats.benchie import read_gold, write_gold
from data.model import Benchmark
from data.problems import Diagnostics
from matchers import load
from matchers.rules.matcher import RuleMatcher
from matchers.signature import VERSION, gold_hash, signature, signed
from tests.matchers.facts import sentence

GOLD = Benchmark("test", (sentence("Ada --> saw --> Rome"),))


def test_a_signature_names_what_decides_a_number() -> None:
    text = str(signature(GOLD, load("em+af"), duplicates="count", seed=3))
    pattern = rf"matcher:em\+af\|assignment:closest\|gold:[0-9a-f]{{12}}\|duplicates:count\|seed:3\|version:{VERSION}"
    assert re.fullmatch(pattern, text)


def test_the_matchers_own_settings_are_in_it() -> None:
    class Learned(RuleMatcher):
        @property
        def settings(self) -> dict[str, str]:
            return {"threshold": "0.4"}

    assert "|threshold:0.4|" in str(signature(GOLD, Learned()))


def test_a_matcher_that_decodes_by_itself_says_so() -> None:
    assert str(signature(GOLD, load("wire57"))).startswith("matcher:wire57|assignment:greedy|gold:")


def test_what_is_no_matcher_is_signed_too() -> None:
    text = str(signed(GOLD, {"scorer": "carb"}, seed=2))
    assert re.fullmatch(rf"scorer:carb\|gold:[0-9a-f]{{12}}\|seed:2\|version:{VERSION}", text)


def test_another_gold_is_another_signature() -> None:
    other = Benchmark("test", (sentence("Ada --> saw --> Oslo"),))
    assert gold_hash(GOLD) != gold_hash(other)
    assert gold_hash(GOLD) == gold_hash(Benchmark("other name", GOLD.sentences))


def test_a_gold_reads_the_same_from_memory_and_from_its_file(tmp_path: Path) -> None:
    write_gold(GOLD, tmp_path / "gold.txt")
    assert gold_hash(read_gold(tmp_path / "gold.txt", Diagnostics())) == gold_hash(GOLD)


def test_the_version_is_the_projects() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert project["project"]["version"] == VERSION
