from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from data.problems import InputError
from tests.training.compared import NAMES, TERMS, Overlap, Training, learning, sample
from training.comparison.contenders import Matching
from training.comparison.lineup import find_contender


def test_a_matcher_judges_everything() -> None:
    verdicts = find_contender("rules").judge(sample(), TERMS)
    assert verdicts.assignments is not None and len(verdicts.assignments) == len(verdicts.scores) == len(sample().work)
    assert verdicts.sums.shape == (5, 68, 4)
    assert (verdicts.protocol, verdicts.seen, verdicts.learned) == ("not trained", 0, False)
    assert verdicts.signature.startswith("matcher:rules|assignment:closest|gold:")
    assert verdicts.seconds > 0


def test_a_scorer_gives_fractions_and_no_matches() -> None:
    verdicts = find_contender("carb").judge(sample(), TERMS)
    assert verdicts.assignments is None and not verdicts.scores
    assert (verdicts.sums % 1).any()  # not rounded
    assert verdicts.signature.startswith("scorer:carb|gold:")


def test_a_greedy_matcher_says_so_in_its_signature() -> None:
    assert "|assignment:greedy|" in find_contender("wire57").judge(sample(), TERMS).signature


@pytest.mark.parametrize(("protocol", "count"), [("sentence", 4), ("leave-one-system-out", 5)])
def test_a_recipe_is_judged_out_of_fold(protocol: str, count: int) -> None:
    training = Training()
    terms = replace(TERMS, protocol=protocol)
    verdicts = learning(training).judge(sample(), terms)
    assert len(training.seen) == count
    assert verdicts.learned and verdicts.protocol.startswith("out of fold, ")
    assert verdicts.assignments is not None and len(verdicts.assignments) == len(sample().work)
    if protocol == "sentence":
        everything = {part.sentence.id for part in sample().work}
        held_out = [everything - seen for seen in training.seen]
        assert set.union(*held_out) == everything and sum(map(len, held_out)) == len(everything)
    assert "|recipe:" in verdicts.signature and "|protocol:" in verdicts.signature


def test_a_matcher_says_why_where_it_disagrees() -> None:
    verdicts = learning().judge(sample(), TERMS)
    assert verdicts.notes
    for (position, index, cluster), lines in verdicts.notes.items():
        part = sample().work[position]
        said = {match.cluster for match in (verdicts.assignments or ())[position].of(index)}
        assert (cluster in part.labels[index]) != (cluster in said)
        assert lines[0].startswith("asks for ")


def test_a_checkpoint_that_has_seen_the_sentences_is_refused() -> None:
    texts = [sentence.text for sentence in sample().sentences[:3]]
    known = frozenset(hashlib.sha256(text.encode()).hexdigest() for text in texts)
    contender = Matching("mine", "checkpoints/mine", Overlap(trained_on=known))
    with pytest.raises(InputError, match=r"mine was trained on 3 of the 68 sentences.*--allow-seen"):
        contender.judge(sample(), TERMS)
    allowed = contender.judge(sample(), replace(TERMS, allow_seen=True))
    assert (allowed.seen, allowed.protocol) == (3, "checkpoint as it is")


def test_a_checkpoint_that_has_seen_others_is_welcome() -> None:
    contender = Matching("mine", "checkpoints/mine", Overlap(trained_on=frozenset(["0" * 64])))
    assert contender.judge(sample(), TERMS).seen == 0


def test_workers_take_batches() -> None:
    part = sample().work[0]
    for name in NAMES:
        assert len(find_contender(name).worker(sample(), TERMS)([(part.sentence, part.extractions)])) == 1  # type: ignore[arg-type]
    assert len(learning().worker(sample(), TERMS)([(part.sentence, part.extractions)])) == 1  # type: ignore[arg-type]
