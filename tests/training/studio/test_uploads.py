"""Files of all formats come in as what they are, and each that goes out comes back equal."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.catalog import SAMPLE
from data.model import Benchmark
from data.problems import InputError
from training.studio import exports
from training.studio.studio import FILE_PERSON, Options, Studio

GOLD = (
    "sent_id:1\tLena Ruud , a pilot , flew home .\n1--> Cluster 1:\nLena Ruud --> is --> [a] pilot\n"
    "Lena Ruud --> is [a] --> pilot\n1--> Cluster 2:\nLena Ruud --> flew [home] --> XXX\n\n"
    "sent_id:2\tThe ferry left .\n2--> Cluster 1:\n[The very old] ferry --> left --> XXX\n"
)


def opened(folder: Path, *files: bytes) -> Studio:
    studio = Studio(folder, Options(twice=1))
    for content in files:
        studio.take("Ada", studio.incoming(content, "mine"))
    return studio


def gold_of(studio: Studio) -> Benchmark:
    return exports.gold(studio.state, "studio", "en")


@pytest.mark.parametrize("form", ["benchie", "annie-json", "annie-text", "studio-jsonl"])
def test_gold_round_trips_in_every_format(tmp_path: Path, form: str) -> None:
    one = opened(tmp_path / "one", GOLD.encode())
    lines = exports.studio_lines(one.state) if form == "studio-jsonl" else exports.gold_file(gold_of(one), form)
    two = opened(tmp_path / "two", lines)
    assert gold_of(two).sentences == gold_of(one).sentences


def test_notes_and_status_round_trip_in_the_studios_lines(tmp_path: Path) -> None:
    from training.studio.facts import Request

    one = opened(tmp_path / "one", GOLD.encode())
    one.edit("Ada", 1, one.draft(1).version, Request("note", text='a "note"\nof two lines'))
    one.edit("Ada", 2, one.draft(2).version, Request("status", text="doubtful"))
    two = opened(tmp_path / "two", exports.studio_lines(one.state))
    assert [(d.now.note, d.now.status) for d in two.state.drafts.values()] == [
        (d.now.note, d.now.status) for d in one.state.drafts.values()
    ]


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_judgments_round_trip(tmp_path: Path, form: str) -> None:
    one = Studio(tmp_path / "one", Options())
    for name in ("gold/sample.txt", "extractions/pithy.txt"):
        path = SAMPLE / name
        one.take("Ada", one.incoming(path.read_bytes(), path.stem))
    lines = (SAMPLE / "judgments" / "sample.jsonl").read_text().splitlines()
    kept = "\n".join(line for line in lines if '"pithy"' in line)
    one.take("Ada", one.incoming(kept.encode(), ""))
    found = exports.credited(one.state, one.systems)
    assert len(found) == len(kept.splitlines())
    content = exports.judgment_lines(found) if form == "jsonl" else exports.match_csv(one.benchmark(), found)
    two = Studio(tmp_path / "two", Options())
    two.take("Ada", two.incoming(exports.gold_file(gold_of(one), "benchie"), ""))
    two.take("Ada", two.incoming((SAMPLE / "extractions" / "pithy.txt").read_bytes(), "pithy"))
    two.take("Ada", two.incoming(content, ""))
    again = exports.credited(two.state, two.systems)
    assert [one.judgment for one in again] == [one.judgment for one in found]


def test_extractions_come_in_with_a_name_and_are_a_file_of_the_folder(tmp_path: Path) -> None:
    studio = opened(tmp_path, GOLD.encode(), b"1\tLena Ruud\tflew\thome\n")
    assert [system.name for system in studio.systems] == ["mine"]
    assert (tmp_path / "extractions" / "mine.tsv").read_text() == "1\tLena Ruud\tflew\thome\n"
    with pytest.raises(Exception, match="already"):
        studio.take("Ada", studio.incoming(b"1\tRuud\tflew\thome\n", "MINE"))
    with pytest.raises(InputError, match="'7' is not here"):
        studio.incoming(b"7\tRuud\tflew\thome\n", "other")


def test_gold_that_differs_becomes_a_step_that_can_be_undone(tmp_path: Path) -> None:
    studio = opened(tmp_path, GOLD.encode(), GOLD.replace("left --> XXX", "left --> Tarn").encode())
    assert len(studio.state.drafts) == 2
    assert "Tarn" in str(studio.draft(2).now.clusters[0].formulations[0])
    assert studio.draft(2).past
    assert studio.draft(2).now.person == FILE_PERSON


def test_another_sentence_of_a_known_id_gets_an_id_of_its_own(tmp_path: Path) -> None:
    studio = opened(tmp_path, GOLD.encode(), b"sent_id:1\tSomething else .\n1--> Cluster 1:\na --> b --> c\n")
    assert [draft.id for draft in studio.state.drafts.values()] == ["1", "2", "3"]


def test_an_error_names_the_line_and_no_place_of_ours(tmp_path: Path) -> None:
    studio = opened(tmp_path, GOLD.encode())
    with pytest.raises(InputError, match=r"line 3: .*three slots") as caught:
        studio.incoming(b"sent_id:9\tx y\n9--> Cluster 1:\nx --> y\n", "")
    assert "upload" not in str(caught.value)
