"""CaRB's gold table: `sentence<TAB>relation<TAB>arg1<TAB>arg2`, with further arguments in further columns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from data.formats.slots import plain_slot
from data.formats.textfile import DEFAULT_ENCODING, decode, numbered_lines, read_bytes, sha256, write_text
from data.model import Benchmark, Cluster, Formulation, Sentence, Source
from data.problems import Diagnostics, InputError
from data.text import one_line

LOST = "not expressible in CaRB's table"
SAME_TEXT = "sentences of one text"


@dataclass(frozen=True)
class CarbTuple:
    """A gold tuple: its relation, and its arguments in file order; a blank one stays as an empty string."""

    relation: str
    args: tuple[str, ...]
    line: int = 0


@dataclass(frozen=True)
class CarbSentence:
    """A sentence with its gold tuples."""

    text: str
    tuples: tuple[CarbTuple, ...]


def read_carb(path: Path, encoding: str = DEFAULT_ENCODING) -> tuple[CarbSentence, ...]:
    """The sentences of a CaRB table, in order of first appearance; those that differ in white space only are one."""
    return _sentences_of(decode(read_bytes(path), path, encoding), path)


def _sentences_of(text: str, path: Path) -> tuple[CarbSentence, ...]:
    by_sentence: dict[str, list[CarbTuple]] = {}
    for number, line in numbered_lines(text):
        columns = [one_line(column) for column in line.split("\t")]
        if len(columns) < 3:
            message = f"'sentence<TAB>relation<TAB>arg1<TAB>arg2' was expected; there are {len(columns)} columns"
            raise InputError(message, path, number)
        sentence, relation, *args = columns
        if not sentence:
            raise InputError("the first column, the sentence, is blank", path, number)
        if not relation and not any(args):
            raise InputError("a tuple needs at least one word", path, number)
        by_sentence.setdefault(sentence, []).append(CarbTuple(relation, tuple(args), number))
    if not by_sentence:
        raise InputError("is empty; lines 'sentence<TAB>relation<TAB>arg1<TAB>arg2' were expected", path)
    return tuple(CarbSentence(sentence, tuple(tuples)) for sentence, tuples in by_sentence.items())


def read_carb_benchmark(path: Path, encoding: str = DEFAULT_ENCODING) -> Benchmark:
    """The table as a benchmark: sentences numbered from 1, each tuple a cluster of one formulation."""
    content = read_bytes(path)
    rows = _sentences_of(decode(content, path, encoding), path)
    sentences = tuple(_sentence(sentence, number, path) for number, sentence in enumerate(rows, 1))
    return Benchmark(path.stem, sentences, source=Source(path, sha256(content)))


def _sentence(sentence: CarbSentence, number: int, path: Path) -> Sentence:
    clusters = []
    line = sentence.tuples[0].line
    try:
        for cluster_number, fact in enumerate(sentence.tuples, 1):
            line = fact.line
            clusters.append(Cluster(str(cluster_number), (formulation_of(fact),)))
        return Sentence(str(number), sentence.text, tuple(clusters))
    except ValueError as error:
        raise InputError(str(error), path, line) from None


def formulation_of(fact: CarbTuple) -> Formulation:
    """The tuple as a formulation: arguments after the second join it.

    >>> str(formulation_of(CarbTuple("moved", ("Mara Venn", "to Oslo", "in May"))))
    'Mara Venn --> moved --> to Oslo in May'
    """
    arg1, *rest = (*fact.args, "")
    return Formulation(plain_slot(arg1), plain_slot(fact.relation), plain_slot(" ".join(rest)))


def write_carb(benchmark: Benchmark, path: Path, diagnostics: Diagnostics, encoding: str = DEFAULT_ENCODING) -> None:
    """Write the first formulation of each cluster, optional words included, as a CaRB table."""
    lines = []
    texts: dict[str, str] = {}
    for sentence in benchmark.sentences:
        if sentence.text in texts:
            message = f"sentences {texts[sentence.text]} and {sentence.id} have one text and become one"
            diagnostics.warn(SAME_TEXT, message, path)
        texts.setdefault(sentence.text, sentence.id)
        written = [line for cluster in sentence.clusters if (line := _line(sentence, cluster))]
        lines.extend(written)
        lost = len(sentence.clusters) - len(written)
        if lost or not written:
            what = f"{lost} clusters without words of sentence" if lost else "sentence without clusters:"
            diagnostics.warn(LOST, f"left out, as CaRB's table has no place for it: {what} {sentence.id}", path)
    if not lines:
        raise InputError("there is no cluster to write", path)
    write_text(path, "".join(lines), encoding)


def _line(sentence: Sentence, cluster: Cluster) -> str | None:
    if not cluster.formulations:
        return None
    arg1, relation, arg2 = (" ".join(slot.words) for slot in cluster.formulations[0].slots)
    return "\t".join((sentence.text, relation, arg1, arg2)) + "\n" if arg1 or relation or arg2 else None
