from __future__ import annotations

from pathlib import Path

import pytest

from data.folder import load_folder
from data.judgments import UNRESOLVED
from data.problems import Diagnostics, InputError

GOLD = """sent_id:7\tShe left - so they say - early .
7--> Cluster 1:
she --> left --> XXX
7--> Cluster 2:
she --> left --> early
"""


def load(tmp_path: Path, csv: str, extractions: str = "7\tshe\tleft - so they say -\tearly\n"):
    for folder, name, text in (("gold", "g.txt", GOLD), ("extractions", "s.txt", extractions), ("match", "m.csv", csv)):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_text(text)
    diagnostics = Diagnostics()
    return load_folder(tmp_path, diagnostics), diagnostics


def test_joined_strings_are_resolved_against_the_files(tmp_path: Path) -> None:
    benchmark, diagnostics = load(tmp_path, ",extraction,,system,\n0,she - left - so they say - - early,2,s,1\n")
    assert benchmark.judgments[0].extraction.relation == "left - so they say -"
    assert benchmark.judgments[0].clusters == ("2",) and not diagnostics.problems


def test_a_row_that_no_file_has_counts_as_an_extraction(tmp_path: Path) -> None:
    text = ",extraction,,system\n0,she - left - so they say - - early,0,s\n0,she - left -,1.2,s\n"
    benchmark, diagnostics = load(tmp_path, text)
    assert benchmark.judgments[1].extraction.slots == ("she", "left", "")
    assert benchmark.judgments[1].clusters == ("1", "2")
    assert benchmark.extraction_count == 2
    assert diagnostics.counts() == {UNRESOLVED: 1}


@pytest.mark.parametrize(
    ("row", "message"),
    [("9,a - b - c,1,s", "no sentence index"), ("0,a - b - c,x,s", "no cluster"), ("0,a - b - c,5,s", "no cluster 5"),
     ("0,a", "columns")],
)  # fmt: skip
def test_bad_rows_name_their_line(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(InputError, match=f"m.csv:2: .*{message}"):
        load(tmp_path, f",extraction,,system,\n{row}\n")
