"""What people do in the studio, as values that the log keeps: each is one line of JSON and reads back equal."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from data.formats.slots import parse_slot
from data.model import ARROW, Cluster, Extraction, Formulation, Sentence
from data.problems import InputError

OPEN, DOUBTFUL, DONE, REMOVED = "open", "doubtful", "done", "removed"
STATUSES = (OPEN, DOUBTFUL, DONE, REMOVED)
OWNER, ANNOTATOR = "owner", "annotator"


@dataclass(frozen=True)
class AddSentence:
    """A sentence joins the studio, perhaps with clusters that a file had."""

    sentence: Sentence


@dataclass(frozen=True)
class Edit:
    """What a sentence's annotation became: a whole picture of it, so that any step can be undone.

    `step` is "do", "undo" or "redo"; `label` says in words what was done.
    """

    sentence_id: str
    clusters: tuple[Cluster, ...]
    note: str
    status: str
    label: str
    step: str = "do"


@dataclass(frozen=True)
class Judge:
    """A person's opinion on an extraction: the clusters that it states, none if it states none of them.

    `version` is the sentence's when it was judged. `again` marks an opinion that was changed after the matcher's was
    shown, and `suggested` one that was given with the matcher's in sight.
    """

    extraction: Extraction
    clusters: tuple[str, ...]
    version: int
    unsure: bool = False
    principle: str = ""
    reason: str = ""
    again: bool = False
    suggested: bool = False


@dataclass(frozen=True)
class Settle:
    """The third look at opinions that differ; the opinions stay."""

    extraction: Extraction
    clusters: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True)
class Invite:
    """A link for a person: only the hash of its secret is kept."""

    name: str
    role: str
    link: str


@dataclass(frozen=True)
class Join:
    """A person came through their link, which is used up; only the hash of the session's secret is kept."""

    name: str
    session: str


@dataclass(frozen=True)
class Revoke:
    """A person's link and sessions end; what they did stays."""

    name: str


Action = AddSentence | Edit | Judge | Settle | Invite | Join | Revoke


def encode(action: Action) -> tuple[str, str]:
    """The name of an action's kind, and its JSON."""
    kind = type(action).__name__
    fields = {name: _plain(value) for name, value in vars(action).items()}
    return kind, json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _plain(value: Any) -> Any:
    if isinstance(value, Sentence):
        return {"id": value.id, "text": value.text, "clusters": clusters_json(value.clusters)}
    if isinstance(value, Extraction):
        return [value.sentence_id, *value.slots]
    if isinstance(value, tuple):
        return [clusters_json((item,))[0] if isinstance(item, Cluster) else item for item in value]
    return value


def decode(kind: str, text: str) -> Action:
    """The action of a line of the log."""
    try:
        return _DECODERS[kind](json.loads(text))
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"the log has an action {kind!r} that this version can't read: {error}") from None


def clusters_json(clusters: tuple[Cluster, ...]) -> list[Any]:
    """Clusters as JSON: the id and the formulations of each, in the notation of BenchIE's text."""
    return [[cluster.id, [str(formulation) for formulation in cluster.formulations]] for cluster in clusters]


def clusters_of(value: list[Any]) -> tuple[Cluster, ...]:
    """Clusters from their JSON."""
    return tuple(Cluster(id_, tuple(formulation_of(text) for text in texts)) for id_, texts in value)


def formulation_of(text: str) -> Formulation:
    """A formulation from its text, which must be without defects.

    >>> str(formulation_of("Mara --> moved to --> [the] north"))
    'Mara --> moved to --> [the] north'
    """
    parts = text.split(f" {ARROW} ")
    if len(parts) != 3:
        raise ValueError("a formulation has a first argument, a relation and a second argument")
    slots = []
    for part in parts:
        slot, defects = parse_slot(part)
        if defects:
            raise ValueError(f"{defects[0]} in {part!r}")
        slots.append(slot)
    return Formulation(*slots)


def _extraction(value: list[str]) -> Extraction:
    sentence_id, arg1, relation, arg2 = value
    return Extraction(sentence_id, arg1, relation, arg2)


def _judge(value: dict[str, Any]) -> Judge:
    return Judge(**{**value, "extraction": _extraction(value["extraction"]), "clusters": tuple(value["clusters"])})


def _settle(value: dict[str, Any]) -> Settle:
    return Settle(_extraction(value["extraction"]), tuple(value["clusters"]), value["reason"])


def _add(value: dict[str, Any]) -> AddSentence:
    found = value["sentence"]
    return AddSentence(Sentence(found["id"], found["text"], clusters_of(found["clusters"])))


_DECODERS: dict[str, Callable[[dict[str, Any]], Action]] = {
    "AddSentence": _add,
    "Edit": lambda value: Edit(**{**value, "clusters": clusters_of(value["clusters"])}),
    "Judge": _judge,
    "Settle": _settle,
    "Invite": lambda value: Invite(**value),
    "Join": lambda value: Join(**value),
    "Revoke": lambda value: Revoke(**value),
}
