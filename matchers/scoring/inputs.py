"""What the scoring, profiling and explaining commands read: flags for gold, systems and variants, and the files.

Nothing heavy is imported before a command has parsed its flags.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from data.catalog import NAMES, load
from data.command_line import add_thinning_flag, thinness_of
from data.formats.reading import ReadOptions
from data.problems import Diagnostics, InputError
from matchers.assignment import CLOSEST, DECODINGS

if TYPE_CHECKING:
    from data.formats.reading import Nary
    from data.model import Benchmark
    from data.streaming.files import BenchmarkFiles
    from matchers.scoring.variants import Variant

FACETS = ("default", "C", "M", "E")
USUAL_GOLD = "benchie"


@dataclass(frozen=True)
class Inputs:
    """Which gold and systems: a gold file or a data set, and the files of systems by name.

    Given systems replace those that are found with the gold, or stand beside them.
    """

    gold: Path | None
    dataset: str | None
    reading: ReadOptions
    gold_format: str | None = None
    data: Path | None = None
    systems: tuple[tuple[str, Path], ...] = ()
    beside: bool = False

    @property
    def given(self) -> tuple[str, ...]:
        """The names of the given systems."""
        return tuple(name for name, _ in self.systems)

    @property
    def flags(self) -> list[str]:
        """The flags with which another command finds the gold again."""
        return ["--dataset", self.dataset] if self.dataset else ["--gold", str(self.gold)]

    def read_gold(self, diagnostics: Diagnostics) -> Benchmark:
        """The gold, with its systems if it is a data set; a file is read as it looks, if no format is named."""
        from data.formats.registry import read_any_gold

        if self.gold:
            return read_any_gold(self.gold, diagnostics, self.reading.encoding, self.gold_format)
        return load(self.dataset or "", self.data, diagnostics, self.reading)

    def files(self, at_least: int) -> BenchmarkFiles | None:
        """The files of at least so many bytes, which can be read as they are needed: BenchIE's gold and its systems.

        It is none where there are judgments, or where something is wrong: reading the files whole tells what.
        """
        from data.formats.textfile import likely_size

        try:
            gold, found = self._gold_and_systems()
            if gold is None or self.gold_format not in (None, USUAL_GOLD):
                return None
            kept = found if self.beside or not self.systems else {}
            systems = (*kept.items(), *self.systems)
            if sum(map(likely_size, (gold, *(path for _, path in systems)))) < at_least:
                return None
        except (InputError, OSError, ValueError):
            return None
        from data.streaming.files import BenchmarkFiles  # not needed for small files, of which reading is quick

        files = BenchmarkFiles(gold, systems, self.reading)
        return files if files.can_be_streamed() else None

    def _gold_and_systems(self) -> tuple[Path | None, dict[str, Path]]:
        """The gold file, if it is a user's own, and the systems that are found with it."""
        from data.folder import folder_files

        if self.gold:
            return self.gold, systems_beside(self.gold)
        if self.dataset in NAMES:
            return None, {}
        files = folder_files(Path(self.dataset or ""))
        return None if files.judgments else files.gold, files.extractions

    def read(self, diagnostics: Diagnostics) -> Benchmark:
        """The gold and the systems."""
        from data.folder import read_system

        benchmark = self.read_gold(diagnostics)
        with_gold = self.beside or not self.systems
        if self.gold and with_gold:
            benchmark = replace(
                benchmark,
                systems=tuple(
                    read_system(name, path, benchmark, diagnostics, self.reading)
                    for name, path in systems_beside(self.gold).items()
                ),
            )
        added = [read_system(name, path, benchmark, diagnostics, self.reading) for name, path in self.systems]
        kept = benchmark.systems if with_gold else ()
        for system in added:
            if any(system.name == other.name for other in kept):
                raise InputError(f"two systems are called {system.name!r}; give --system another name")
        if not (*kept, *added):
            raise InputError("no systems to score; name one with --system NAME=FILE", self.gold)
        return replace(benchmark, systems=(*kept, *added))


def systems_beside(gold: Path) -> dict[str, Path]:
    """The extraction files that belong to a gold file: those in `extractions/` in or beside its folder."""
    from data.folder import EXTRACTION_SUFFIXES, EXTRACTIONS, files_of

    for folder in (gold.parent / EXTRACTIONS, gold.parent.parent / EXTRACTIONS):
        by_name: dict[str, Path] = {}
        for path in files_of(folder, EXTRACTION_SUFFIXES):
            if path.stem in by_name:
                raise InputError(f"two files for the system {path.stem!r}: {by_name[path.stem]} and {path}")
            by_name[path.stem] = path
        if by_name:
            return by_name
    return {}


def add_gold_flags(command: argparse.ArgumentParser, systems: bool = True, every: bool = False) -> None:
    """The flags that name a gold, with its systems or alone; `every` adds one for all benchmarks at once."""
    gold = command.add_mutually_exclusive_group(required=True)
    beside = "; systems are looked for in its folder" if systems else ""
    gold.add_argument("--gold", type=Path, metavar="FILE", help=f"gold file{beside}")
    gold.add_argument("--dataset", metavar="NAME", help=f"a folder, or one of {', '.join(NAMES)}")
    if every:
        said = "every benchmark that is found, side by side; systems by sentence text or id"
        gold.add_argument("--all", action="store_true", help=said)
    command.add_argument("--from", dest="gold_format", metavar="FORMAT", help="format of --gold (default: as it looks)")


def add_system_flags(command: argparse.ArgumentParser, verb: str) -> None:
    """The flags that name systems; `verb` is what is done with them."""
    command.add_argument(
        "--system",
        action="append",
        default=[],
        type=named_file,
        metavar="NAME=FILE",
        help="extractions of a system; may be repeated",
    )
    command.add_argument("--beside", action="store_true", help=f"{verb} --system beside the systems that are found")
    command.add_argument("--confidence", choices=["none", "first", "last"], default="none", help="column of confidence")


def add_variant_flags(command: argparse.ArgumentParser) -> None:
    """The flags that choose a variant of the benchmark."""
    command.add_argument(
        "--facet",
        choices=FACETS,
        default="default",
        help="BenchIE's facets: C ignores borders of slots, M allows no optional words, E wants whole entities",
    )
    command.add_argument(
        "--facet-gold", type=Path, metavar="FILE", help="the gold of --facet E (default: derived by a rule, E-derived)"
    )
    add_thinning_flag(command)
    add_decoding_flag(command)
    command.add_argument(
        "--nary", choices=["join", "drop"], help="join further arguments to the second (default), or drop n-ary"
    )
    command.add_argument(
        "--implicit", choices=["keep", "drop"], default="keep", help="drop extractions with words not in the sentence"
    )
    command.add_argument(
        "--named-entities",
        choices=["any", "gold"],
        default="any",
        help="gold: keep only extractions both of whose arguments have one of the gold's, as AnnIE does",
    )
    command.add_argument(
        "--language", metavar="CODE", help="language of the texts (default: the data set's, else en); zh is split"
    )


def add_decoding_flag(command: argparse.ArgumentParser) -> None:
    """The flag that chooses how candidates are assigned."""
    command.add_argument(
        "--assignment",
        choices=DECODINGS,
        default=CLOSEST,
        help="each extraction to its closest cluster, as people do (default), or as many matches as possible",
    )


def add_resampling_flags(command: argparse.ArgumentParser) -> None:
    """The flags that say how intervals are drawn."""
    command.add_argument("--resamples", type=int, default=1000, metavar="N", help="bootstrap resamples (default: 1000)")
    command.add_argument("--seed", type=int, default=1, help="seed of the resampling (default: 1)")


def check_flags(command: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuse what can't be drawn, and flags that contradict each other."""
    if options.resamples < 1:
        command.error("--resamples must be at least 1")
    if options.seed < 0:
        command.error("--seed must not be negative")
    names = [name for name, _ in options.system]
    if len(set(names)) != len(names):
        command.error("two systems of --system have the same name")
    if options.facet_gold and options.facet != "E":
        command.error("--facet-gold is the gold of --facet E; give that too")
    options.thinness = thinness_of(command, options)


def inputs_of(options: argparse.Namespace) -> Inputs:
    """What the flags name."""
    reading = ReadOptions(options.encoding, options.confidence, options.nary)
    systems = tuple(options.system)
    gold, dataset, form = options.gold, options.dataset, options.gold_format
    return Inputs(gold, dataset, reading, form, options.data, systems, options.beside)


def named_file(text: str) -> tuple[str, Path]:
    """The parts of `NAME=FILE`."""
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise argparse.ArgumentTypeError(f"NAME=FILE was expected, not {text!r}")
    return name, Path(path)


def variant_of(options: argparse.Namespace, diagnostics: Diagnostics) -> Variant:
    """The variant that the flags choose; defects of the facet's gold go to `diagnostics`."""
    from data.formats.registry import read_any_gold
    from matchers.scoring.variants import Variant

    gold = read_any_gold(options.facet_gold, diagnostics, options.encoding) if options.facet_gold else None
    nary: Nary = options.nary or "join"
    return Variant(
        options.facet, gold, nary, options.implicit, options.language, options.thinness, options.named_entities
    )
