from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from matchers.scoring.bootstrap import Interval
from tests.training.compared import TERMS, comparison, hostile, page
from training.comparison.comparison import compare
from training.comparison.ground import Ground
from training.comparison.lineup import find_contenders
from training.comparison.measurement import Measurement
from training.evaluation.significance import Difference
from training.pages.disagreements import MISSED, WRONG, disagreements
from training.pages.report import (
    case_link,
    citation,
    headline,
    keys,
    lead,
    report_page,
    results_table,
    scored_curves,
    speed_table,
)

VOID = {"meta", "br", "img", "input", "link", "hr", "line", "circle", "path"}


class Page(HTMLParser):
    """The elements of a page: their ids, links and sources; unclosed ones are an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.tags: list[str] = []
        self.handlers: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.links.append(value or "")
            if name in ("src", "srcset", "action", "data", "style"):
                self.sources.append(f"{tag} {name}={value}")
            if name.startswith("on"):
                self.handlers.append(f"{tag} {name}")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def data_of(text: str) -> Any:
    found = re.search(r'<script type="application/json" id="cases-data">(.*?)</script>', text, re.S)
    assert found
    return json.loads(found.group(1))


@pytest.fixture(scope="module")
def text() -> str:
    return page()


def test_the_page_is_whole_and_needs_nothing(text: str) -> None:
    parsed = Page(text)
    assert not parsed.open and not parsed.handlers and not parsed.sources
    assert "link" not in parsed.tags and "img" not in parsed.tags and "iframe" not in parsed.tags
    assert len(set(parsed.ids)) == len(parsed.ids)
    assert all(link.startswith("#") for link in parsed.links)
    assert not re.search(r"https?://", text.replace("http-equiv", ""))
    targets = {link.removeprefix("#") for link in parsed.links if "?" not in link}
    assert targets <= set(parsed.ids)


def test_the_policy_names_the_script_and_the_style(text: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy and "default-src &#39;none&#39;" in policy.group(1) and "unsafe" not in policy.group(1)


def test_the_headline_and_what_it_rests_on(text: str) -> None:
    best = comparison().best
    assert f"<h1>{headline(comparison())}</h1>" in text
    found = keys(comparison())
    assert found[0].title == "Match F1" and found[0].text == f"{best.pairs.score.f1:.3f}"  # type: ignore[union-attr]
    said = lead(comparison())
    assert "Of the 810 matches that people made in 8,740 pairs" in said
    assert "Significantly worse than the rules: em" in said


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (0.3, "learned and the rules agree with people about equally"),
        (0.01, "learned agrees better with people than the rules"),
    ],
)
def test_the_headline_claims_no_more_than_the_test(p: float, said: str) -> None:
    whole = comparison()
    rules = whole.baseline
    assert rules.pairs
    better = replace(rules.pairs.score, fp=0, tp=rules.pairs.score.tp + 9)
    ahead = replace(rules.pairs, score=better, difference=Difference(0.01, Interval(-0.01, 0.03), p))
    learned = replace(rules, verdicts=replace(rules.verdicts, name="learned"), pairs=ahead)
    assert headline(replace(whole, results=(rules, learned))) == said


def test_the_rules_are_not_said_to_be_better_than_what_is_close_to_them() -> None:
    whole = comparison()
    rules = whole.baseline
    assert rules.pairs
    below = replace(rules.pairs.score, tp=rules.pairs.score.tp - 3)
    close = replace(rules.pairs, score=below, difference=Difference(-0.01, Interval(-0.03, 0.01), 0.4))
    learned = replace(rules, verdicts=replace(rules.verdicts, name="learned"), pairs=close)
    assert headline(replace(whole, results=(rules, learned))) == "learned and the rules agree with people about equally"
    assert headline(replace(whole, results=(rules,))) == "rules agrees best with people"


def test_the_page_says_how_it_was_made(text: str) -> None:
    assert "python -m training.benchmark --dataset sample" in text
    for result in comparison().results:
        assert result.verdicts.signature in text
    assert "numpy" in text and "Python 3" in text


def test_every_disagreement_is_a_case(text: str) -> None:
    found = data_of(text)
    ground = comparison().ground
    results = [result for result in comparison().results if result.verdicts.assignments is not None]
    assert found["matchers"] == [result.name for result in results]
    for number, result in enumerate(results):
        wrong = missed = 0
        for part, assignment in zip(ground.work, result.verdicts.assignments or (), strict=True):
            for index, label in enumerate(part.labels):
                said = {match.cluster for match in assignment.of(index)}
                wrong += bool(said - label)
                missed += bool(label - said)
        assert sum(bool(case["k"][number] & WRONG) for case in found["cases"]) == wrong
        assert sum(bool(case["k"][number] & MISSED) for case in found["cases"]) == missed
    assert all(any(case["k"]) for case in found["cases"])


def test_a_case_says_what_everybody_said_and_why(text: str) -> None:
    found = data_of(text)
    ids = [case["id"] for case in found["cases"]]
    assert len(set(ids)) == len(ids)
    rules = found["matchers"].index("rules")
    words = found["matchers"].index("words")
    case = next(case for case in found["cases"] if case["k"][rules] == MISSED)
    assert case["p"] and case["d"] and case["o"]
    fact, outcomes = case["o"][0]
    assert [rule for rule, _, _ in outcomes] == ["em", "af", "lod", "punc"]
    assert found["texts"][outcomes[0][2]].startswith(("the nearest formulation is", "is the formulation"))
    assert fact in [one["c"] for one in case["d"]]
    own = next(case for case in found["cases"] if case["k"][words])
    assert any(found["texts"][number].startswith("asks for") for number in own["v"][words]["w"])
    wrong = next(case for case in found["cases"] if case["k"][rules] & WRONG)
    assert found["rules"][wrong["v"][rules]["r"]] in {"em", "af", "lod", "em+punc", "af+punc", "lod+punc"}


def test_cases_keep_their_ids_when_others_are_compared() -> None:
    alone = compare(comparison().ground, find_contenders(["em"]), TERMS)
    few = {case["id"] for case in disagreements(alone, []).cases}
    many = {case["id"] for case in data_of(page())["cases"]}
    assert few and few <= many


def test_those_of_the_best_come_first() -> None:
    found = data_of(page())
    lead_matcher = found["matchers"].index(comparison().best.name)
    flags = [bool(case["k"][lead_matcher]) for case in found["cases"]]
    assert flags == sorted(flags, reverse=True)


def test_curves_of_matchers_with_scores_only() -> None:
    assert list(scored_curves(comparison())) == ["rules", "wire57", "words"]


def test_published_figures_are_a_group_of_their_own() -> None:
    from training.comparison.published import FIGURES

    plain, with_paper = results_table(comparison(), {}), results_table(comparison(), FIGURES)
    assert len(with_paper.columns) == len(plain.columns) + 3
    assert ("published", 3) in with_paper.groups
    assert all(len(row.cells) == len(with_paper.columns) for row in with_paper.rows)
    assert all(len(row.cells) == len(plain.columns) for row in plain.rows)


def test_links_to_cases_are_safe() -> None:
    assert case_link("em+af&x", "missed") == "#cases?matcher=em%2Baf%26x&kind=missed"


def test_speed_is_on_the_page() -> None:
    speeds = {"rules": [Measurement(100, 10, 100, 2.0, 50.0, 0.4, 1.0, 1.0)]}
    table = speed_table(speeds)
    assert table is not None and [cell.text for cell in table.rows[0].cells][:4] == ["rules", "100x", "5", "50"]
    assert 'id="speed"' in report_page(replace(comparison(), speeds=speeds), "sample", "")
    assert 'id="speed"' not in page()


def test_timings_can_be_left_out() -> None:
    without, timed = results_table(comparison(), {}, timings=False), results_table(comparison(), {})
    assert without.columns == timed.columns[:-1] and timed.columns[-1].title == "pairs/s"
    assert all(len(row.cells) == len(without.columns) for row in without.rows)


def test_data_sets_say_how_to_cite_them() -> None:
    assert "Lamarche" in citation("benchie_fl_match") and citation("mine") == ""


def test_hostile_texts_are_escaped() -> None:
    found = compare(Ground.of(hostile()), find_contenders(["em", "oie2016"]), TERMS)
    text = report_page(found, "</script>", "<b>")
    parsed = Page(text)
    assert parsed.tags.count("script") == 2 and not parsed.handlers and not parsed.sources
    assert not {"img", "u", "iframe"} & set(parsed.tags)
    data = data_of(text)
    assert data["systems"] == ["sys<svg/onload=hacked()>", "other&amp;"]
    assert all("{{ 7*7 }}" in sentence["text"] for sentence in data["sentences"])
