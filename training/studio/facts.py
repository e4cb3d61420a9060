"""What can be done with the clusters of a sentence: pure functions from clusters to clusters.

A cluster is named by its id and a formulation by its place in the cluster, from 0. A new cluster gets a number that no
cluster of the sentence ever had, so that judgments of a deleted cluster are not taken for those of another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from data.model import Cluster, Formulation, Sentence
from training.studio.actions import STATUSES, Edit, formulation_of
from training.studio.state import Draft

NEW = "new"
LONGEST_NOTE = 10_000


class RefusedError(Exception):
    """What can't be done, in a sentence."""


@dataclass(frozen=True)
class Request:
    """What a person asks for: an operation, and what it is done with."""

    operation: str
    cluster: str = ""
    place: int = 0
    places: tuple[int, ...] = ()
    target: str = ""
    text: str = ""


def edited(draft: Draft, request: Request) -> Edit:
    """The edit that a request asks for."""
    now = draft.now
    if request.operation in ("undo", "redo"):
        pictures = draft.past if request.operation == "undo" else draft.future
        if not pictures:
            raise RefusedError(f"There is nothing to {request.operation}.")
        to = pictures[-1]
        return Edit(draft.id, to.clusters, to.note, to.status, to.label, request.operation)
    if request.operation == "note":
        if len(request.text) > LONGEST_NOTE:
            raise RefusedError(f"A note has at most {LONGEST_NOTE} characters.")
        return Edit(draft.id, now.clusters, request.text, now.status, "note")
    if request.operation == "status":
        if request.text not in STATUSES:
            raise RefusedError(f"A sentence is {', '.join(STATUSES)}.")
        return Edit(draft.id, now.clusters, now.note, request.text, f"status: {request.text}")
    operation = _OPERATIONS.get(request.operation)
    if operation is None:
        raise RefusedError(f"There is no operation {request.operation!r}.")
    clusters = operation(list(now.clusters), request, str(draft.highest + 1))
    if tuple(clusters) == now.clusters:
        raise RefusedError("That changes nothing.")
    try:
        Sentence(draft.id, draft.text, tuple(clusters))  # what no gold file may have must not get into the log
    except ValueError as error:
        raise RefusedError(f"That can't be: {error}.") from None
    return Edit(draft.id, tuple(clusters), now.note, now.status, request.operation)


Clusters = list[Cluster]


def _position(clusters: Clusters, cluster_id: str) -> int:
    for position, cluster in enumerate(clusters):
        if cluster.id == cluster_id:
            return position
    raise RefusedError(f"There is no cluster {cluster_id}.")


def _formulation(text: str) -> Formulation:
    try:
        formulation = formulation_of(text)
    except ValueError as error:
        raise RefusedError(f"That is no formulation: {error}.") from None
    if not formulation.arg1.words or not formulation.relation.words:
        raise RefusedError("A formulation needs words in its first argument and its relation.")
    return formulation


def _taken(clusters: Clusters, cluster_id: str, place: int) -> tuple[int, Formulation]:
    position = _position(clusters, cluster_id)
    if not 0 <= place < len(clusters[position].formulations):
        raise RefusedError(f"Cluster {cluster_id} has no formulation {place + 1}.")
    return position, clusters[position].formulations[place]


def _joined(clusters: Clusters, target: str, formulations: tuple[Formulation, ...], fresh: str) -> Clusters:
    """The clusters with formulations in the target cluster, or in a new one."""
    if target == NEW:
        return [*clusters, Cluster(fresh, formulations)]
    position = _position(clusters, target)
    there = clusters[position].formulations
    if doubled := [formulation for formulation in formulations if formulation in there]:
        raise RefusedError(f"Cluster {target} has that formulation already: {doubled[0]}")
    return _with(clusters, position, (*there, *formulations))


def _with(clusters: Clusters, position: int, formulations: tuple[Formulation, ...]) -> Clusters:
    """The clusters with other formulations in one of them; a cluster that has none left goes."""
    changed = [replace(clusters[position], formulations=formulations)] if formulations else []
    return [*clusters[:position], *changed, *clusters[position + 1 :]]


def _without(clusters: Clusters, position: int, places: tuple[int, ...]) -> Clusters:
    kept = tuple(f for place, f in enumerate(clusters[position].formulations) if place not in places)
    return _with(clusters, position, kept)


def _add(clusters: Clusters, request: Request, fresh: str) -> Clusters:
    return _joined(clusters, request.target, (_formulation(request.text),), fresh)


def _replace(clusters: Clusters, request: Request, _fresh: str) -> Clusters:
    position, _ = _taken(clusters, request.cluster, request.place)
    formulation = _formulation(request.text)
    there = clusters[position].formulations
    if formulation in there:
        raise RefusedError(f"Cluster {request.cluster} has that formulation already: {formulation}")
    return _with(clusters, position, (*there[: request.place], formulation, *there[request.place + 1 :]))


def _delete(clusters: Clusters, request: Request, _fresh: str) -> Clusters:
    position, _ = _taken(clusters, request.cluster, request.place)
    return _without(clusters, position, (request.place,))


def _move(clusters: Clusters, request: Request, fresh: str) -> Clusters:
    position, formulation = _taken(clusters, request.cluster, request.place)
    if request.target == request.cluster:
        raise RefusedError("It is in that cluster already.")
    if request.target == NEW and len(clusters[position].formulations) == 1:
        raise RefusedError("It is alone in its cluster already.")
    return _without(_joined(clusters, request.target, (formulation,), fresh), position, (request.place,))


def _copy(clusters: Clusters, request: Request, fresh: str) -> Clusters:
    _, formulation = _taken(clusters, request.cluster, request.place)
    return _joined(clusters, request.target, (formulation,), fresh)


def _up(clusters: Clusters, request: Request, _fresh: str) -> Clusters:
    position, formulation = _taken(clusters, request.cluster, request.place)
    there = list(clusters[position].formulations)
    if request.place == 0:
        raise RefusedError("It is the first of its cluster already.")
    there[request.place - 1 : request.place + 1] = [formulation, there[request.place - 1]]
    return _with(clusters, position, tuple(there))


def _merge(clusters: Clusters, request: Request, _fresh: str) -> Clusters:
    if request.cluster == request.target:
        raise RefusedError("A cluster can't be merged with itself.")
    position, target = _position(clusters, request.cluster), _position(clusters, request.target)
    there = clusters[target].formulations
    added = tuple(f for f in clusters[position].formulations if f not in there)
    merged = _with(clusters, target, (*there, *added))
    return [cluster for cluster in merged if cluster.id != request.cluster]


def _split(clusters: Clusters, request: Request, fresh: str) -> Clusters:
    position = _position(clusters, request.cluster)
    count, places = len(clusters[position].formulations), tuple(sorted(set(request.places)))
    if not places or len(places) >= count or not all(0 <= place < count for place in places):
        raise RefusedError("Choose some of the cluster's formulations, but not all.")
    taken = tuple(clusters[position].formulations[place] for place in places)
    return [*_without(clusters, position, places), Cluster(fresh, taken)]


def _copy_cluster(clusters: Clusters, request: Request, fresh: str) -> Clusters:
    position = _position(clusters, request.cluster)
    return [*clusters, Cluster(fresh, clusters[position].formulations)]


def _delete_cluster(clusters: Clusters, request: Request, _fresh: str) -> Clusters:
    position = _position(clusters, request.cluster)
    return [*clusters[:position], *clusters[position + 1 :]]


def _cluster_up(clusters: Clusters, request: Request, _fresh: str) -> Clusters:
    position = _position(clusters, request.cluster)
    if position == 0:
        raise RefusedError("It is the first cluster already.")
    clusters[position - 1 : position + 1] = [clusters[position], clusters[position - 1]]
    return clusters


_OPERATIONS = {
    "add": _add,
    "replace": _replace,
    "delete": _delete,
    "move": _move,
    "copy": _copy,
    "up": _up,
    "merge": _merge,
    "split": _split,
    "copy cluster": _copy_cluster,
    "delete cluster": _delete_cluster,
    "cluster up": _cluster_up,
}
