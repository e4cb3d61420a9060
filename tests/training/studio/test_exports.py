"""What goes out: assignments as BenchIE^FL_match has them, with who judged."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from data.catalog import load
from data.model import Extraction
from data.problems import Diagnostics, InputError
from training.studio import exports
from training.studio.actions import Judge, Settle
from training.studio.studio import Options, Studio

GOLD = (
    b"sent_id:1\tRuud flew the ferry home .\n1--> Cluster 1:\nRuud --> flew --> [the] ferry\n"
    b"1--> Cluster 2:\nRuud --> flew --> home\n"
)
EXACT, LOOSE, OTHER = (
    Extraction("1", "Ruud", *rest) for rest in (("flew", "the ferry"), ("flew a", "ferry"), ("flew", "home"))
)


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    found = Studio(tmp_path / "mine", Options(twice=1))
    found.take("Ada", found.incoming(GOLD, ""))
    lines = "".join("\t".join(("1", *e.slots)) + "\n" for e in (LOOSE, EXACT, OTHER))
    found.take("Ada", found.incoming(lines.encode(), "pithy"))
    found.take("Ada", found.incoming("\t".join(("1", *LOOSE.slots)).encode(), "wordy"))
    found.do("Ada", [Judge(EXACT, ("1",), 1), Judge(LOOSE, ("1",), 1), Judge(OTHER, ("2",), 1)])
    return found


def test_a_cluster_credits_the_closest_extraction_of_a_system_and_a_repeat_gets_none(studio: Studio) -> None:
    found = {
        (one.judgment.system, one.judgment.extraction): one for one in exports.credited(studio.state, studio.systems)
    }
    assert found["pithy", EXACT].judgment.clusters == ("1",)
    assert found["pithy", LOOSE].judgment.clusters == ()
    assert found["pithy", LOOSE].stated == ("1",)
    assert found["wordy", LOOSE].judgment.clusters == ("1",)  # alone there


def test_who_judged_and_who_settled_is_told(studio: Studio) -> None:
    studio.do("Bo", [Judge(OTHER, (), 1)])
    assert OTHER not in [one.judgment.extraction for one in exports.credited(studio.state, studio.systems)]
    studio.do("Cy", [Settle(OTHER, ("2",), "clear")])
    lines = [
        json.loads(line) for line in exports.judgment_lines(exports.credited(studio.state, studio.systems)).splitlines()
    ]
    (line,) = [line for line in lines if line["arg2"] == "home"]
    assert (line["by"], line["settled_by"], line["clusters"]) == (["Ada", "Bo"], "Cy", ["2"])
    rows = list(
        csv.DictReader(io.StringIO(exports.opinions_csv(studio.benchmark(), studio.state, studio.systems).decode()))
    )
    assert {(row["person"], row["cluster"]) for row in rows if row["extraction"].endswith("home")} == {
        ("Ada", "2"),
        ("Bo", "0"),
    }


def test_two_clusters_are_credited_where_a_person_named_both(studio: Studio) -> None:
    studio.do("Ada", [Judge(OTHER, ("1", "2"), 1), Judge(EXACT, (), 1), Judge(LOOSE, (), 1)])
    (found,) = [one for one in exports.credited(studio.state, studio.systems) if one.stated]
    assert found.judgment.clusters == ("1", "2")
    assert b"1.2" in exports.match_csv(studio.benchmark(), [found])


def test_the_folder_is_read_by_the_commands_without_conversion(studio: Studio) -> None:
    assert set(studio.write_files()) == {"gold/gold.txt", "judgments/judgments.jsonl"}
    benchmark = load(str(studio.folder), None, Diagnostics(strict=True))
    assert (len(benchmark.sentences), len(benchmark.systems), len(benchmark.judgments)) == (1, 2, 4)
    assert studio.write_files() == []


def test_a_reason_is_text_for_a_spreadsheet_too(studio: Studio) -> None:
    studio.do("Ada", [Judge(studio.systems[0].extractions[0], (), 1, reason='=HYPERLINK("http://evil.example")')])
    content = exports.opinions_csv(studio.benchmark(), studio.state, studio.systems).decode()
    assert [row["reason"][:2] for row in csv.DictReader(io.StringIO(content)) if row["reason"]] == ["'="]


def test_only_formats_of_gold_go_out(studio: Studio) -> None:
    for name in ("wire57", "carb", "../gold", ""):
        with pytest.raises(InputError, match="no gold goes out"):
            exports.gold_file(studio.benchmark(), name)
