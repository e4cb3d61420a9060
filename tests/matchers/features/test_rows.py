from __future__ import annotations

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.model import Benchmark, Extraction, Sentence
from matchers.features.groups import FEATURES, GROUPS, NAMES, THIN_NAMES
from matchers.features.rows import pair_table
from tests import strategies
from tests.matchers.facts import sentence, triple

GOLD = sentence(
    ["Mara Venn --> is --> [a] chemist", "Mara Venn --> is [a] --> chemist"],
    "Mara Venn --> moved to --> Oslo",
    "Mara Venn --> moved to --> Bergen",
    "Mara Venn --> sold --> the old mill",
    "Mara Venn --> sold the old mill in --> May",
)


def row(cluster: int, text: str, *others: str, gold: Sentence = GOLD) -> dict[str, float]:
    """The features of an extraction and the cluster with this number; `others` are the system's other extractions."""
    table = pair_table(gold, [triple(text), *map(triple, others)])
    found = zip(table.extraction, table.cluster, table.values, strict=True)
    values = next(values for index, number, values in found if index == 0 and number == cluster - 1)
    return dict(zip(NAMES, values.tolist(), strict=True))


def test_the_registry() -> None:
    assert len(set(NAMES)) == len(NAMES) == len(FEATURES) > 40
    for feature in FEATURES:
        assert feature.name.isidentifier() and feature.group in GROUPS
        assert len(feature.meaning) > 5 and "\n" not in feature.meaning
    assert set(GROUPS) == {
        "edits", "words", "slots", "moves", "order", "shape", "rules", "detail", "rank",
        "line", "crossed", "borders", "shares", "voice", "context", "thickness",
    }  # fmt: skip


def test_a_row_has_a_finite_number_for_each_feature() -> None:
    table = pair_table(GOLD, [triple("Mara Venn - is - a chemist"), triple("nobody - said - anything")])
    assert table.values.shape == (len(table.extraction), len(NAMES))
    assert len(table.readings) == len(table.cluster) == len(table.extraction) > 0
    assert numpy.isfinite(table.values).all()


def test_no_extractions_give_no_rows() -> None:
    assert pair_table(GOLD, []).values.shape == (0, len(NAMES))


@settings(max_examples=60, deadline=None)
@given(strategies.golds(), st.lists(st.tuples(strategies.texts, strategies.texts, strategies.texts), max_size=4))
def test_any_text_gives_finite_rows(gold: Benchmark, triples: list[tuple[str, str, str]]) -> None:
    part = gold.sentences[0]
    table = pair_table(part, [Extraction(part.id, *slots) for slots in triples if any(slots)])
    assert numpy.isfinite(table.values).all()


def test_an_exact_match() -> None:
    found = row(1, "Mara Venn - is - a chemist")
    assert found["reading_free"] == found["rule_em"] == found["relation_same"] == found["overlap"] == 1
    assert found["arg1_same"] == found["arg2_same"] == 1
    assert found["reading_cost"] == found["rule_em_punc"] == found["inflected"] == found["rank"] == 0
    assert row(1, "mara venn - is - a chemist .")["rule_em_punc"] == 1


def test_a_moved_adverb() -> None:
    for text in ("Mara Venn - now sold - the old mill", "Mara Venn - sold - the old mill now"):
        found = row(4, text)
        assert (found["adverbs"], found["reading_light"], found["reading_free"]) == (1, 1, 0)
        assert found["missing_content"] == found["extra_content"] == 0


def test_another_determiner() -> None:
    found = row(4, "Mara Venn - sold - an old mill")
    assert (found["reading_free"], found["inflected"], found["arg2_same"], found["rule_em"]) == (1, 1, 1, 0)
    assert row(4, "Mara Venn - sold - old mill")["determiners"] == 1


def test_another_tense() -> None:
    found = row(1, "Mara Venn - was - a chemist")
    assert (found["reading_free"], found["inflected"], found["relation_same"]) == (1, 1, 1)
    assert found["rule_em"] == found["rule_em_punc"] == 0


def test_a_preposition_out_of_the_relation() -> None:
    found = row(2, "Mara Venn - moved - to Oslo")
    assert (found["preposition_out"], found["preposition_in"], found["dangling_start"]) == (1, 0, 1)
    assert (found["moved_function"], found["moved_content"], found["relation_same"]) == (1, 0, 0)


def test_a_preposition_into_the_relation() -> None:
    gold = sentence("the mill --> stood --> near Oslo")
    found = row(1, "the mill - stood near - Oslo", gold=gold)
    assert (found["preposition_in"], found["preposition_out"]) == (1, 0)


def test_joined_facts() -> None:
    found = row(2, "Mara Venn - moved to - Oslo and Bergen")
    assert (found["reading_rewritten"], found["extra_conjunction"], found["clusters_combined"]) == (1, 1, 1)
    assert found["rule_af"] > 0 and found["rule_em"] == found["rule_lod"] == 0
    assert found["unaccounted"] == 0 and found["clusters_needed"] == 1


def test_a_detail() -> None:
    found = row(4, "Mara Venn - sold - the old mill in May")
    assert found["rule_lod"] > 0 and found["reading_detail"] == found["reading_free"] == found["arg2_begins"] == 1
    assert found["extra_date"] == 1 and found["unaccounted"] == 0


def test_what_no_cluster_accounts_for() -> None:
    found = row(2, "Mara Venn - moved to - Oslo harbour")
    assert found["extra_content"] == found["unaccounted"] == found["unaccounted_all"] == 1


def test_negations_and_hedges() -> None:
    assert row(4, "Mara Venn - did not sell - the old mill")["negations"] == 1
    assert row(4, "Mara Venn - reportedly sold - the old mill")["hedges"] == 1


def test_a_dangling_end() -> None:
    assert row(2, "Mara Venn - moved to - Oslo and")["dangling_end"] == 1


def test_the_system_s_other_extractions() -> None:
    alone = row(2, "Mara Venn - moved to - Oslo harbour")
    beside = row(2, "Mara Venn - moved to - Oslo harbour", "Mara Venn - moved to - Oslo")
    assert (alone["rival_rank"], alone["rule_rival"]) == (0, 0)
    assert (beside["rival_rank"], beside["rule_rival"]) == (1, 1)
    assert beside["rival_gap"] > 0 == alone["rival_gap"]


def test_the_sentence_s_other_clusters() -> None:
    assert row(2, "Mara Venn - moved to - Oslo")["rank"] == 0
    other = row(3, "Mara Venn - moved to - Oslo")
    assert (other["rank"], other["rule_elsewhere"]) == (1, 1) and other["gap"] > 0


def test_pairs_without_common_words_are_no_candidates() -> None:
    table = pair_table(GOLD, [triple("The ferry - left - the pier")])
    assert not len(table.values) and not table.rules


def test_blocking_loses_no_positive(judged: Benchmark) -> None:
    positives = 0
    for part in judged.sentences:
        ids = [cluster.id for cluster in part.clusters]
        for name in {judgment.system for judgment in judged.judgments}:
            own = [j for j in judged.judgments if j.system == name and j.extraction.sentence_id == part.id]
            table = pair_table(part, [judgment.extraction for judgment in own])
            kept = {(int(i), ids[c]) for i, c in zip(table.extraction, table.cluster, strict=True)}
            wanted = {(index, cluster) for index, judgment in enumerate(own) for cluster in judgment.clusters}
            assert wanted <= kept, (part.id, name, wanted - kept)
            positives += len(wanted)
    assert positives == 298


def test_the_same_rows_whatever_was_asked_before() -> None:
    first = pair_table(GOLD, [triple("Mara Venn - moved - to Oslo")]).values
    pair_table(GOLD, [triple("a b - c - d e f")])
    assert pair_table(GOLD, [triple("Mara Venn - moved - to Oslo")]).values == pytest.approx(first, abs=0)


def test_features_of_thin_gold_are_skipped_where_nobody_needs_them() -> None:
    said = [triple("Mara Venn - is - chemist"), triple("Mara Venn - has been - a chemist")]
    whole, plain = pair_table(GOLD, said), pair_table(GOLD, said, thin=False)
    thin = [name in THIN_NAMES for name in NAMES]
    assert (whole.values[:, numpy.invert(thin)] == plain.values[:, numpy.invert(thin)]).all()
    assert whole.values[:, thin].any() and not plain.values[:, thin].any()
