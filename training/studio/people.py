"""Who may do what: invitation links that work once, sessions, roles. Of secrets only the hashes are kept."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

from training.studio.actions import ANNOTATOR, OWNER, Invite, Join, Revoke
from training.studio.facts import RefusedError
from training.studio.state import Person, State

_NAME = re.compile(r"\w[\w .'-]{0,39}")
RESERVED = frozenset(("file", "studio"))  # what the log calls imports and itself


def new_secret() -> str:
    """A secret that nobody guesses."""
    return secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """What is kept of a secret; it has 256 random bits, so a plain hash can't be searched."""
    return hashlib.sha256(secret.encode()).hexdigest()


def check_name(name: str) -> str:
    """A person's name as it will be written."""
    name = " ".join(name.split())
    if not _NAME.fullmatch(name) or name.lower() in RESERVED:
        raise RefusedError(
            "A name has 1 to 40 letters, digits, spaces, dots or hyphens, and is not 'file' or 'studio'."
        )
    return name


def invitation(state: State, name: str, role: str = ANNOTATOR) -> tuple[Invite, str]:
    """An invitation and the secret of its link; a link that the person had before ends."""
    name = check_name(name)
    if role not in (OWNER, ANNOTATOR):
        raise RefusedError(f"A person is {OWNER} or {ANNOTATOR}.")
    for other in state.people:
        if other != name and other.casefold() == name.casefold():
            raise RefusedError(f"{other} is here already; choose a name that can't be taken for it.")
    secret = new_secret()
    return Invite(name, role, hashed(secret)), secret


def invited(state: State, secret: str) -> Person | None:
    """The person that a link was made for, if it is neither used nor revoked."""
    wanted = hashed(secret)
    found = None
    for person in state.people.values():  # all are compared, so that the time tells nothing
        if hmac.compare_digest(person.link, wanted) and not person.revoked:
            found = person
    return found


def joining(person: Person) -> tuple[Join, str]:
    """The person's first step in, and the secret of their session."""
    secret = new_secret()
    return Join(person.name, hashed(secret)), secret


def of_session(state: State, secret: str) -> Person | None:
    """The person of a session that was not revoked."""
    if not secret:
        return None
    wanted = hashed(secret)
    for person in state.people.values():
        if wanted in person.sessions and not person.revoked:
            return person
    return None


def revocation(state: State, name: str, by: str) -> Revoke:
    """The end of a person's link and sessions."""
    if name not in state.people:
        raise RefusedError(f"Nobody here is called {name}.")
    if name == by:
        raise RefusedError("You can't revoke yourself.")
    return Revoke(name)
