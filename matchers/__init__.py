"""Who matches: one interface; rules and learned matchers; assignment; checkpoints; scoring.

>>> import data
>>> from matchers import load
>>> sample = data.load("sample")
>>> system = sample.systems[0]
>>> sentence = sample.sentences[0]
>>> assignment = load("rules").match(sentence, system.by_sentence[sentence.id])
>>> all(match.cluster in {cluster.id for cluster in sentence.clusters} for match in assignment.matches)
True
"""

from matchers.interface import Assignment, Match, Matcher
from matchers.registry import load

__all__ = ["Assignment", "Match", "Matcher", "load"]
