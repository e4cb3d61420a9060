"""What the pages' scripts get: plain JSON values of drafts, items, opinions and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from training.studio.actions import clusters_json
from training.studio.highlighting import Highlighter
from training.studio.insight import Insight
from training.studio.judging import Item, Said
from training.studio.state import Case, Draft

if TYPE_CHECKING:
    from training.studio.agreement import Agreement, Figure


def draft_view(draft: Draft) -> dict[str, Any]:
    """A sentence's annotation."""
    now = draft.now
    return {
        "id": draft.id,
        "version": draft.version,
        "clusters": [{"id": id_, "formulations": texts} for id_, texts in clusters_json(now.clusters)],
        "note": now.note,
        "status": now.status,
        "by": now.person,
        "undo": now.label if draft.past else "",
        "redo": draft.future[-1].label if draft.future else "",
        "can_undo": bool(draft.past),
        "can_redo": bool(draft.future),
    }


def sentence_view(draft: Draft, number: int, count: int, highlight: Highlighter, language: str) -> dict[str, Any]:
    """A sentence with its words and their marks, its place in the list, and its annotation."""
    words = draft.text.split()
    marks = highlight(words, language)
    return {
        "number": number,
        "count": count,
        "words": [{"text": word, "mark": mark} for word, mark in zip(words, marks, strict=True)],
        **draft_view(draft),
    }


def row_view(draft: Draft, number: int) -> dict[str, Any]:
    """A line of the list of sentences."""
    formulations = sum(len(cluster.formulations) for cluster in draft.now.clusters)
    return {
        "number": number, "id": draft.id, "text": draft.text, "status": draft.now.status,
        "clusters": len(draft.now.clusters), "formulations": formulations, "note": draft.now.note,
    }  # fmt: skip


def insight_view(found: Insight) -> dict[str, Any]:
    """What stands beside a sentence."""
    return asdict(found)


def item_view(item: Item, draft: Draft, said: Said | None, matcher: str) -> dict[str, Any]:
    """An extraction to be judged; what a matcher says is there only where it may be seen."""
    return {
        "id": item.id,
        "slots": list(item.extraction.slots),
        "sentence": draft.text,
        "version": draft.version,
        "clusters": draft_view(draft)["clusters"],
        "said": said_view(said, matcher) if said else None,
    }


def said_view(said: Said, matcher: str) -> dict[str, Any]:
    """What a matcher says."""
    return {"matcher": matcher, "clusters": list(said.clusters), "score": round(said.score, 3), "reason": said.reason}


def case_view(key: str, case: Case, draft: Draft) -> dict[str, Any]:
    """A case that two people have judged, with all opinions side by side."""
    return {
        "id": key,
        "slots": list(case.extraction.slots),
        "sentence": draft.text,
        "clusters": draft_view(draft)["clusters"],
        "opinions": [
            {
                "person": opinion.person,
                "first": list(opinion.first.clusters),
                "clusters": list(opinion.last.clusters),
                "unsure": opinion.last.unsure,
                "principle": opinion.last.principle,
                "reason": opinion.last.reason,
            }
            for opinion in case.opinions.values()
        ],
        "settled": list(case.settled.clusters) if case.settled else None,
        "settled_by": case.settled_by,
        "settled_reason": case.settled.reason if case.settled else "",
    }


def agreement_view(found: Sequence[Agreement]) -> list[dict[str, Any]]:
    """Coefficients with their intervals."""
    return [
        {
            "question": one.question,
            "people": list(one.people),
            "principle": one.principle,
            "cases": one.cases,
            "same": one.same,
            "kappa": _figure(one.kappa) if one.kappa else None,
            "alpha": _figure(one.alpha),
        }
        for one in found
    ]


def _figure(figure: Figure) -> dict[str, float | None]:
    bounds = figure.interval
    return {
        "value": figure.value,
        "low": bounds.low if bounds else None,
        "high": bounds.high if bounds else None,
    }
