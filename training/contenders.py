"""Contenders: what a benchmark compares, by name, and what each says of the judged extractions.

A contender is a matcher (rules, the field's matchers, a checkpoint as it is), a token scorer, which gives scores of
systems but no matches, or a recipe, which is cross-validated: each sentence is matched by a matcher that was trained
without it.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy

from data.model import Benchmark, Extraction, Sentence
from data.problems import InputError
from data.textfile import sha256
from matchers.checkpoints import seen_sentences
from matchers.interface import Assignment, Candidate, Matcher
from matchers.registry import RULE_NAMES
from matchers.rules import RULES
from matchers.signature import signature, signed
from matchers.token_scorers import TokenScorer, load_scorer
from training.crossval import PairScores, Trainer, cross_validate
from training.folds import Fold
from training.judged import Judged, assign_all
from training.metrics import sentence_positions, system_counts
from training.recipes import CONFIGS, Recipe, load_recipe
from training.verdicts import Ground, Place, Terms, Verdicts, Work, explained, scores_of

BASELINE = "rules"
FIELD = ("wire57", "carb", "oie2016")
FRACTIONS = "fractions"
UNTRAINED, AS_IT_IS = "not trained", "checkpoint as it is"
RECIPE_SUFFIXES = (".yaml", ".yml")
_WARM_UP = 20  # parts that are matched before the time is taken


@dataclass(frozen=True)
class Contender(ABC):
    """Something that judges extractions as people did, by its name; `given` is what it was asked for with."""

    name: str
    given: str

    @abstractmethod
    def judge(self, ground: Ground, terms: Terms) -> Verdicts:
        """What it says of the judged extractions."""

    @abstractmethod
    def worker(self, ground: Ground, terms: Terms) -> Callable[[Work], object]:
        """What matches (or scores) sentences by the batch, made ready; for measuring speed."""


@dataclass(frozen=True)
class Matching(Contender):
    """A matcher that is used as it is."""

    matcher: Matcher

    def judge(self, ground: Ground, terms: Terms) -> Verdicts:
        """What it says of the judged extractions; sentences that it was trained on are refused."""
        seen = seen_sentences(self.matcher, ground.benchmark)
        if seen and not terms.allow_seen:
            raise InputError(
                f"{self.name} was trained on {seen} of the {len(ground.sentences)} sentences, so its figures would say "
                "nothing; benchmark its recipe (configs/NAME.yaml) out of fold, or allow it with --allow-seen"
            )
        fresh_start(self.worker(ground, terms), ground)
        started = time.perf_counter()
        found = assign_all(self.matcher, ground.work)
        seconds = time.perf_counter() - started
        learned = bool(getattr(self.matcher, "trained_on", frozenset()))
        return Verdicts(
            self.name,
            str(signature(ground.benchmark, self.matcher, resamples=terms.resamples, seed=terms.seed)),
            AS_IT_IS if learned else UNTRAINED,
            seconds,
            system_counts(ground.work, found, ground.systems),
            tuple(found),
            scores_of(self.matcher, ground.work, found),
            seen,
            learned,
            explained(self.matcher, ground.work, range(len(ground.work)), found),
        )

    def worker(self, ground: Ground, terms: Terms) -> Callable[[Work], object]:  # noqa: ARG002
        """The matcher's own way with many sentences."""
        return self.matcher.match_many


@dataclass(frozen=True)
class Scoring(Contender):
    """A token scorer: fractions instead of matches."""

    scorer: TokenScorer

    def judge(self, ground: Ground, terms: Terms) -> Verdicts:
        """The sums of each system and sentence; a system that extracted nothing from a sentence still misses it."""
        own = {(part.sentence.id, part.system): part.extractions for part in ground.work}
        positions = sentence_positions(ground.work)
        sums = numpy.zeros((len(ground.systems), len(positions), 4))
        started = time.perf_counter()
        for sentence in ground.sentences:
            for number, system in enumerate(ground.systems):
                row = self.scorer.row(sentence, own.get((sentence.id, system), ()))
                sums[number, positions[sentence.id]] = row
        seconds = time.perf_counter() - started
        settings = {"scorer": self.scorer.name}
        shown = signed(ground.benchmark, settings, resamples=terms.resamples, seed=terms.seed)
        return Verdicts(self.name, str(shown), UNTRAINED, seconds, sums)

    def worker(self, ground: Ground, terms: Terms) -> Callable[[Work], object]:  # noqa: ARG002
        """Row by row."""
        return lambda work: [self.scorer.row(sentence, extractions) for sentence, extractions in work]


@dataclass(frozen=True)
class Learning(Contender):
    """A recipe, cross-validated on the spot; `trainer` makes what trains it on a benchmark."""

    recipe: Recipe
    trainer: Callable[[Recipe, Benchmark, Terms], Trainer]

    def judge(self, ground: Ground, terms: Terms) -> Verdicts:
        """What matchers that did not see a sentence (or system) say of it."""
        train = self.trainer(self.recipe, ground.benchmark, terms)
        watched: list[Watched] = []

        def watching(_: Sequence[Judged], fold: Fold | None) -> Matcher:
            if watched:
                watched[-1].let_go()
            current = fold or everything(ground)
            watched.append(Watched(trained(train, ground, current), ground.work, current))
            return watched[-1]

        recipe = self.recipe
        found = cross_validate(ground.work, watching, terms.protocol, recipe.folds, recipe.seed, terms.quiet)
        settings = {"matcher": self.name, "recipe": sha256(repr(recipe).encode())[:12], "protocol": found.protocol}
        shown = signed(ground.benchmark, settings, resamples=terms.resamples, seed=terms.seed)
        return Verdicts(
            self.name,
            str(shown),
            f"out of fold, {found.protocol}",
            sum(one.seconds for one in watched),
            system_counts(ground.work, found.assignments, ground.systems),
            tuple(found.assignments),
            tuple(found.scores),
            learned=True,
            notes={place: lines for one in watched for place, lines in one.notes.items()},
        )

    def worker(self, ground: Ground, terms: Terms) -> Callable[[Work], object]:
        """A matcher that is trained on everything."""
        return trained(self.trainer(self.recipe, ground.benchmark, terms), ground, everything(ground)).match_many


def everything(ground: Ground) -> Fold:
    """A fold that leaves nothing out."""
    return Fold("everything", tuple(range(len(ground.work))), ())


def trained(train: Trainer, ground: Ground, fold: Fold) -> Matcher:
    """The matcher of a fold; a trainer may have made parts of its own ready, which are in the same order as ours."""
    parts: Sequence[Judged] = getattr(train, "work", ground.work)
    return train([parts[position] for position in fold.train], fold)


class Watched(Matcher):
    """The matcher of a fold, timed, and asked why where it disagrees with people."""

    def __init__(self, matcher: Matcher, work: Sequence[Judged], fold: Fold) -> None:
        self.name = matcher.name
        self.seconds = 0.0
        self.notes: dict[Place, tuple[str, ...]] = {}
        self._matcher: Matcher | None = matcher
        self._work, self._fold = work, fold

    @property
    def matcher(self) -> Matcher:
        """The fold's matcher, as long as its fold is the current one."""
        if self._matcher is None:
            raise RuntimeError("this fold is over and its matcher was let go")
        return self._matcher

    def let_go(self) -> None:
        """Forget the matcher: the models of all folds need not be held at once."""
        self._matcher = None

    def candidates(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[Candidate]:
        """Those of the fold's matcher."""
        return self.matcher.candidates(sentence, extractions)

    def match_many(self, work: Work) -> list[Assignment]:
        """The assignments of the parts that were left out."""
        started = time.perf_counter()
        found = self.matcher.match_many(work)
        self.seconds += time.perf_counter() - started
        self.notes |= explained(self.matcher, self._work, self._fold.test, found)
        return found

    def pair_scores(self, sentence: Sentence, extractions: Sequence[Extraction]) -> PairScores:
        """Those of the fold's matcher."""
        return self.matcher.pair_scores(sentence, extractions)


def fresh_start(worker: Callable[[Work], object], ground: Ground) -> None:
    """Let a matcher import what it needs, then forget what others have prepared, so that each is timed alike."""
    from matchers.descriptions import forget

    worker([(part.sentence, part.extractions) for part in ground.work[:_WARM_UP]])
    forget()


def default_names() -> list[str]:
    """What is compared if nothing is named: the rows of the rules, the field's scorers, and the recipe `features`."""
    recipe = CONFIGS / "features.yaml"
    return [*RULE_NAMES, *FIELD, *(["configs/features.yaml"] if recipe.is_file() else [])]


def find_contenders(names: Sequence[str]) -> list[Contender]:
    """The contenders of these names, each once; the rules are always among them.

    >>> [contender.name for contender in find_contenders(["em", "wire57"])]
    ['em', 'wire57', 'rules']
    """
    given = dict.fromkeys(name.strip() for name in names if name.strip())
    found: dict[str, Contender] = {}
    for name in given:
        contender = find_contender(name)
        if contender.name in found and contender != found[contender.name]:
            contender = replace(contender, name=name)  # a checkpoint and a recipe may share a name
        found[contender.name] = contender
    if BASELINE not in found:
        found[BASELINE] = find_contender(BASELINE)
    return list(found.values())


def find_contender(name: str) -> Contender:
    """The contender of a name: a set of rules, a scorer of the field, a recipe, or a checkpoint."""
    kind, _, reading = name.partition(":")
    if name == BASELINE or all(part in RULES for part in name.lower().split("+")):
        return _loaded(name)
    if kind in FIELD:
        return _of_the_field(name, kind, reading)
    if Path(name).suffix in RECIPE_SUFFIXES or (CONFIGS / f"{name}.yaml").is_file():
        recipe = load_recipe(name)
        return Learning(recipe.name, name, recipe, _trainer_for)
    return _loaded(name)


def _loaded(name: str) -> Contender:
    from matchers.registry import load

    shipped = Path(name).parent == Path("checkpoints") and not Path(name).is_dir()  # called from elsewhere
    matcher = load(Path(name).name if shipped else name)
    return Matching(matcher.name, name, matcher)


def _of_the_field(name: str, kind: str, reading: str) -> Contender:
    """A scorer of the field: as a matcher where it has matches, unless its fractions are asked for."""
    words = reading.split("+") if reading else []
    if kind == "carb" or FRACTIONS in words:
        if kind == "oie2016":
            raise InputError(f"{name!r}: OIE2016's lexical match has no fractions; its matches are whole")
        others = "+".join(word for word in words if word != FRACTIONS)
        return Scoring(name, name, load_scorer(f"{kind}:{others}"))
    return _loaded(name)


def _trainer_for(recipe: Recipe, benchmark: Benchmark, terms: Terms) -> Trainer:
    from training.train import trainer_for

    return trainer_for(recipe, benchmark, data=terms.data, quiet=terms.quiet)
