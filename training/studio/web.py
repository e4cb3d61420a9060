"""From requests to calls and back: who asks, what their JSON says, and which answer an error gets."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from data.problems import InputError
from training.studio.actions import OWNER
from training.studio.facts import RefusedError
from training.studio.judging import OvertakenError
from training.studio.learning import Learner
from training.studio.people import of_session
from training.studio.security import TooLargeError
from training.studio.store import StoreError
from training.studio.studio import ConflictError, Studio
from training.studio.views import draft_view

LOG_IN = "This studio is entered by an invitation link. Ask its owner for one."


@dataclass(frozen=True)
class Visitor:
    """Who asks."""

    name: str
    role: str
    by_link: bool = False

    @property
    def is_owner(self) -> bool:
        """Whether this person may do what concerns everybody."""
        return self.role == OWNER


@dataclass
class Site:
    """What the endpoints work with; `open` says that whoever reaches the address without a link is the owner.

    `address` is what links begin with, and `public` the same if a proxy gave it.
    """

    studio: Studio
    learner: Learner
    port: int
    open: bool = True
    address: str = ""
    public: str = ""

    @property
    def cookie(self) -> str:
        """The session's cookie; browsers keep one jar for all ports of a host."""
        return f"factmatch-studio-{self.port}"

    def visitor(self, request: Request) -> Visitor | None:
        """Who asks, or None if they may not."""
        secret = request.cookies.get(self.cookie, "")
        person = of_session(self.studio.state, secret)
        if person is not None:
            return Visitor(person.name, person.role, True)
        if self.open and not secret:
            return Visitor(self.studio.options.owner, OWNER)
        return None


class ForbiddenError(Exception):
    """Something that only the owner may do."""


@dataclass(frozen=True)
class Body:
    """The JSON object of a request, with typed fields."""

    fields: Mapping[str, Any]

    def text(self, name: str, default: str = "") -> str:
        """A string."""
        value = self.fields.get(name, default)
        if not isinstance(value, str):
            raise RefusedError(f"'{name}' must be a text.")
        if any(0xD800 <= ord(character) <= 0xDFFF for character in value):
            raise RefusedError(f"'{name}' has characters that can't be written.")
        return value

    def integer(self, name: str, default: int = 0) -> int:
        """A whole number."""
        value = self.fields.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) > 10**9:
            raise RefusedError(f"'{name}' must be a whole number.")
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        """True or false."""
        value = self.fields.get(name, default)
        if not isinstance(value, bool):
            raise RefusedError(f"'{name}' must be true or false.")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings."""
        value = self.fields.get(name, [])
        if not isinstance(value, list) or len(value) > 100:
            raise RefusedError(f"'{name}' must be a short list.")
        return tuple(Body({name: item}).text(name) for item in value)

    def maybe_texts(self, name: str) -> tuple[str, ...] | None:
        """A list of strings, or None where there is none."""
        return None if self.fields.get(name) is None else self.texts(name)

    def integers(self, name: str) -> tuple[int, ...]:
        """A list of whole numbers."""
        value = self.fields.get(name, [])
        if not isinstance(value, list) or len(value) > 1000:
            raise RefusedError(f"'{name}' must be a short list.")
        return tuple(Body({name: item}).integer(name) for item in value)


Answer = dict[str, Any] | list[Any] | Response
Handler = Callable[[Site, Visitor, Request, Body], Answer]


def owner_only(handler: Handler) -> Handler:
    """A handler that only the owner may call."""

    def checked(site: Site, visitor: Visitor, request: Request, body: Body) -> Answer:
        if not visitor.is_owner:
            raise ForbiddenError("Only the owner may do that.")
        return handler(site, visitor, request, body)

    return checked


def endpoint(site: Site, handler: Handler, raw: bool = False) -> Callable[[Request], Any]:
    """An endpoint of a handler: finds out who asks, reads their JSON (unless `raw`), and answers in JSON."""

    async def answer(request: Request) -> Response:
        visitor = site.visitor(request)
        if visitor is None:
            return JSONResponse({"error": LOG_IN}, 401)
        try:
            content = await request.body() if request.method == "POST" else b""
            body = Body({"content": content}) if raw else _body(content)
            found = await run_in_threadpool(handler, site, visitor, request, body)
        except TooLargeError:
            return JSONResponse({"error": "That is too large."}, 413)
        except Exception as error:
            return _refusal(error)
        return found if isinstance(found, Response) else JSONResponse(found)

    return answer


def _body(content: bytes) -> Body:
    if not content:
        return Body({})
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        raise RefusedError("That is not JSON.") from None
    if not isinstance(value, dict):
        raise RefusedError("A JSON object was expected.")
    return Body(value)


def _refusal(error: Exception) -> Response:
    """The answer to an error that people can do something about; others are the program's and go on."""
    if isinstance(error, ConflictError):
        return JSONResponse({"error": str(error), "now": draft_view(error.draft)}, 409)
    if isinstance(error, OvertakenError):
        return JSONResponse({"error": str(error), "clusters": list(error.now)}, 409)
    if isinstance(error, ForbiddenError):
        return JSONResponse({"error": str(error)}, 403)
    if isinstance(error, StoreError):
        return JSONResponse({"error": str(error)}, 507)
    if isinstance(error, RefusedError):
        return JSONResponse({"error": str(error)}, 400)
    if isinstance(error, InputError):
        return JSONResponse({"error": f"{error.message[:1].upper()}{error.message[1:]}."}, 422)
    raise error
