"""The endpoints of annotating: sentences, their edits, what stands beside them, texts and files."""

from __future__ import annotations

from starlette.requests import Request

from data.problems import InputError
from training.studio import facts
from training.studio.insight import insight
from training.studio.views import draft_view, insight_view, row_view, sentence_view
from training.studio.web import Answer, Body, Site, Visitor


def sentences(site: Site, _visitor: Visitor, _request: Request, _body: Body) -> Answer:
    """The list of sentences."""
    return {"sentences": [row_view(d, number) for number, d in enumerate(site.studio.state.drafts.values(), 1)]}


def sentence(site: Site, _visitor: Visitor, request: Request, _body: Body) -> Answer:
    """One sentence."""
    studio, number = site.studio, request.path_params["number"]
    with studio.lock:
        draft = studio.draft(number)
        count = len(studio.state.drafts)
        return sentence_view(draft, number, count, studio.options.highlight, studio.language)


def edit(site: Site, visitor: Visitor, request: Request, body: Body) -> Answer:
    """Change a sentence's annotation."""
    wanted = facts.Request(
        body.text("operation"),
        body.text("cluster"),
        body.integer("place"),
        body.integers("places"),
        body.text("target"),
        body.text("text"),
    )
    draft = site.studio.edit(visitor.name, request.path_params["number"], body.integer("version"), wanted)
    return draft_view(draft)


def beside(site: Site, _visitor: Visitor, request: Request, _body: Body) -> Answer:
    """What stands beside a sentence."""
    studio = site.studio
    matcher = request.query_params.get("matcher") or studio.machine.default()
    draft = studio.draft(request.path_params["number"])
    found = insight(draft.sentence, studio.language, studio.systems, studio.machine, matcher)
    return {**insight_view(found), "matcher": matcher, "version": draft.version}


def matchers(site: Site, _visitor: Visitor, _request: Request, _body: Body) -> Answer:
    """The matchers that can be chosen."""
    return {"matchers": site.studio.machine.names(), "default": site.studio.machine.default()}


def paste(site: Site, visitor: Visitor, _request: Request, body: Body) -> Answer:
    """Add text that was pasted."""
    content = body.text("text")
    if not content.strip():
        raise InputError("there is no text")
    return _take(site, visitor, content.encode(), "", body.flag("by_character", True), body.flag("split", True))


def upload(site: Site, visitor: Visitor, request: Request, body: Body) -> Answer:
    """Add a file."""
    asked = request.query_params
    content: bytes = body.fields["content"]
    return _take(site, visitor, content, asked.get("name", ""), asked.get("by") != "words", asked.get("split") != "no")


def _take(site: Site, visitor: Visitor, content: bytes, name: str, by_character: bool, split: bool) -> Answer:
    studio = site.studio
    with studio.lock:
        before = len(studio.state.drafts)
        incoming = studio.incoming(content, name, by_character, split)
        studio.take(visitor.name, incoming)
        return {
            "what": incoming.what,
            "first": before + 1,
            "added": len(studio.state.drafts) - before,
            "changes": len(incoming.actions),
            "systems": [system.name for system in incoming.systems],
            "warnings": list(incoming.warnings),
        }
