"""Extractions that are worth nothing, to show which scorers are fooled by them.

- `naive` (BenchIE, section 4.1): each verb becomes a relation; all words before it are the first argument and all after
  it the second. A verb that nothing stands before or after makes no extraction, and the sentence's final mark is left
  out: so are BenchIE's released ones.
- `munchkin` (WiRe57, section 2.2): of the words w0 ... wn, the extractions (w0; w1; w2 ... wn), (w0; w1 w2; w3 ... wn)
  and so on, with falling confidence.
- `whole-sentence`: one extraction, with the whole sentence in each of its slots.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_args

from data.commands import add_reading_flags, parser, run
from data.languages import is_english
from data.model import Benchmark, Extraction, Sentence, System
from data.problems import Diagnostics, InputError

Kind = Literal["naive", "munchkin", "whole-sentence"]
Verbs = Callable[[Sequence[str]], list[int]]

KINDS: tuple[Kind, ...] = get_args(Kind)
ENGLISH_VERBS = "English verbs"
SILENT = "sentence without extraction"
_FINAL = frozenset(".!?")
_VERB_TAGS = frozenset(("VERB", "AUX"))


def attack(benchmark: Benchmark, kind: Kind, verbs: Verbs | None = None) -> System:
    """The system of an attack, called by its kind; `verbs` finds verbs in words (default: `data.verbs`).

    >>> from data.model import Sentence
    >>> gold = Benchmark("gold", (Sentence("1", "Mara was born in Arden ."),))
    >>> for extraction in attack(gold, "naive").extractions:
    ...     print(extraction)
    Mara - was - born in Arden
    Mara was - born - in Arden
    """
    if kind == "naive":
        from data.verbs import verb_positions

        found = [e for sentence in benchmark.sentences for e in naive(sentence, verbs or verb_positions)]
    else:
        make = munchkin if kind == "munchkin" else whole_sentence
        found = [e for sentence in benchmark.sentences for e in make(sentence)]
    return System(kind, tuple(found))


def naive(sentence: Sentence, verbs: Verbs) -> Iterator[Extraction]:
    """Each verb with all that stands before and after it."""
    words = sentence.text.split()
    if words[-1] in _FINAL:
        words.pop()
    for position in verbs(words):
        if 0 < position < len(words) - 1:
            before, after = " ".join(words[:position]), " ".join(words[position + 1 :])
            yield Extraction(sentence.id, before, words[position], after)


def munchkin(sentence: Sentence) -> Iterator[Extraction]:
    """The first word, then all ways to cut the rest in a relation and an argument."""
    first, *rest = sentence.text.split()
    for size in range(1, len(rest)):
        relation, argument = " ".join(rest[:size]), " ".join(rest[size:])
        yield Extraction(sentence.id, first, relation, argument, round(1 / size, 6))


def whole_sentence(sentence: Sentence) -> Iterator[Extraction]:
    """The sentence as each of three slots."""
    yield Extraction(sentence.id, sentence.text, sentence.text, sentence.text)


@dataclass(frozen=True)
class Tagger:
    """Finds verbs with a spaCy model, as BenchIE's naive extractor did; words are those at spaces."""

    model: Any

    @classmethod
    def of(cls, name: str) -> Tagger:
        """The tagger of an installed spaCy model."""
        try:
            return cls(import_module("spacy").load(name, exclude=["ner", "lemmatizer"]))
        except ImportError:
            raise InputError("--spacy needs spaCy: python -m pip install spacy, or leave the flag out") from None
        except OSError:
            message = f"no spaCy model is called {name!r}; get one with python -m spacy download en_core_web_sm"
            raise InputError(message) from None

    def __call__(self, words: Sequence[str]) -> list[int]:
        """The positions of the verbs and auxiliaries that are no modals."""
        tokens = import_module("spacy.tokens").Doc(self.model.vocab, words=list(words))
        tagged = self.model(tokens)
        return [token.i for token in tagged if token.pos_ in _VERB_TAGS and token.tag_ != "MD"]


def load_gold(name: str, options: argparse.Namespace, diagnostics: Diagnostics) -> Benchmark:
    """The sentences of a gold file, or of a data set or folder by name."""
    from data.catalog import NAMES, load
    from data.folder import ReadOptions
    from data.formats import read_any_gold

    if name in NAMES or Path(name).is_dir():
        return load(name, options.data, diagnostics, ReadOptions(options.encoding))
    return read_any_gold(Path(name), diagnostics, options.encoding, options.gold_format)


def arguments_parser() -> argparse.ArgumentParser:
    """The command's flags."""
    command = parser(
        "data.attack",
        "Write extractions that are worth nothing, to show which scorers are fooled by them.",
        [
            "gold.txt --kind naive --output naive.tsv",
            "gold.txt --kind munchkin --output munchkin.jsonl",
            "benchie_fl --kind whole-sentence --output whole.tsv",
            "sample --kind naive | head -3",
        ],
    )
    command.add_argument("gold", metavar="GOLD", help="a gold file, or a data set's name or folder")
    command.add_argument("--kind", required=True, choices=KINDS, help="the attack")
    command.add_argument(
        "--output", type=Path, metavar="FILE", help="tab-separated, or JSON Lines if named .jsonl (default: stdout)"
    )
    command.add_argument(
        "--confidence",
        action="store_true",
        help="munchkin: a last column with confidences, to be read with --confidence last (.jsonl always has them)",
    )
    command.add_argument(
        "--spacy", metavar="MODEL", help="naive: find verbs with this spaCy model (default: word lists and endings)"
    )
    command.add_argument("--from", dest="gold_format", metavar="FORMAT", help="format of GOLD (default: as it looks)")
    add_reading_flags(command)
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the extractions of an attack."""
    command = arguments_parser()
    options = command.parse_args(arguments)
    if options.spacy and options.kind != "naive":
        command.error("--spacy is for --kind naive, the other attacks need no verbs")
    if options.confidence and options.kind != "munchkin":
        command.error("--confidence is for --kind munchkin, the other attacks have none")
    diagnostics = Diagnostics(options.strict)
    benchmark = load_gold(options.gold, options, diagnostics)
    if options.kind == "naive" and not options.spacy and not is_english(benchmark):
        message = f"verbs are found by English words and endings, but the language is {benchmark.language}"
        diagnostics.warn(ENGLISH_VERBS, message + "; name a spaCy model with --spacy", options.gold)
    system = attack(benchmark, options.kind, Tagger.of(options.spacy) if options.spacy else None)
    if not system.extractions:
        why = "; without --spacy it knows English verbs only" if options.kind == "naive" and not options.spacy else ""
        raise InputError(f"the attack {options.kind} finds nothing in the {len(benchmark.sentences)} sentences{why}")
    silent = len(benchmark.sentences) - len(system.by_sentence)
    if silent:
        diagnostics.warn(SILENT, f"{silent} sentences have no extraction of the kind {options.kind}", options.gold)
    if not options.quiet:
        diagnostics.show()
    write(system, options.output, options.confidence)
    return 0


def write(system: System, path: Path | None, confidence: bool) -> None:
    """Write a system's extractions to a file or to stdout.

    Confidences are left out of tab-separated text that did not ask for them: read without --confidence, they would join
    the second argument.
    """
    from data.extractions import form_of, write_extractions

    if not confidence and (path is None or form_of(path) == "tsv"):
        system = System(system.name, tuple(Extraction(e.sentence_id, *e.slots) for e in system.extractions))
    if path:
        write_extractions(system, path)
        return
    for extraction in system.extractions:
        scored = () if extraction.confidence is None else (repr(extraction.confidence),)
        print(extraction.sentence_id, *extraction.slots, *scored, sep="\t")


if __name__ == "__main__":
    raise SystemExit(run(main))
