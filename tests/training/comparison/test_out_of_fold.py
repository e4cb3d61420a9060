from __future__ import annotations

from data.thinning import Thinness
from tests.training.compared import THIN_TERMS, Training, few
from training.comparison.ground import Run
from training.comparison.out_of_fold import hear_folds
from training.labels.judged_parts import assign_all
from training.recipes import Recipe

GROUNDS = {draw: few().thinned(draw) for draw in map(Thinness.of, ("all", "2", "random"))}
RECIPE = Recipe(name="words", folds=3)


def test_a_matcher_is_trained_once_a_fold_and_asked_under_every_gold() -> None:
    training = Training()
    heard = hear_folds(RECIPE, training, GROUNDS, THIN_TERMS)
    assert len(training.seen) == 3 and list(heard) == list(GROUNDS)
    for thinness, own in heard.items():
        assert [said.sentence for said in own.said] == [part.sentence for part in GROUNDS[thinness].work]


def test_each_part_is_matched_by_the_matcher_that_was_trained_without_its_sentence() -> None:
    training = Training()
    asked: list[tuple[object, set[str]]] = []

    def train(positions):  # type: ignore[no-untyped-def]
        matcher = training(positions)
        seen = {few().work[position].sentence.id for position in positions}
        match_many = matcher.match_many
        matcher.match_many = lambda work: (asked.extend((s.id, seen) for s, _ in work), match_many(work))[1]
        return matcher

    hear_folds(RECIPE, train, GROUNDS, THIN_TERMS)
    assert len(asked) == len(GROUNDS) * len(few().work)
    assert all(sentence not in seen for sentence, seen in asked)


def test_what_is_heard_is_what_the_matcher_says() -> None:
    heard = hear_folds(Recipe(folds=2), lambda _: Training()([]), GROUNDS, THIN_TERMS)
    for thinness, own in heard.items():
        assert own.said == assign_all(Training()([]), GROUNDS[thinness].work)
        run, expected = own.run(thinness, 4), Run.of(GROUNDS[thinness], thinness, own.said, 4)
        assert (run.pairs == expected.pairs).all() and (run.sums == expected.sums).all()  # type: ignore[union-attr]
        assert (run.thinness, run.seed) == (thinness, 4)


def test_scores_and_reasons_are_asked_for_once_and_under_the_terms_own_gold() -> None:
    heard = hear_folds(RECIPE, Training(), GROUNDS, THIN_TERMS)
    assert [bool(own.scores) for own in heard.values()] == [True, False, False]
    assert [bool(own.notes) for own in heard.values()] == [True, False, False]
    assert not any(
        own.scores or own.notes for own in hear_folds(RECIPE, Training(), GROUNDS, THIN_TERMS, False).values()
    )
