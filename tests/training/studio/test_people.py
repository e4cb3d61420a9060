"""Names, links and sessions."""

from __future__ import annotations

import pytest

from training.studio.actions import Invite
from training.studio.facts import RefusedError
from training.studio.people import check_name, hashed, invitation, invited, joining, of_session, revocation
from training.studio.state import State
from training.studio.store import Event


def with_invitation(state: State, name: str) -> str:
    action, secret = invitation(state, name)
    state.apply(Event(state.seq + 1, "then", "Ada", action))
    return secret


def test_a_link_leads_to_its_person_until_it_is_used() -> None:
    state = State()
    secret, other = with_invitation(state, "Bo"), with_invitation(state, "Cy")
    person = invited(state, secret)
    assert person is not None
    assert person.name == "Bo"
    join, session = joining(person)
    state.apply(Event(9, "then", "Bo", join))
    assert invited(state, secret) is None
    assert invited(state, other) is not None
    found = of_session(state, session)
    assert found is not None
    assert found.name == "Bo"
    assert of_session(state, "") is None
    assert of_session(state, hashed(session)) is None  # who reads the file has no key


def test_a_new_link_ends_the_old_one_and_nothing_empty_opens() -> None:
    state = State()
    old = with_invitation(state, "Bo")
    new = with_invitation(state, "Bo")
    assert invited(state, old) is None
    assert invited(state, new) is not None
    state.apply(Event(9, "then", "Ada", revocation(state, "Bo", "Ada")))
    assert invited(state, new) is None
    assert invited(state, "") is None


@pytest.mark.parametrize("name", ["", " ", "file", "Studio", "<b>", "a" * 41, "a/b", "../x", "-x"])
def test_a_name_is_one(name: str) -> None:
    with pytest.raises(RefusedError):
        check_name(name)


def test_names_of_many_languages_are() -> None:
    assert [check_name(name) for name in ("Ada", "José", "李娜", "Anne-Marie  O'Hara")][-1] == "Anne-Marie O'Hara"


def test_nobody_is_taken_for_another_and_nobody_ends_themselves() -> None:
    state = State([Event(1, "then", "Ada", Invite("Bo", "annotator", "x"))])
    with pytest.raises(RefusedError, match="can't be taken for"):
        invitation(state, "bo")
    with pytest.raises(RefusedError, match="yourself"):
        revocation(state, "Bo", "Bo")
    with pytest.raises(RefusedError, match="Nobody"):
        revocation(state, "Cy", "Ada")
