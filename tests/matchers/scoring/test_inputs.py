from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from data.formats.reading import ReadOptions
from data.problems import Diagnostics, InputError
from matchers.scoring.inputs import (
    Inputs,
    add_gold_flags,
    add_resampling_flags,
    add_system_flags,
    add_variant_flags,
    check_flags,
    inputs_of,
    named_file,
)


def inputs(gold: Path, beside: bool = False, **systems: Path) -> Inputs:
    return Inputs(gold, None, ReadOptions(), systems=tuple(systems.items()), beside=beside)


def test_systems_are_found_with_the_gold_or_given(gold: Path, folder: Path) -> None:
    own = folder / "extractions" / "short.tsv"
    assert [system.name for system in inputs(gold).read(Diagnostics()).systems] == ["long", "short"]
    assert [system.name for system in inputs(gold, own=own).read(Diagnostics()).systems] == ["own"]
    beside = inputs(gold, True, own=own)
    assert [system.name for system in beside.read(Diagnostics()).systems] == ["long", "short", "own"]
    assert beside.given == ("own",) and beside.flags == ["--gold", str(gold)]


def test_a_gold_alone_has_no_systems_to_read(gold: Path, folder: Path) -> None:
    assert inputs(gold).read_gold(Diagnostics()).systems == ()
    for path in (folder / "extractions").iterdir():
        path.unlink()
    with pytest.raises(InputError, match="no systems to score"):
        inputs(gold).read(Diagnostics())


@pytest.mark.parametrize("text", ["own", "=own.tsv", "own="])
def test_a_system_has_a_name_and_a_file(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="NAME=FILE was expected"):
        named_file(text)
    assert named_file("a=b=c.tsv") == ("a", Path("b=c.tsv"))


def parsed(*arguments: str) -> argparse.Namespace:
    command = argparse.ArgumentParser()
    add_gold_flags(command)
    add_system_flags(command, "score")
    add_variant_flags(command)
    add_resampling_flags(command)
    command.set_defaults(data=None, encoding="utf-8")
    options = command.parse_args(arguments)
    check_flags(command, options)
    return options


def test_flags_become_inputs() -> None:
    found = inputs_of(
        parsed("--dataset", "sample", "--system", "own=own.tsv", "--nary", "drop", "--confidence", "last")
    )
    assert (found.dataset, found.systems, found.reading.nary) == ("sample", (("own", Path("own.tsv")),), "drop")
    assert found.flags == ["--dataset", "sample"] and found.reading.confidence == "last"


@pytest.mark.parametrize(
    "arguments",
    [("--resamples", "0"), ("--seed", "-1"), ("--facet-gold", "gold.txt"), ("--gold", "gold.txt"), ("--system", "own")],
)
def test_flags_that_contradict_themselves_are_wrong_usage(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        parsed("--dataset", "sample", *arguments)
    assert stopped.value.code == 2 and arguments[0] in capsys.readouterr().err


def test_the_line_of_a_strange_sentence_in_json_lines(gold: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.jsonl"
    line = '{{"sentence_id": "{}", "arg1": "Rain", "relation": "fell"}}\n'
    own.write_text(line.format(1) + line.format(99))
    with pytest.raises(InputError, match=r"own\.jsonl:2: sentence id '99' is not in the gold"):
        inputs(gold, own=own).read(Diagnostics())
