from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import data
from data.problems import InputError
from matchers import load
from matchers.llm.matcher import LlmMatcher, closeness, load_llm
from matchers.llm.settings import LlmSettings
from tests.matchers.facts import formulation, sentence, triple
from tests.matchers.llm.fault_server import Body, ChatServer

GOLD = sentence(
    ["Mara Venn --> is --> [a] chemist", "Mara Venn --> works as --> [a] chemist"],
    "Mara Venn --> lives in --> Oslo",
    text="Mara Venn , a chemist , lives in Oslo .",
)


def matcher(server: ChatServer, folder: Path, examples: str = "") -> LlmMatcher:
    settings = LlmSettings(server.base, cache=folder / "llm.sqlite", timeout=5.0, backoff=0.01, examples=examples)
    return load_llm("llm:small", settings)


def answering(answers: dict[str, str]) -> ChatServer:
    """A server that answers by the extraction's relation."""

    def answer(body: Body) -> str:
        asked = body["messages"][1]["content"].rsplit("Extraction: ", 1)[1]
        return next((said for relation, said in answers.items() if f"; {relation};" in asked), '{"fact": 0}')

    return ChatServer(answer=answer)


def credited(found: LlmMatcher, extractions: Sequence[str]) -> list[tuple[str, ...]]:
    assignment = found.match(GOLD, [triple(text) for text in extractions])
    return [tuple(match.cluster for match in assignment.of(index)) for index in range(len(extractions))]


def test_the_model_decides_what_exact_match_leaves_open(tmp_path: Path) -> None:
    with answering({"resides in": '{"fact": 2}'}) as server:
        found = matcher(server, tmp_path)
        assert credited(found, ["mara venn - is - a chemist", "Mara Venn - resides in - Oslo"]) == [("1",), ("2",)]
    assert len(server.bodies) == 1


def test_an_extraction_without_a_word_in_common_is_not_asked_of(tmp_path: Path) -> None:
    with ChatServer() as server:
        assert credited(matcher(server, tmp_path), ["the sun - shines on - the hills"]) == [()]
    assert not server.bodies


def test_a_sentence_without_facts_is_not_asked_of(tmp_path: Path) -> None:
    with ChatServer() as server:
        assert not matcher(server, tmp_path).match(sentence(), [triple("a - b - c")]).matches
    assert not server.bodies


def test_a_fact_credits_the_closest_extraction(tmp_path: Path) -> None:
    with answering({"lives near": '{"fact": 2}', "lives now in": '{"fact": 2}'}) as server:
        texts = ["Venn - lives near - Oslo fjord", "Mara Venn - lives now in - Oslo"]
        assert credited(matcher(server, tmp_path), texts) == [(), ("2",)]


def test_exact_matches_come_first(tmp_path: Path) -> None:
    with answering({"lives today in": '{"fact": 2}'}) as server:
        texts = ["Mara Venn - lives today in - Oslo", "Mara Venn - lives in - Oslo"]
        assert credited(matcher(server, tmp_path), texts) == [(), ("2",)]


def test_invalid_answers_are_counted_and_match_nothing(tmp_path: Path) -> None:
    with answering({"was in": "Fact 2, surely", "is in": '{"fact": 9}', "stays in": '{"fact": 2}'}) as server:
        found = matcher(server, tmp_path)
        assert found.settings["invalid"] == "0of0"
        texts = [f"Mara Venn - {relation} - Oslo" for relation in ("was in", "is in", "stays in")]
        assert credited(found, texts) == [(), (), ("2",)]
    assert found.settings["invalid"] == "2of3"
    assert "3 calls, 2 invalid answers" in found.afterword()


def test_the_signature_has_prompt_and_temperature(tmp_path: Path) -> None:
    with ChatServer() as server:
        ours, theirs = matcher(server, tmp_path), matcher(server, tmp_path, "sample")
    assert ours.name == "llm:small"
    assert ours.settings["temperature"] == "0"
    assert ours.settings["prompt"].startswith("v1-")
    assert ours.settings["prompt"] != theirs.settings["prompt"]


def test_many_systems_ask_one_question_once(tmp_path: Path) -> None:
    with ChatServer() as server:
        part = (GOLD, [triple("Mara Venn - lives at - Oslo")])
        found = matcher(server, tmp_path).match_many([part, part, part])
    assert len(found) == 3 and len(server.bodies) == 1


def test_sentences_of_the_examples_are_refused_under_test(tmp_path: Path) -> None:
    sample = data.load("sample")
    with ChatServer() as server:
        found = matcher(server, tmp_path, "sample")
        assert found.trained_on
        texts = {example.sentence.text for example in found.prompt.examples}
        seen = next(one for one in sample.sentences if one.text in texts)
        with pytest.raises(InputError, match="in the prompt's examples"):
            found.match(seen, sample.systems[0].by_sentence[seen.id])
    assert not server.bodies


def test_examples_of_a_set_are_as_people_judged_them(tmp_path: Path) -> None:
    sample = data.load("sample")
    judged = {(j.extraction.sentence_id, j.extraction.slots): j.clusters for j in sample.judgments}
    with ChatServer() as server:
        examples = matcher(server, tmp_path, "sample").prompt.examples
    assert sorted(bool(one.fact) for one in examples) == [False] * 4 + [True] * 4
    for one in examples:
        expected = (one.sentence.clusters[one.fact - 1].id,) if one.fact else ()
        assert judged[one.sentence.id, one.extraction.slots] == expected


def test_explaining_shows_what_was_asked_and_answered(tmp_path: Path) -> None:
    with answering({"resides in": '{"fact": 2}'}) as server:
        found = matcher(server, tmp_path)
        extraction = triple("Mara Venn - resides in - Oslo")
        lines = "\n".join(found.explain_extraction(GOLD, extraction))
        assert "Extraction: (Mara Venn; resides in; Oslo)" in lines and '{"fact": 2}' in lines
        assert "yes" in found.explain_pair(GOLD, extraction, GOLD.clusters[1])[0]
        assert "no;" in found.explain_pair(GOLD, extraction, GOLD.clusters[0])[0]
    assert len(server.bodies) == 1


@pytest.mark.parametrize("name", ["llm:", "llm:two words", "llm:a|b", "llm:tab\t"])
def test_what_is_no_model(name: str) -> None:
    with pytest.raises(InputError, match="names no model"):
        load(name)


def test_no_server_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FACTMATCH_LLM_URL", raising=False)
    found = load_llm("llm:small", LlmSettings(cache=tmp_path / "llm.sqlite"))
    with pytest.raises(InputError, match="--base-url or FACTMATCH_LLM_URL"):
        found.match(GOLD, [triple("Mara Venn - resides in - Oslo")])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mara Venn - is - a chemist", 1.0),
        ("Mara Venn - is - chemist", 1.0),
        ("mara venn - IS - chemist .", 1.0),
        ("Mara Venn - is - a good chemist", 10 / 11),
        ("x - y - z", 0.0),
    ],
)
def test_closeness(text: str, expected: float) -> None:
    assert closeness(triple(text), formulation("Mara Venn --> is --> [a] chemist")) == pytest.approx(expected)


def test_answers_are_the_same_from_the_cache(tmp_path: Path) -> None:
    with answering({"resides in": '{"fact": 2}'}) as server:
        texts = ["Mara Venn - resides in - Oslo"]
        first = credited(matcher(server, tmp_path), texts)
        server.answer = lambda _: json.dumps({"fact": 1})
        assert credited(matcher(server, tmp_path), texts) == first
