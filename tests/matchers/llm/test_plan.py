from __future__ import annotations

import data
from matchers import load
from matchers.llm.plan import dry_run, whole_work


def test_other_matchers_cost_nothing() -> None:
    sample = data.load("sample")
    assert dry_run(load("rules"), whole_work(sample)) == "rules: no calls; it asks no language model"


def test_the_whole_work_is_every_system_in_every_sentence() -> None:
    sample = data.load("sample")
    work = whole_work(sample)
    assert len(work) == len(sample.sentences) * len(sample.systems)
    assert sum(len(extractions) for _, extractions in work) == sample.extraction_count
