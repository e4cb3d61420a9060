from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from data.command_line import run
from data.model import Cluster, Extraction, Sentence
from matchers import load
from matchers.explain import as_text, in_color, main
from matchers.rules.matcher import RuleMatcher
from matchers.rules.near_misses import explain
from tests.matchers.facts import sentence, triple
from tests.matchers.rules.test_near_misses import RADIO


def test_the_verdict_is_the_matchers() -> None:
    found = explain(load("rules"), RADIO, triple("Tove - hosts - Lanterns on a pirate station"))
    assert [match.cluster for match in found.matches] == ["2"]
    assert "rules: matches cluster 2 (lod, score" in as_text(found)
    assert as_text(explain(load("em"), RADIO, found.extraction)).endswith("em: matches no cluster")


def test_golds_without_clusters_or_formulations() -> None:
    assert "the sentence has no cluster" in as_text(explain(load("rules"), sentence(), triple("a - b - c")))
    bare = Sentence("1", "x", (Cluster("1", ()),))
    assert "(no formulation)" in as_text(explain(load("rules"), bare, triple("a - b - c")))


class Learned(RuleMatcher):
    """A matcher with something to say of a pair."""

    def explain_pair(self, sentence: Sentence, extraction: Extraction, cluster: Cluster) -> list[str]:
        return [f"saw {extraction.arg2} beside cluster {cluster.id} of {sentence.id}"]


def test_a_matcher_may_add_lines() -> None:
    found = explain(Learned(), RADIO, triple("Tove - hosts - Lanterns"))
    assert found.clusters[2].notes == ("saw Lanterns beside cluster 3 of 1",)
    assert "    saw Lanterns beside cluster 3 of 1" in as_text(found).splitlines()
    assert load("rules").explain_pair(RADIO, triple("a - b - c"), RADIO.clusters[0]) == []


# The command.

EXTRACTION = ["--extraction", "Mara Venn", "moved to", "Oslo and Bergen"]


def explained_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert main([*map(str, arguments), "--json", "-"]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def test_the_command_prints_sentence_clusters_rules_and_verdict(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--gold", str(gold), "--sentence", "1", *EXTRACTION]) == 0
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    assert lines[0] == "sentence 1: Mara Venn , a chemist , moved to Oslo and Bergen ."
    assert lines[1] == "extraction: Mara Venn - moved to - Oslo and Bergen"
    assert [line for line in lines if line.startswith("cluster")] == ["cluster 1", "cluster 2", "cluster 3"]
    assert "  Mara Venn --> is [a] --> chemist" in lines
    assert any(line.startswith("    af    yes  without 'Bergen' is") for line in lines)
    assert "rules: matches cluster 2 (af, score" in shown
    assert "\033" not in shown


def test_json(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = explained_json(capsys, "--gold", gold, "--sentence", "1", *EXTRACTION, "--matcher", "em+af")
    assert set(result) == {"matcher", "sentence", "extraction", "clusters", "matches"}
    assert result["matcher"] == "em+af"
    assert result["extraction"] == {"arg1": "Mara Venn", "relation": "moved to", "arg2": "Oslo and Bergen"}
    second = result["clusters"][1]
    assert set(second) == {"id", "formulations", "score", "rules", "notes"}
    assert second["formulations"] == ["Mara Venn --> moved to --> Oslo"]
    exact, alternative = second["rules"]
    assert (exact["rule"], exact["fires"], alternative["rule"], alternative["fires"]) == ("em", False, "af", True)
    assert exact["differences"] == [{"where": "arg2", "missing": [], "extra": ["and Bergen"]}]
    assert [match["cluster"] for match in result["matches"]] == ["2"]


def test_thin_gold_has_fewer_formulations_and_is_said_to(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--dataset", "sample", "--sentence", "1", *EXTRACTION)
    full = explained_json(capsys, *given)
    assert "formulations" not in full and max(len(cluster["formulations"]) for cluster in full["clusters"]) > 1
    for flags, name in ((("first",), "first"), (("random", "--seed", "3"), "random-3")):
        thin = explained_json(capsys, *given, "--formulations", *flags)
        assert thin["formulations"] == name
        assert [len(cluster["formulations"]) for cluster in thin["clusters"]] == [1] * len(full["clusters"])
        for one, other in zip(thin["clusters"], full["clusters"], strict=True):
            assert one["formulations"][0] in other["formulations"]
    assert main([*given, "--formulations", "2"]) == 0
    assert "(formulations:2)" in capsys.readouterr().out.splitlines()[-1]


def test_json_to_a_file_keeps_the_text(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "why.json"
    assert main(["--gold", str(gold), "--sentence", "1", *EXTRACTION, "--json", str(target)]) == 0
    assert json.loads(target.read_text())["matches"]
    assert "cluster 2" in capsys.readouterr().out


def test_empty_and_untidy_slots(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = explained_json(capsys, "--gold", gold, "--sentence", 2, "--extraction", " The  mill", "burned down", "")
    assert [match["cluster"] for match in result["matches"]] == ["1"]
    result = explained_json(capsys, "--gold", gold, "--sentence", 2, "--extraction", " -LRB- mill", "burned", "")
    assert result["extraction"]["arg1"] == "-LRB- mill"


def test_a_data_set(capsys: pytest.CaptureFixture[str]) -> None:
    extraction = ["--extraction", "Odile Farrant", "is", "Mayor"]
    result = explained_json(capsys, "--dataset", "sample", "--sentence", "1", *extraction)
    assert [match["rule"] for match in result["matches"]] == ["em"]


def test_an_unknown_sentence_names_some_ids_and_the_closest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "gold.txt"
    names = ["a1", "a2", "a3", "news-17", "blog-9"]
    path.write_text("".join(f"sent_id:{n}\tRain fell .\n{n}--> Cluster 1:\nRain --> fell --> XXX\n" for n in names))
    target = tmp_path / "why.json"
    arguments = ["--gold", str(path), "--sentence", "new-17", *EXTRACTION, "--json", str(target)]
    assert run(main, arguments) == 1
    shown = capsys.readouterr()
    assert not shown.out and not target.exists()
    assert len(shown.err.splitlines()) == 1
    assert "the gold has no sentence 'new-17'; its 5 ids are a1, a2, a3, ...; the closest: news-17" in shown.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--gold", "no.txt", "--sentence", "1", *EXTRACTION], "no such file"),
        (["--dataset", "nothing", "--sentence", "1", *EXTRACTION], "no data set or folder"),
        (["--dataset", "sample", "--sentence", "1", "--extraction", "", " ", ""], "needs at least one word"),
        (["--dataset", "sample", "--sentence", "1", *EXTRACTION, "--matcher", "magic"], "no matcher is called"),
    ],
)
def test_bad_input(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(main, arguments) == 1
    shown = capsys.readouterr()
    assert not shown.out
    assert len(shown.err.splitlines()) == 1 and message in shown.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--dataset", "sample", *EXTRACTION],
        ["--dataset", "sample", "--sentence", "1"],
        ["--dataset", "sample", "--sentence", "1", "--extraction", "a", "b"],
        ["--sentence", "1", *EXTRACTION],
        ["--dataset", "sample", "--sentence", "1", *EXTRACTION, "--color", "pink"],
        ["--dataset", "sample", "--sentence", "1", *EXTRACTION, "--formulations", "0"],
        ["--dataset", "sample", "--sentence", "1", *EXTRACTION, "--formulations", "random", "--seed", "-1"],
    ],
)
def test_wrong_usage(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2


def test_color(gold: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["--gold", str(gold), "--sentence", "1", *EXTRACTION]
    main([*arguments, "--color", "always"])
    assert "\033[31m'and Bergen'\033[0m" in capsys.readouterr().out

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert not in_color("auto")
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert in_color("auto") and in_color("always") and not in_color("never")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not in_color("auto") and in_color("always")


def test_the_command_as_users_start_it(gold: Path) -> None:
    command = [sys.executable, "-m", "matchers.explain", "--gold", str(gold), "--sentence", "9", *EXTRACTION]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "the gold has no sentence '9'; its 2 ids are 1, 2\n" in done.stderr
    assert "Traceback" not in done.stderr
