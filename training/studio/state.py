"""The present state, which follows from the log: sentences with their annotation, opinions, people."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from data.model import Cluster, Extraction, Sentence
from training.studio.actions import OPEN, AddSentence, Edit, Invite, Join, Judge, Revoke, Settle
from training.studio.store import Event


@dataclass(frozen=True)
class Picture:
    """A sentence's annotation at one moment, and what led to it."""

    clusters: tuple[Cluster, ...]
    note: str = ""
    status: str = OPEN
    label: str = ""
    person: str = ""


@dataclass
class Draft:
    """A sentence of the studio: its present picture, and those that can be gone back or forward to."""

    id: str
    text: str
    now: Picture
    version: int = 1
    past: list[Picture] = field(default_factory=list)
    future: list[Picture] = field(default_factory=list)
    highest: int = 0  # of all cluster numbers that were ever used, so that none comes back with another meaning

    @property
    def sentence(self) -> Sentence:
        """The sentence with its clusters, as everything else in the project knows it."""
        return Sentence(self.id, self.text, self.now.clusters)

    def note_ids(self) -> None:
        """Remember the numbers of the present clusters."""
        numbers = [int(c.id) for c in self.now.clusters if c.id.isdecimal() and c.id.isascii() and len(c.id) < 10]
        self.highest = max([self.highest, *numbers])

    def take(self, edit: Edit, person: str) -> None:
        """Go where an edit leads."""
        picture = Picture(edit.clusters, edit.note, edit.status, edit.label, person)
        if edit.step == "undo" and self.past:
            self.future.append(self.now)
            self.past.pop()
        elif edit.step == "redo" and self.future:
            self.past.append(self.now)
            self.future.pop()
        else:
            self.past.append(self.now)
            self.future.clear()
        self.now = picture
        self.version += 1
        self.note_ids()


@dataclass(frozen=True)
class Opinion:
    """What one person says of an extraction: at first, and in the end if they reconsidered."""

    person: str
    first: Judge
    last: Judge
    at: str
    seq: int

    @property
    def changed(self) -> bool:
        """Whether the person named other clusters when they reconsidered."""
        return set(self.first.clusters) != set(self.last.clusters)


@dataclass
class Case:
    """An extraction with everybody's opinions, and how it was settled if it was."""

    extraction: Extraction
    opinions: dict[str, Opinion] = field(default_factory=dict)
    settled: Settle | None = None
    settled_by: str = ""

    @property
    def disagrees(self) -> bool:
        """Whether two people name different clusters."""
        return len({frozenset(opinion.last.clusters) for opinion in self.opinions.values()}) > 1


@dataclass
class Person:
    """Somebody who works here; `link` and `sessions` are hashes."""

    name: str
    role: str
    link: str = ""
    sessions: set[str] = field(default_factory=set)
    revoked: bool = False


def case_id(extraction: Extraction) -> str:
    """What stands for an extraction in addresses and files: the same triple of a sentence is judged once."""
    text = "\0".join((extraction.sentence_id, *extraction.slots))
    return hashlib.sha256(text.encode()).hexdigest()[:20]


class State:
    """All that follows from the log so far."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.drafts: dict[str, Draft] = {}
        self.cases: dict[str, Case] = {}
        self.people: dict[str, Person] = {}
        self.judged: list[str] = []  # the cases of all opinions in their order, those that were reconsidered too
        self.given: Counter[str] = Counter()  # how many cases each person has judged
        self.changed: Counter[str] = Counter()  # how many of them with another result when they reconsidered
        self.seq = 0
        for event in events:
            self.apply(event)

    def apply(self, event: Event) -> None:
        """Take one event."""
        self.seq = event.seq
        action = event.action
        if isinstance(action, AddSentence):
            sentence = action.sentence
            draft = Draft(sentence.id, sentence.text, Picture(sentence.clusters, person=event.person))
            draft.note_ids()
            self.drafts[sentence.id] = draft
        elif isinstance(action, Edit):
            self.drafts[action.sentence_id].take(action, event.person)
        elif isinstance(action, Judge):
            self._judge(action, event)
        elif isinstance(action, Settle):
            case = self.case(action.extraction)
            case.settled, case.settled_by = action, event.person
        elif isinstance(action, Invite):
            person = self.people.setdefault(action.name, Person(action.name, action.role))
            person.role, person.link, person.revoked = action.role, action.link, False
        elif isinstance(action, Join):
            self.people[action.name].link = ""
            self.people[action.name].sessions.add(action.session)
        elif isinstance(action, Revoke):
            person = self.people[action.name]
            person.link, person.revoked = "", True
            person.sessions.clear()

    def _judge(self, action: Judge, event: Event) -> None:
        case = self.case(action.extraction)
        known = case.opinions.get(event.person)
        first = known.first if known and action.again else action
        opinion = Opinion(event.person, first, action, event.at, event.seq)
        case.opinions[event.person] = opinion
        self.judged.append(case_id(action.extraction))
        self.given[event.person] += known is None
        self.changed[event.person] += opinion.changed - (known.changed if known else False)

    def case(self, extraction: Extraction) -> Case:
        """The case of an extraction, which is there from its first opinion on."""
        return self.cases.setdefault(case_id(extraction), Case(extraction))
