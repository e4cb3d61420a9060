"""The endpoints of what concerns everybody: learning, invitations, files."""

from __future__ import annotations

from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import Response

from training.studio import exports
from training.studio.actions import ANNOTATOR
from training.studio.api_matches import seen
from training.studio.facts import RefusedError
from training.studio.people import invitation, revocation
from training.studio.web import Answer, Body, Site, Visitor, owner_only

BASES = ("", "features")


@owner_only
def learn(site: Site, _visitor: Visitor, _request: Request, body: Body) -> Answer:
    """Begin to learn."""
    studio, base = site.studio, body.text("base")
    if base not in BASES:
        raise RefusedError("Learning starts from scratch or from the shipped features.")
    with studio.lock:
        benchmark, judged = studio.benchmark(), exports.credited(studio.state, studio.systems)
    site.learner.start(benchmark, judged, base)
    return asdict(site.learner.progress)


@owner_only
def cancel(site: Site, _visitor: Visitor, _request: Request, _body: Body) -> Answer:
    """Stop learning."""
    site.learner.cancel()
    return asdict(site.learner.progress)


def learning(site: Site, _visitor: Visitor, _request: Request, _body: Body) -> Answer:
    """How far learning is."""
    return {**asdict(site.learner.progress), "checkpoints": site.studio.machine.learned()}


@owner_only
def people(site: Site, visitor: Visitor, _request: Request, _body: Body) -> Answer:
    """Who works here."""
    state = site.studio.state
    given: dict[str, int] = {}
    for case in state.cases.values():
        for name in case.opinions:
            given[name] = given.get(name, 0) + 1
    listed = [
        {
            "name": person.name, "role": person.role, "revoked": person.revoked, "waiting": bool(person.link),
            "joined": bool(person.sessions), "judged": given.get(person.name, 0),
        }
        for person in state.people.values()
    ]  # fmt: skip
    return {"people": listed, "me": visitor.name, "mine": given.get(visitor.name, 0)}


@owner_only
def invite(site: Site, visitor: Visitor, _request: Request, body: Body) -> Answer:
    """Make a link, which is shown once."""
    with site.studio.lock:
        if body.text("name").strip().casefold() == site.studio.options.owner.casefold():
            raise RefusedError("That is your own name.")
        found, secret = invitation(site.studio.state, body.text("name"), body.text("role", ANNOTATOR))
        site.studio.do(visitor.name, [found])
    return {"name": found.name, "link": f"{site.address}/join/{secret}"}


@owner_only
def revoke(site: Site, visitor: Visitor, _request: Request, body: Body) -> Answer:
    """End a person's link and sessions."""
    with site.studio.lock:
        site.studio.do(visitor.name, [revocation(site.studio.state, body.text("name"), visitor.name)])
    return {"revoked": body.text("name")}


def write_files(site: Site, _visitor: Visitor, _request: Request, _body: Body) -> Answer:
    """Write gold and judgments into the folder."""
    return {"written": site.studio.write_files()}


_NAMES = {
    "benchie": ("gold.txt", "text/plain"),
    "annie-json": ("annie.json", "application/json"),
    "annie-text": ("annie.txt", "text/plain"),
    exports.STUDIO_LINES: ("studio.jsonl", "application/x-ndjson"),
    "judgments": ("judgments.jsonl", "application/x-ndjson"),
    "match-csv": ("matches.csv", "text/csv"),
    "opinions-csv": ("opinions.csv", "text/csv"),
}


def download(site: Site, visitor: Visitor, request: Request, _body: Body) -> Answer:
    """A file to take away; what others said of cases that one may still be asked about is the owner's to see."""
    what, studio = request.path_params["what"], site.studio
    if what not in _NAMES:
        raise RefusedError(f"There is no file {what!r}.")
    if what == "opinions-csv" and not visitor.is_owner:
        raise RefusedError("Only the owner sees everybody's opinions.")
    with studio.lock:
        benchmark = studio.benchmark()
        if what == exports.STUDIO_LINES:
            content = exports.studio_lines(studio.state)
        elif what in ("judgments", "match-csv"):
            found = exports.credited(
                studio.state, studio.systems, lambda key: visitor.is_owner or seen(studio, visitor, key)
            )
            content = exports.judgment_lines(found) if what == "judgments" else exports.match_csv(benchmark, found)
        elif what == "opinions-csv":
            content = exports.opinions_csv(benchmark, studio.state, studio.systems)
        else:
            content = exports.gold_file(benchmark, what)
    name, kind = _NAMES[what]
    return Response(
        content, media_type=f"{kind}; charset=utf-8", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
