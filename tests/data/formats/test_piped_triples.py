from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.convert import main as convert
from data.formats.piped_triples import read_piped_gold, read_piped_system, split_triple, write_piped_system
from data.formats.registry import guess_format
from data.model import Extraction, System
from data.problems import InputError

GOLD = "# 7\tMara Venn , a chemist , lives in Oslo .\n\nMara Venn|is|a chemist\n- (Mara Venn | lives in | Oslo)\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "mine.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_gold(tmp_path: Path) -> None:
    (sentence,) = read_piped_gold(written(tmp_path, GOLD)).sentences
    assert (sentence.id, sentence.text) == ("7", "Mara Venn , a chemist , lives in Oslo .")
    assert [str(cluster.formulations[0]) for cluster in sentence.clusters] == [
        "Mara Venn --> is --> a chemist",
        "Mara Venn --> lives in --> Oslo",
    ]


def test_extractions_as_models_write_them(tmp_path: Path) -> None:
    text = "# 1\n1. (Mara | lives in | Oslo)\n* Mara | sleeps |\n2) Mara|is|a (good) chemist\n"
    text += "# 2\n(A) kit | costs | $ 4 (net)\n"
    system = read_piped_system(written(tmp_path, text))
    assert system.name == "mine"
    assert [(e.sentence_id, *e.slots) for e in system.extractions] == [
        ("1", "Mara", "lives in", "Oslo"),
        ("1", "Mara", "sleeps", ""),
        ("1", "Mara", "is", "a (good) chemist"),
        ("2", "(A) kit", "costs", "$ 4 (net)"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("# 1\nMara | lives in\n", 2, "there are 2 parts"),
        ("# 1\n\nMara | lives | in | Oslo\n", 3, "there are 4 parts"),
        ("# 1\nHere are the triples:\n", 2, "there are 1 parts"),
        ("# 1\n | | \n", 2, "at least one word"),
        ("Mara | lives in | Oslo\n", 1, "before any sentence"),
        ("# 1\na|b|c\n# 1\n", 3, "headed in line 1 already"),
        ("#\na|b|c\n", 1, "id is missing"),
        ("# a->b\na|b|c\n", 2, "can't be the id"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError, match=message) as error:
        read_piped_system(path)
    assert str(error.value).startswith(f"{path}:{line}: ")


def test_empty_files(tmp_path: Path) -> None:
    for text in ("", "# 1\n"):
        with pytest.raises(InputError, match="no triples"):
            read_piped_system(written(tmp_path, text))
    with pytest.raises(InputError, match="is empty"):
        read_piped_gold(written(tmp_path, ""))


def test_gold_needs_sentences(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"mine\.txt:1: gold needs sentences"):
        read_piped_gold(written(tmp_path, "# 1\na|b|c\n"))


@pytest.mark.parametrize(("text", "expected"), [(GOLD, "piped"), ("# 1\na|b|c\n", "piped-triples")])
def test_the_format_is_recognised(tmp_path: Path, text: str, expected: str) -> None:
    found = guess_format(written(tmp_path, text))
    assert found is not None and found.name == expected


def test_convert(tmp_path: Path) -> None:
    source = written(tmp_path, "# 1\nMara | lives in | Oslo\n")
    assert convert([str(source), str(tmp_path / "out.tsv"), "--to", "extractions-tsv", "--quiet"]) == 0
    assert (tmp_path / "out.tsv").read_text(encoding="utf-8") == "1\tMara\tlives in\tOslo\n"
    back = ["--from", "extractions-tsv", "--to", "piped-triples", "--quiet"]
    assert convert([str(tmp_path / "out.tsv"), str(tmp_path / "back.txt"), *back]) == 0
    assert (tmp_path / "back.txt").read_text(encoding="utf-8") == "# 1\nMara | lives in | Oslo\n"


WORDS = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=6)
SLOTS = st.lists(WORDS, max_size=3).map(lambda words: " ".join(" ".join(words).split()))


@given(st.lists(st.tuples(SLOTS, SLOTS, SLOTS).filter(any), min_size=1, max_size=4))
def test_what_is_written_is_read_back_or_refused(slots: list[tuple[str, str, str]]) -> None:
    import tempfile

    system = System("mine", tuple(Extraction("1", *one) for one in slots))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mine.txt"
        try:
            write_piped_system(system, path)
        except InputError:
            assert not path.exists()
        else:
            assert read_piped_system(path) == system


@given(st.text())
def test_whatever_the_text_it_is_a_triple_or_an_error(text: str) -> None:
    try:
        found = split_triple(text)
    except ValueError:
        return
    assert text.count("|") == 2 and (found.subject or found.predicate or found.object)
