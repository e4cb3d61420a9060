"""The studio as a web application: its addresses, its pages, and the way in through a link."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from data.formats.textfile import read_bytes
from matchers.pages import page
from training.studio import api_facts, api_matches, api_owner
from training.studio.judging import PRINCIPLES
from training.studio.people import invited, joining
from training.studio.queueing import ORDERS
from training.studio.security import Guard
from training.studio.web import LOG_IN, Site, Visitor, endpoint

HERE = Path(__file__).parent
RIGHT_TO_LEFT = frozenset(("ar", "he", "fa", "ur", "ps", "sd", "yi", "dv"))
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
USED = "This link was used before, or revoked. Ask for a new one."
PAGES = ("texts", "matches", "agreement", "learn", "people", "guide")


def assets() -> dict[str, tuple[bytes, str]]:
    """The files that pages load, by name: only these can be asked for, so a name never becomes a path."""
    found = {path.name: path for path in (HERE / "static").iterdir() if path.suffix in KINDS}
    found["page.css"] = page.FOLDER / "page.css"
    return {name: (read_bytes(path), KINDS[path.suffix]) for name, path in found.items()}


def application(site: Site, names: tuple[str, ...] = ()) -> ASGIApp:
    """The application behind its guard."""
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    files = assets()

    def render(template: str, visitor: Visitor | None, status: int = 200, **values: Any) -> Response:
        studio = site.studio
        common = {
            "visitor": visitor,
            "language": studio.language,
            "direction": "rtl" if studio.language in RIGHT_TO_LEFT else "ltr",
            "folder": studio.folder.resolve().name,
            "suggest": studio.options.suggest,
        }
        text = environment.get_template(f"{template}.html.jinja").render(**common, page=template, **values)
        return HTMLResponse(text, status)

    def shown(
        template: str, values: Callable[[Request], dict[str, Any]] = lambda _: {}
    ) -> Callable[[Request], Response]:
        def show(request: Request) -> Response:
            visitor = site.visitor(request)
            if visitor is None:
                return render("closed", None, 401, message=LOG_IN, leave=site.cookie in request.cookies)
            if template == "people" and not visitor.is_owner:
                return render("closed", visitor, 403, message="Only the owner sees this page.")
            return render(template, visitor, **values(request))

        return show

    def static(request: Request) -> Response:
        found = files.get(request.path_params["name"])
        if found is None:
            return Response("There is no such file.", 404, media_type="text/plain")
        return Response(found[0], media_type=found[1], headers={"Cache-Control": "no-cache"})

    def ask_to_join(request: Request) -> Response:
        person = invited(site.studio.state, request.path_params["secret"])
        if person is None:
            return render("closed", None, 403, message=USED)
        return render("join", None, name=person.name, secret=request.path_params["secret"])

    def join(request: Request) -> Response:
        with site.studio.lock:
            person = invited(site.studio.state, request.path_params["secret"])
            if person is None:
                return render("closed", None, 403, message=USED)
            action, secret = joining(person)
            site.studio.do(person.name, [action])
        answer = RedirectResponse("/matches", 303)
        answer.set_cookie(
            site.cookie, secret, max_age=30 * 86400, httponly=True, samesite="strict", path="/",
            secure=site.public.startswith("https:"),
        )  # fmt: skip
        return answer

    def leave(_request: Request) -> Response:
        answer = RedirectResponse("/", 303)
        answer.delete_cookie(site.cookie, path="/", httponly=True, samesite="strict")
        return answer

    def home(_request: Request) -> Response:
        return RedirectResponse("/texts", 303)

    async def missing(_request: Request, _error: Exception) -> Response:
        return render("closed", None, 404, message="There is no such page.")

    async def failed(_request: Request, _error: Exception) -> Response:
        return JSONResponse({"error": "The studio made a mistake; what was saved before is safe."}, 500)

    def of_facts(request: Request) -> dict[str, Any]:
        return {"number": request.path_params["number"]}

    of_matches = {"orders": ORDERS, "principles": PRINCIPLES}
    routes = [
        Route("/", home),
        *(
            Route(f"/{name}", shown(name, (lambda _: of_matches) if name == "matches" else (lambda _: {})))
            for name in PAGES
        ),
        Route("/facts/{number:int}", shown("facts", of_facts)),
        Route("/join/{secret}", ask_to_join, methods=["GET"]),
        Route("/join/{secret}", join, methods=["POST"]),
        Route("/leave", leave, methods=["POST"]),
        Route("/static/{name}", static),
        *_api(site),
    ]
    app = Starlette(routes=routes, exception_handlers={404: missing, Exception: failed})
    return Guard(app, site.port, names, site.public)


def _api(site: Site) -> list[Route]:
    get = {
        "sentences": api_facts.sentences,
        "sentences/{number:int}": api_facts.sentence,
        "sentences/{number:int}/beside": api_facts.beside,
        "matchers": api_facts.matchers,
        "disagreements": api_matches.disagreements,
        "agreement": api_matches.agreement,
        "learning": api_owner.learning,
        "people": api_owner.people,
        "files/{what}": api_owner.download,
    }
    post = {
        "sentences/{number:int}/edit": api_facts.edit,
        "texts": api_facts.paste,
        "queue": api_matches.queue,
        "cases/{case}/judge": api_matches.judge,
        "cases/{case}/settle": api_matches.settle,
        "learn": api_owner.learn,
        "learn/cancel": api_owner.cancel,
        "people/invite": api_owner.invite,
        "people/revoke": api_owner.revoke,
        "write": api_owner.write_files,
    }
    return [
        *(Route(f"/api/{path}", endpoint(site, handler), methods=["GET"]) for path, handler in get.items()),
        *(Route(f"/api/{path}", endpoint(site, handler), methods=["POST"]) for path, handler in post.items()),
        Route("/api/files", endpoint(site, api_facts.upload, raw=True), methods=["POST"]),
    ]
