"""How many wordings a sentence's gold lists, and how probable a match must be given that."""

from __future__ import annotations

from collections.abc import Iterable

from data.model import Sentence

THICK = 2.0  # formulations a cluster from which on gold is not thin


def thickness(sentence: Sentence) -> float:
    """The mean number of formulations of the clusters that have any; of a sentence without any, 0."""
    return mean_formulations(len(cluster.formulations) for cluster in sentence.clusters)


def mean_formulations(counts: Iterable[int]) -> float:
    """The mean of the clusters' numbers of formulations that are not 0.

    >>> mean_formulations([3, 0, 1]), mean_formulations([])
    (2.0, 0.0)
    """
    listed = [count for count in counts if count]
    return sum(listed) / len(listed) if listed else 0.0


def threshold_at(sentence: Sentence, full: float, thin: float | None) -> float:
    """The threshold of a sentence: `full` from `THICK` formulations a cluster on, `thin` at one, between in proportion.

    >>> from data.model import Cluster
    >>> sentence = Sentence("1", "Mara left Oslo .", (Cluster.of("Mara --> left --> Oslo"),))
    >>> threshold_at(sentence, 0.7, 0.4), threshold_at(sentence, 0.7, None)
    (0.4, 0.7)
    """
    if thin is None:
        return full
    share = min(1.0, max(0.0, ((thickness(sentence) or THICK) - 1.0) / (THICK - 1.0)))
    return thin + share * (full - thin)
