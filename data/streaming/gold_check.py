"""A gold file checked in pieces: where its sentences stand, and all that is wrong, told as `read_gold` tells it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from data.formats.benchie import ANNIE_HINT, NO_SENTENCE, GoldReader, is_sentence_line
from data.problems import Diagnostics, InputError, Problem
from data.streaming.checked import Events, Fault, undecoded
from data.streaming.index import Index, Place
from data.streaming.pieces import Piece


@dataclass(frozen=True)
class CheckedGold:
    """What is in a piece of gold: where its sentences stand, and what is wrong.

    Of what is wrong, `in_lines` was found line by line, up to the error if there is one, and `in_sentences` when all
    lines were read.
    """

    places: tuple[Place, ...] = ()
    undecoded: Fault | None = None
    in_lines: tuple[Problem, ...] = ()
    line_fault: Fault | None = None
    in_sentences: tuple[Problem, ...] = ()
    sentence_fault: Fault | None = None


def check_gold(piece: Piece, encoding: str) -> CheckedGold:
    """What is in a piece of gold."""
    if fault := undecoded(piece, encoding):
        return CheckedGold(undecoded=fault)
    reader = GoldReader(piece.path, Diagnostics())
    lines = list(piece.lines(encoding))
    if piece.is_first and piece.is_last and not any(is_sentence_line(line) for _, _, line in lines):
        reader.hint = ANNIE_HINT
    line_fault = sentence_fault = None
    try:
        for number, _, line in lines:
            reader.line(number, line)
    except InputError as error:
        line_fault = Fault.of(error)
    in_lines, reader.diagnostics = tuple(reader.diagnostics.problems), Diagnostics()
    if line_fault is None:
        try:
            reader.finished()
        except InputError as error:
            sentence_fault = Fault.of(error)
    offsets = {number: offset for number, offset, _ in lines}
    places = tuple(Place(draft.id, offsets[draft.line], draft.line) for draft in reader.drafts)
    in_sentences = tuple(reader.diagnostics.problems)
    return CheckedGold(places, None, in_lines, line_fault, in_sentences, sentence_fault)


class GoldMerge:
    """Takes what was found in the pieces of a gold file, in their order, into an index."""

    def __init__(self, path: Path, index: Index) -> None:
        self.path, self.index = path, index
        self.undecoded: Fault | None = None
        self.in_lines, self.in_sentences = Events(), Events()

    def take(self, checked: CheckedGold) -> None:
        """What was found in the next piece."""
        self.undecoded = self.undecoded or checked.undecoded
        if self.undecoded or self.in_lines.fault:
            return
        fault, problems = checked.line_fault, checked.in_lines
        second = self.index.add_sentences(checked.places)
        if second and not (fault and fault.line < second.line):
            fault = Fault.of(GoldReader(self.path, Diagnostics()).second(second.id, second.line))
            problems = tuple(problem for problem in problems if problem.line < second.line)
        self.in_lines.take(problems, fault)
        self.in_sentences.take(checked.in_sentences, checked.sentence_fault)

    def finish(self, diagnostics: Diagnostics) -> None:
        """Tell what was wrong."""
        if self.undecoded:
            raise self.undecoded.error
        self.in_lines.tell(diagnostics)
        if not self.index.sentence_count:
            raise InputError(NO_SENTENCE, self.path)
        self.in_sentences.tell(diagnostics)
