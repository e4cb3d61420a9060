"""The endpoints of judging: the queue, opinions, agreement, disagreements and how they are settled."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from training.studio.facts import RefusedError
from training.studio.judging import Item, judgment, may_see, outcome, settlement
from training.studio.queueing import ORDERS
from training.studio.state import State
from training.studio.studio import FILE_PERSON, ConflictError, Studio
from training.studio.views import agreement_view, case_view, item_view, said_view
from training.studio.web import Answer, Body, Site, Visitor


def _order(body: Body) -> str:
    order = body.text("order", "doubt")
    if order not in ORDERS:
        raise RefusedError(f"The order is {', '.join(ORDERS)}.")
    return order


def _next(site: Site, visitor: Visitor, order: str) -> dict[str, Any] | None:
    studio = site.studio
    item = studio.next_item(visitor.name, order)
    if item is None:
        return None
    draft, name = studio.state.drafts[item.extraction.sentence_id], studio.machine.default()
    said = studio.machine.said(name, draft, studio.systems).get(item.id) if studio.options.suggest else None
    return item_view(item, draft, said, name)


def progress(studio: Studio, person: str) -> dict[str, Any]:
    """How far a person is, and all are, after the queue has followed."""
    state, queue = studio.state, studio.queue
    return {
        "mine": state.given[person], "left": queue.left(person, state), "wanted": queue.wanted,
        "given": queue.wanted - queue.missing, "changed": state.changed[person],
        "everybody_changed": state.changed.total(), "everybody": by_people(state),
    }  # fmt: skip


def by_people(state: State) -> int:
    """How many judgments people gave here; those of files were made elsewhere, and their judges saw no matcher."""
    return state.given.total() - state.given[FILE_PERSON]


def queue(site: Site, visitor: Visitor, _request: Request, body: Body) -> Answer:
    """The next item of a person's queue."""
    with site.studio.lock:
        return {"item": _next(site, visitor, _order(body)), "progress": progress(site.studio, visitor.name)}


def _item(site: Site, request: Request) -> Item:
    item = site.studio.items().get(request.path_params["case"])
    if item is None:
        raise RefusedError("There is no such extraction, or its sentence has no clusters any more.")
    return item


def judge(site: Site, visitor: Visitor, request: Request, body: Body) -> Answer:
    """Take an opinion; the answer has what the matcher says of it, and the next item."""
    studio = site.studio
    with studio.lock:
        item, order = _item(site, request), _order(body)
        draft = studio.state.drafts[item.extraction.sentence_id]
        if body.integer("version") != draft.version:
            raise ConflictError(draft)
        opinion = judgment(
            studio.state, visitor.name, item, body.texts("clusters"), body.flag("unsure"), body.text("principle"),
            body.text("reason"), body.flag("again"), studio.options.suggest, body.maybe_texts("instead_of"),
        )  # fmt: skip
        studio.do(visitor.name, [opinion])
        following = _next(site, visitor, order)
        done = progress(studio, visitor.name)
    name = studio.machine.default()
    said = studio.machine.said(name, draft, studio.systems).get(item.id)
    judged = {**item_view(item, draft, said, name), "clusters_said": list(opinion.clusters)}
    return {"judged": judged, "item": following, "progress": done, "said": said_view(said, name) if said else None}


def disagreements(site: Site, visitor: Visitor, _request: Request, _body: Body) -> Answer:
    """The cases on which opinions differ; who has still to judge one does not see it."""
    studio = site.studio
    with studio.lock:
        state = studio.state
        shown = [
            case_view(key, case, state.drafts[case.extraction.sentence_id])
            for key, case in state.cases.items()
            if case.disagrees and seen(studio, visitor, key)
        ]
        return {"cases": shown, "open": sum(case["settled"] is None for case in shown)}


def seen(studio: Studio, visitor: Visitor, key: str) -> bool:
    """Whether a visitor sees what others say of a case."""
    return may_see(studio.state.cases[key], studio.items().get(key), visitor.name, studio.options.twice)


def settle(site: Site, visitor: Visitor, request: Request, body: Body) -> Answer:
    """Settle a case."""
    studio = site.studio
    with studio.lock:
        key = request.path_params["case"]
        case = studio.state.cases.get(key)
        if case is None or not seen(studio, visitor, key):
            raise RefusedError("There is no such case.")
        action = settlement(
            studio.state, visitor.name, visitor.is_owner, case, body.texts("clusters"), body.text("reason"),
            body.maybe_texts("instead_of"),
        )  # fmt: skip
        studio.do(visitor.name, [action])
        return case_view(key, case, studio.state.drafts[case.extraction.sentence_id])


def agreement(site: Site, _visitor: Visitor, _request: Request, _body: Body) -> Answer:
    """How far people agree, and how often they change their mind."""
    from training.studio.agreement import agreements  # brings numpy, for which nobody should wait at the start

    studio = site.studio
    with studio.lock:
        cases = [case for case in studio.state.cases.values() if len(case.opinions) > 1]
        changed, opinions = studio.state.changed.total(), by_people(studio.state)
        settled = sum(case.settled is not None for case in cases)
        drafts = studio.state.drafts
        decided = sum(outcome(c, drafts[c.extraction.sentence_id]) is not None for c in studio.state.cases.values())
    return {
        "agreement": agreement_view(agreements(cases)), "changed": changed, "opinions": opinions,
        "shared": len(cases), "settled": settled, "decided": decided,
    }  # fmt: skip
