"""Contenders: what a benchmark compares, and what each says of the judged extractions.

A contender is a matcher (rules, the field's matchers, a checkpoint as it is), a token scorer, which gives scores of
systems but no matches, or a recipe, which is cross-validated: each sentence is matched by a matcher that was trained
without it.
"""

from __future__ import annotations

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy

from data.problems import InputError
from data.thinning import Thinness
from matchers.checkpoints import seen_sentences
from matchers.counts import Sums
from matchers.features.rows import forget
from matchers.interface import Assignment, Matcher
from matchers.llm.settings import is_llm
from matchers.signature import signature, signed
from matchers.tokens.scorer import TokenScorer
from training.comparison.ground import Ground, Run, Terms, Verdicts, Work, explained, scores_of
from training.comparison.out_of_fold import Heard, hear_folds
from training.evaluation.crossval import Train, protocol_name
from training.evaluation.signatures import trained_signature
from training.fitting.trainers import planned_fits, trainer_for
from training.labels.judged_parts import assign_all
from training.labels.material import Material, gather
from training.metrics import sentence_positions, system_counts
from training.recipes import Recipe

BASELINE = "rules"
UNTRAINED, AS_IT_IS = "not trained", "checkpoint as it is"
_WARM_UP = 20  # parts that are matched before the time is taken


def measured_by(ground: Ground, terms: Terms) -> dict[str, object]:
    """What decides a figure beside matcher and gold: people's judgments, and the resampling."""
    return {"judgments": ground.judgments, **terms.settings}


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
                "nothing; benchmark its recipe (recipe:NAME) out of fold, or allow it with --allow-seen"
            )
        if not is_llm(self.given):  # whose time is its server's, and whose calls cost
            fresh_start(self.worker(ground, terms), ground)
        self.matcher.show_progress(terms.quiet)
        started = time.perf_counter()
        said = assign_all(self.matcher, ground.work, terms.workers)
        seconds = time.perf_counter() - started
        calls = getattr(self.matcher, "calls", None)
        learned = bool(self.matcher.trained_on)
        return Verdicts(
            self.name,
            str(signature(ground.benchmark, self.matcher, **measured_by(ground, terms))),
            AS_IT_IS if learned else UNTRAINED,
            seconds,
            system_counts(ground.work, said, ground.systems),
            tuple(said),
            scores_of(self.matcher, ground.work, said),
            seen,
            learned,
            explained(self.matcher, ground.work, range(len(ground.work)), said),
            calls,
            tuple(self._run(ground, thinness, terms, said) for thinness in terms.draws),
        )

    def _run(self, ground: Ground, thinness: Thinness, terms: Terms, said: Sequence[Assignment]) -> Run:
        """What it says under one thinness; under full gold it was said already."""
        thinned = ground.thinned(thinness)
        if thinned is not ground:
            said = assign_all(self.matcher, thinned.work, terms.workers)
        return Run.of(thinned, thinness, said)

    def worker(self, ground: Ground, terms: Terms) -> Callable[[Work], object]:  # noqa: ARG002
        """The matcher's own way with many sentences."""
        return self.matcher.match_many


@dataclass(frozen=True)
class Scoring(Contender):
    """A token scorer: fractions instead of matches."""

    scorer: TokenScorer

    def judge(self, ground: Ground, terms: Terms) -> Verdicts:
        """The sums of each system and sentence; a system that extracted nothing from a sentence still misses it."""
        started = time.perf_counter()
        sums = self._sums(ground)
        seconds = time.perf_counter() - started
        settings = {"scorer": self.scorer.name}
        shown = signed(ground.benchmark, settings, **measured_by(ground, terms))
        runs = tuple(Run(draw, None, None, self._sums(ground.thinned(draw))) for draw in terms.draws)
        return Verdicts(self.name, str(shown), UNTRAINED, seconds, sums, runs=runs)

    def _sums(self, ground: Ground) -> Sums:
        own = {(part.sentence.id, part.system): part.extractions for part in ground.work}
        positions = sentence_positions(ground.work)
        sums = numpy.zeros((len(ground.systems), len(positions), 4))
        for sentence in ground.sentences:
            for number, system in enumerate(ground.systems):
                row = self.scorer.row(sentence, own.get((sentence.id, system), ()))
                sums[number, positions[sentence.id]] = row
        return sums

    def worker(self, ground: Ground, terms: Terms) -> Callable[[Work], object]:  # noqa: ARG002
        """Row by row."""
        return lambda work: [self.scorer.row(sentence, extractions) for sentence, extractions in work]


@dataclass(frozen=True)
class Learning(Contender):
    """A recipe, cross-validated on the spot; `trainer` makes what trains it on some material."""

    recipe: Recipe
    trainer: Callable[[Recipe, Material, bool], Train] = trainer_for

    def judge(self, ground: Ground, terms: Terms) -> Verdicts:
        """What matchers that did not see a sentence (or system) say of it."""
        material = gather(self.recipe, ground.benchmark, terms.data, terms.supervision)
        if not terms.quiet:
            print(f"{self.name}: {material}", file=sys.stderr)
            if plan := planned_fits(self.recipe, material, terms.protocol, whole=False):
                print(f"{self.name}: {plan}", file=sys.stderr)
        grounds = {terms.thinness: ground} | {thinness: ground.thinned(thinness) for thinness in terms.draws}
        heard = hear_folds(self.recipe, self.trainer(self.recipe, material, terms.quiet), grounds, terms)
        own, recipe = heard[terms.thinness], self.recipe
        name = protocol_name(ground.work, terms.protocol, recipe.folds, recipe.seed)
        shown = trained_signature(
            ground.benchmark, recipe, material, name, terms.resamples, terms.seed, terms.thinness, repeats=terms.repeats
        )
        return Verdicts(
            self.name,
            str(shown),
            f"out of fold, {name}",
            own.seconds,
            system_counts(ground.work, own.said, ground.systems),
            tuple(own.said),
            tuple(own.scores[position] for position in range(len(ground.work))),
            learned=True,
            notes=own.notes,
            runs=(*_runs(heard, recipe.seed, terms), *self._repeated(ground, grounds, terms)),
        )

    def _repeated(self, ground: Ground, grounds: Mapping[Thinness, Ground], terms: Terms) -> Iterator[Run]:
        """What the recipe says by further seeds, with folds, and labels beside people's, of their own."""
        for number in range(1, terms.seeds):
            recipe = replace(self.recipe, seed=self.recipe.seed + number)
            if not terms.quiet:
                print(f"{self.name}: seed {number + 1} of {terms.seeds}", file=sys.stderr)
            material = gather(recipe, ground.benchmark, terms.data, terms.supervision)
            heard = hear_folds(recipe, self.trainer(recipe, material, terms.quiet), grounds, terms, closely=False)
            yield from _runs(heard, recipe.seed, terms)

    def worker(self, ground: Ground, terms: Terms) -> Callable[[Work], object]:
        """A matcher that is trained on everything."""
        material = gather(self.recipe, ground.benchmark, terms.data, terms.supervision)
        return self.trainer(self.recipe, material, terms.quiet)(range(len(ground.work))).match_many


def _runs(heard: Mapping[Thinness, Heard], seed: int, terms: Terms) -> list[Run]:
    """What was heard by one seed, under each thinness that was asked for."""
    return [heard[thinness].run(thinness, seed) for thinness in terms.draws]


def fresh_start(worker: Callable[[Work], object], ground: Ground) -> None:
    """Let a matcher import what it needs, then forget what others have prepared, so that each is timed alike."""
    worker([(part.sentence, part.extractions) for part in ground.work[:_WARM_UP]])
    forget()


def grows(contender: Contender) -> bool:
    """Whether it is shown how matching by a contender grows with the data: of the rules and of checkpoints."""
    checkpoint = isinstance(contender, Matching) and contender.matcher.hash and not is_llm(contender.given)
    return contender.name == BASELINE or bool(checkpoint)
