"""BenchIE's gold text format, the one of BenchIE and BenchIE^FL.

    sent_id:1<TAB>Mara Venn , a chemist , moved to Oslo .
    1--> Cluster 1:
    Mara Venn --> is --> [a] chemist
    Mara Venn --> is [a] --> chemist

Published files have defects. Each is recovered from in the way its warning says; what can't be recovered is an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from data.formats.compressed import plain_path
from data.formats.slots import parse_slot
from data.formats.textfile import DEFAULT_ENCODING, decode, numbered_lines, read_bytes, sha256, write_text
from data.model import ARROW, Benchmark, Cluster, Formulation, Sentence, Slot, Source
from data.problems import Diagnostics, InputError
from data.text import one_line, shortened

SENTENCE_PREFIX = "sent_id:"
NO_SENTENCE = f"has no sentence; a line '{SENTENCE_PREFIX}ID<TAB>sentence' was expected"
ANNIE_HINT = "; if AnnIE exported this file, read it with --from annie-text"

# The kinds of defect, as `data.lint` counts them.
HEADER_SPACE = "malformed cluster header"
HEADER_NUMBER = "repeated cluster number"
HEADER_SENTENCE = "cluster header of another sentence"
HEADLESS = "formulations before the first header"
NO_CLUSTER = "sentence without cluster"
EMPTY_CLUSTER = "cluster without formulation"
FOUR_SLOTS = "formulation of four slots"
BLANK_SLOT = "blank slot"
STRAY_LINE = "stray line"

# Of a line with single spaces only: patterns for more would take time that grows with the square of their number.
_HEADER = re.compile(r"(?P<sentence>\S(?:(?!->).)*?) ?-{1,2}> ?Cluster (?P<number>(?!-->)[^\s:]+) ?:")
_WELL_FORMED = f"{ARROW} Cluster "


@dataclass(frozen=True)
class Header:
    """A line that begins a cluster, `ID--> Cluster N:`, as it names sentence and cluster."""

    sentence: str
    number: str


def cluster_header(line: str) -> Header | None:
    """The header in a line, or None.

    >>> cluster_header("7--> Cluster 2:")
    Header(sentence='7', number='2')
    """
    if "Cluster" not in line:
        return None
    match = _HEADER.fullmatch(one_line(line))
    return Header(match["sentence"], match["number"]) if match else None


def is_sentence_line(line: str) -> bool:
    """Whether a line begins a sentence; a formulation's first word may look the same, but has no tab after it."""
    return line.startswith(SENTENCE_PREFIX) and ("\t" in line or ARROW not in line)


@dataclass
class Draft:
    """A sentence while its lines are being read."""

    id: str
    text: str
    line: int
    clusters: list[tuple[str | None, int, list[Formulation]]] = field(default_factory=list)


class GoldReader:
    """Reads one gold file; AnnIE's text export differs only in how a sentence begins."""

    def __init__(self, path: Path, diagnostics: Diagnostics) -> None:
        self.path = path
        self.diagnostics = diagnostics
        self.drafts: list[Draft] = []
        self.ids: set[str] = set()
        self.hint = ""  # how else the file could be read, for errors about its beginning
        self.stray: tuple[int, str] | None = None  # the last line that was left out, since the last header

    def read(self, text: str) -> tuple[Sentence, ...]:
        """The sentences of a file's text."""
        lines = list(numbered_lines(text))
        if not any(is_sentence_line(line) for _, line in lines):
            self.hint = ANNIE_HINT
        for number, line in lines:
            self.line(number, line)
        if not self.drafts:
            raise InputError(NO_SENTENCE, self.path)
        return self.finished()

    def finished(self) -> tuple[Sentence, ...]:
        """The sentences whose lines were taken."""
        return tuple(self._finish(draft) for draft in self.drafts)

    def line(self, number: int, line: str) -> None:
        """Take one line that is not blank."""
        if is_sentence_line(line):
            sentence_id, tab, text = line.removeprefix(SENTENCE_PREFIX).partition("\t")
            if not tab:
                raise self.error(f"'{SENTENCE_PREFIX}ID<TAB>sentence' was expected; there is no tab", number)
            self.start(one_line(sentence_id), text, number)
        elif header := cluster_header(line):
            self.header(header, line, number)
        elif ARROW in line:
            self.formulation(line, number)
        else:
            self.other(line, number)

    def start(self, sentence_id: str, text: str, number: int) -> None:
        """Begin a sentence."""
        if sentence_id in self.ids:
            raise self.second(sentence_id, number)
        try:
            Sentence(sentence_id, one_line(text))
        except ValueError as error:
            raise self.error(str(error), number) from None
        self.ids.add(sentence_id)
        self.stray = None
        self.drafts.append(Draft(sentence_id, one_line(text), number))

    def current(self, what: str, number: int) -> Draft:
        """The sentence that a line belongs to."""
        if not self.drafts:
            raise self.error(f"{what} stands before any '{SENTENCE_PREFIX}ID<TAB>sentence' line{self.hint}", number)
        return self.drafts[-1]

    def header(self, header: Header, line: str, number: int) -> None:
        """Begin a cluster."""
        draft = self.current("a cluster", number)
        if header.sentence != draft.id:
            if self.stray:
                raise self.lost_prefix(*self.stray)
            message = f"the header names sentence {header.sentence} and is taken for one of sentence {draft.id}"
            self.warn(HEADER_SENTENCE, message, number)
        if _WELL_FORMED not in line:
            self.warn(
                HEADER_SPACE,
                f"'{shortened(one_line(line))}' is taken for the header '{draft.id}--> Cluster N:'",
                number,
            )
        self.stray = None
        draft.clusters.append((header.number, number, []))

    def formulation(self, line: str, number: int) -> None:
        """Take a formulation into the cluster that is being read."""
        draft = self.current("a formulation", number)
        texts = [text.strip() for text in line.split(ARROW)]
        if len(texts) < 3:
            message = f"a formulation has three slots, 'arg1 {ARROW} relation {ARROW} arg2'; this has {len(texts)}"
            raise self.error(message, number)
        if len(texts) > 3:
            self.warn(FOUR_SLOTS, f"{len(texts)} slots; those after the second are joined to one", number)
            texts = [*texts[:2], " ".join(texts[2:])]
        if not draft.clusters:
            self.warn(HEADLESS, f"formulations before the first header of sentence {draft.id} form a cluster", number)
            draft.clusters.append((None, number, []))
        draft.clusters[-1][2].append(Formulation(*(self.slot(text, number) for text in texts)))

    def slot(self, text: str, number: int) -> Slot:
        """Parse a slot and report what had to be mended in it."""
        try:
            slot, defects = parse_slot(text)
        except ValueError as error:
            raise self.error(str(error), number) from None
        if not text.strip():
            self.warn(BLANK_SLOT, "a blank slot is read as empty; write XXX for an empty second argument", number)
        if defects:
            said, read = shortened(one_line(text)), shortened(str(slot))
            for defect in defects:
                self.warn(defect, f"{defect} in '{said}', read as '{read}'", number)
        return slot

    def other(self, line: str, number: int) -> None:
        """A line that is neither sentence, header nor formulation."""
        first, _, rest = line.partition("\t")
        if len(first.split()) == 1 and rest.strip():
            raise self.lost_prefix(number, line)
        if not self.drafts:
            raise self.error(f"'{SENTENCE_PREFIX}ID<TAB>sentence' was expected{self.hint}", number)
        self.stray = (number, line)
        self.warn(STRAY_LINE, f"'{shortened(one_line(line), 60)}' is no formulation and is left out", number)

    def lost_prefix(self, number: int, line: str) -> InputError:
        """The error about a sentence that would lose its clusters to the sentence before it."""
        message = (
            f"'{shortened(one_line(line), 60)}' looks like a sentence without its '{SENTENCE_PREFIX}ID<TAB>'; write it"
        )
        return self.error(message, number)

    def second(self, sentence_id: str, number: int) -> InputError:
        """The error about an id that another sentence has."""
        return self.error(f"a second sentence has the id {sentence_id!r}", number)

    def _finish(self, draft: Draft) -> Sentence:
        if not draft.clusters:
            self.warn(NO_CLUSTER, f"sentence {draft.id} has no cluster", draft.line)
        taken = {number for number, _, _ in draft.clusters if number}
        free_numbers = (str(n) for n in count(1))
        seen: set[str] = set()
        clusters = []
        for cluster_number, line, formulations in draft.clusters:
            if cluster_number is None or cluster_number in seen:
                free = next(n for n in free_numbers if n not in taken)
                if cluster_number is not None:
                    message = f"sentence {draft.id} has a second cluster {cluster_number}; it is read as {free}"
                    self.warn(HEADER_NUMBER, message, line)
                cluster_number = free
            if not formulations:
                message = f"cluster {cluster_number} of sentence {draft.id} has no formulation"
                self.warn(EMPTY_CLUSTER, message, line)
            taken.add(cluster_number)
            seen.add(cluster_number)
            try:
                clusters.append(Cluster(cluster_number, tuple(formulations)))
            except ValueError as error:
                raise self.error(str(error), line) from None
        try:
            return Sentence(draft.id, draft.text, tuple(clusters))
        except ValueError as error:
            raise self.error(str(error), draft.line) from None

    def error(self, message: str, line: int) -> InputError:
        """An error at a line of this file."""
        return InputError(message, self.path, line)

    def warn(self, kind: str, message: str, line: int) -> None:
        """A warning at a line of this file."""
        self.diagnostics.warn(kind, message, self.path, line)


def read_gold(path: Path, diagnostics: Diagnostics, encoding: str = DEFAULT_ENCODING) -> Benchmark:
    """A benchmark of sentences and clusters from BenchIE text."""
    content = read_bytes(path)
    sentences = GoldReader(path, diagnostics).read(decode(content, path, encoding))
    return Benchmark(plain_path(path).stem, sentences, source=Source(path, sha256(content)))


def write_gold(benchmark: Benchmark, path: Path, encoding: str = DEFAULT_ENCODING) -> None:
    """Write the sentences and clusters as BenchIE text."""
    write_text(path, gold_text(benchmark), encoding)


def gold_text(benchmark: Benchmark) -> str:
    """The sentences and clusters as BenchIE text."""
    blocks = []
    for sentence in benchmark.sentences:
        lines = [f"{SENTENCE_PREFIX}{sentence.id}\t{sentence.text}"]
        for cluster in sentence.clusters:
            lines.append(f"{sentence.id}{ARROW} Cluster {cluster.id}:")
            lines.extend(str(formulation) for formulation in cluster.formulations)
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)
