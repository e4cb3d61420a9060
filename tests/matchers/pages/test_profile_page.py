"""The pictures of profiles: that they show the profile's figures, on their own page and on that of scores."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from data.catalog import load as load_data
from data.model import Benchmark
from data.problems import Diagnostics
from matchers import load
from matchers.pages.profile_page import headline, lead
from matchers.pages.profile_plots import line_plot, pictures, spread
from matchers.profile import main
from matchers.profiling.profiles import Profile, profile
from matchers.score import main as score
from matchers.scoring.bootstrap import Interval


@pytest.fixture
def small(folder: Path) -> Benchmark:
    return load_data(folder, diagnostics=Diagnostics())


@pytest.fixture
def found(small: Benchmark) -> Profile:
    return profile(small, load("em"))


def bars_of(text: str, table: str) -> dict[str, list[tuple[float, str]]]:
    """The lengths and texts of the bars of each system."""
    body = text[text.index(f'id="{table}"') :]
    body = body[body.index("<tbody>") : body.index("</tbody>")]
    found = {}
    for row in re.findall(r"<tr>.*?</tr>", body, re.S):
        name = re.search(r'<th scope="row">(\S+)', row)
        assert name
        bars = re.findall(r'class="share" width="([\d.]+)%".*?<span>([\d.]+)</span>', row, re.S)
        found[name.group(1)] = [(float(length), shown) for length, shown in bars]
    return found


def test_the_page_shows_the_figures_of_the_json(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, figures = tmp_path / "page.html", tmp_path / "profile.json"
    assert main(["--gold", str(gold), "--matcher", "em", "--report", str(page), "--json", str(figures)]) == 0
    assert "F1 by length of the sentence" in capsys.readouterr().out, "the tables are printed beside the page"
    text, result = page.read_text(), json.loads(figures.read_text())
    slots, buckets = bars_of(text, "slots-table"), bars_of(text, "buckets-table")
    for system in result["systems"]:
        errors = system["errors"]
        shares = list(errors["slots"].values())
        assert slots[system["name"]] == [(pytest.approx(100 * share), f"{share:.2f}") for share in shares]
        shown = [text for _, text in buckets[system["name"]]]
        assert shown == [f"{bucket['share']:.2f}" for bucket in errors["buckets"]] and len(shown) == 7
    for name, sizes in result["bucket_sizes"].items():
        assert f"<b>F1 by {name}</b>" in text
        assert all(f">{size}</text>" in text for size in sizes.values())
    assert result["signature"] in text and f"--gold {gold}" in text
    order = sorted(result["systems"], key=lambda system: -system["f1"])
    assert list(slots) == [system["name"] for system in order], "the best system comes first"


def test_the_highest_share_of_a_row_is_marked(found: Profile) -> None:
    table = pictures(found).slots
    assert table
    rows = {name: bars for name, _, bars in table.rows}
    assert [bar.highest for bar in rows["long"]] == [False, False, True]


def test_the_longest_bar_of_the_buckets_fills_its_cell(found: Profile) -> None:
    table = pictures(found).buckets
    assert table
    lengths = [bar.length for _, _, bars in table.rows for bar in bars]
    assert max(lengths) == 100.0 and [column.right for column in table.columns][-1] == (1, 1, 0)
    assert table.columns[-1].title == "arg2 wrong"


def test_lines_fall_where_f1_falls(found: Profile) -> None:
    sizes = {"few": 1, "none": 0, "many": 1}
    system = found.systems[0]
    scores = {"few": replace(system.score, f1=0.8), "none": system.score, "many": replace(system.score, f1=0.2)}
    bounds = {"few": Interval(0.7, 0.9), "many": Interval(0.1, 0.4)}
    own = replace(system, by_bucket={"words": scores}, intervals={"words": bounds})
    (line,) = line_plot("words", sizes, [own]).lines
    (left, high, *ends), (right, low, *_) = line.points
    assert ends[0] > high > ends[1], "the interval is around its value"
    assert right == 2 * line_plot("words", sizes, []).buckets[1][0] and left == 0, "an empty bucket keeps its place"
    assert high < low, "a lower F1 is further down"
    assert line.text == f"{system.name}: few 0.800 [0.70, 0.90], many 0.200 [0.10, 0.40]"


def test_labels_do_not_cover_each_other() -> None:
    found = spread(dict.fromkeys("abcd", 95.0), 100.0, 10.0)
    assert sorted(found.values()) == [70.0, 80.0, 90.0, 100.0]
    assert spread({"a": 5.0, "b": 60.0}, 100.0, 10.0) == {"a": 5.0, "b": 60.0}


def test_lengths_stand_in_order(found: Profile) -> None:
    for row in pictures(found).lengths.rows:
        assert row.shortest <= row.lower <= row.median <= row.upper <= row.longest
        assert row.shortest <= row.mean <= row.longest


def test_the_headline_names_the_slot_that_fails(found: Profile) -> None:
    assert headline(found.systems) == "2 of 2 systems fail most often in the second argument"
    assert headline(found.systems[:1]) == "long fails most often in the second argument"
    assert lead(found.systems) == "Of 6 extractions, 3 state a fact, 0 repeat one, and 3 are wrong in a slot."


def test_a_system_without_errors(gold: Path, tmp_path: Path) -> None:
    right, page = tmp_path / "right.tsv", tmp_path / "page.html"
    right.write_text("1\tMara Venn\tmoved to\tOslo\n")
    assert main(["--gold", str(gold), "--system", f"right={right}", "--report", str(page), "--quiet"]) == 0
    text = page.read_text()
    assert "<h1>No extraction is wrong</h1>" in text
    assert bars_of(text, "slots-table") == {"right": [(0.0, "0.00")] * 3}


def test_a_system_of_which_nothing_is_left(gold: Path, tmp_path: Path) -> None:
    foreign, page = tmp_path / "foreign.tsv", tmp_path / "page.html"
    foreign.write_text("1\tNobody\twent\taway\n")
    given = ["--gold", str(gold), "--system", f"foreign={foreign}", "--implicit", "drop", "--quiet"]
    assert score([*given, "--report", str(page)]) == 0
    assert bars_of(page.read_text(), "slots-table") == {"foreign": [(0.0, "0.00")] * 3}


def test_the_page_on_stdout_is_the_page_alone(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--gold", str(gold), "--report", "-", "--quiet"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("<!doctype html>") and out.rstrip().endswith("</html>")


def test_the_page_of_scores_has_the_profile(gold: Path, tmp_path: Path) -> None:
    own, scores = tmp_path / "profile.html", tmp_path / "scores.html"
    assert main(["--gold", str(gold), "--matcher", "em", "--report", str(own), "--quiet"]) == 0
    assert score(["--gold", str(gold), "--matcher", "em", "--report", str(scores), "--quiet"]) == 0
    for table in ("slots-table", "buckets-table"):
        assert bars_of(scores.read_text(), table) == bars_of(own.read_text(), table)
    lines = r'<g class="system[^"]*" tabindex="0" role="img" aria-label="([^"]*)"'
    assert re.findall(lines, scores.read_text()) == re.findall(lines, own.read_text()) != []


def test_without_slots_there_are_no_slot_errors(gold: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert score(["--gold", str(gold), "--facet", "C", "--report", str(page), "--quiet"]) == 0
    text = page.read_text()
    assert 'id="slots-table"' not in text and "<b>F1 by length</b>" in text


def test_english_words_are_not_counted_in_german(gold: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert score(["--gold", str(gold), "--language", "de", "--report", str(page), "--quiet"]) == 0
    text = page.read_text()
    assert "<b>F1 by length</b>" in text and "<b>F1 by conjunctions</b>" not in text


def test_hostile_names(gold: Path, tmp_path: Path) -> None:
    mine, page = tmp_path / "mine.tsv", tmp_path / "page.html"
    mine.write_text("1\tMara Venn\tis\tOslo\n")
    assert main(["--gold", str(gold), "--system", f"</title><img>={mine}", "--report", str(page)]) == 0
    text = page.read_text()
    assert "<img" not in text and text.count("</script>") == 2
