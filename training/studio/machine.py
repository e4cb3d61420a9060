"""What matchers say of the sentences in the studio, kept until the sentence changes.

Matchers are named, never addressed: the browser chooses among the rules, the shipped checkpoints and those that were
learned in this folder.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from data.model import Benchmark, Sentence, System
from data.problems import InputError
from matchers.interface import Matcher
from matchers.matches import Assignment
from matchers.registry import load
from training.studio.judging import Said
from training.studio.state import Draft, case_id

CHECKPOINTS = "checkpoints"
BUILT_IN = ("rules", "em", "features")
JURY = ("em", "rules", "features")  # whose disagreement makes a case worth judging


class Machine:
    """The matchers of a folder and what they said."""

    def __init__(self, folder: Path, language: str) -> None:
        self.folder, self.language = folder / CHECKPOINTS, language
        self._matchers: dict[str, Matcher] = {}
        self._said: dict[tuple[str, str], tuple[int, dict[str, Said]]] = {}
        self._lock = threading.Lock()
        self.age = 0  # grows with everything that a matcher says

    def learned(self) -> list[str]:
        """The checkpoints of this folder, the last one first."""
        if not self.folder.is_dir():
            return []
        found = [path for path in self.folder.iterdir() if (path / "config.json").is_file()]
        return [path.name for path in sorted(found, key=lambda path: path.stat().st_mtime_ns, reverse=True)]

    def names(self) -> list[str]:
        """All matchers that can be chosen."""
        return [*self.learned(), *BUILT_IN]

    def default(self) -> str:
        """The last one that was learned here, else the shipped features."""
        return next(iter(self.learned()), "features" if self.language == "en" else "rules")

    def matcher(self, name: str) -> Matcher:
        """A matcher by its name."""
        with self._lock:
            if name not in self._matchers:
                if name in BUILT_IN:
                    self._matchers[name] = load(name)
                elif name in self.learned():
                    self._matchers[name] = load(str(self.folder / name))
                else:
                    raise InputError(f"no matcher is called {name!r}; the names are {', '.join(self.names())}")
            return self._matchers[name]

    def forget(self) -> None:
        """There are other extractions now: everything has to be asked again."""
        self._said = {}
        self.age += 1

    def said(self, name: str, draft: Draft, systems: Sequence[System]) -> dict[str, Said]:
        """What a matcher says of each extraction of a sentence, by the case's id."""
        version = draft.version
        kept = self._said.get((name, draft.id))
        if kept is None or kept[0] != version:
            kept = (version, self._ask(name, draft.sentence, systems))
            self._said[name, draft.id] = kept
            self.age += 1
        return kept[1]

    def known(self, name: str, drafts: Mapping[str, Draft]) -> dict[str, Said]:
        """What a matcher has said so far of sentences that have not changed since."""
        found: dict[str, Said] = {}
        for (other, sentence_id), (version, said) in list(self._said.items()):
            if other == name and sentence_id in drafts and drafts[sentence_id].version == version:
                found.update(said)
        return found

    def disputed(self, drafts: Mapping[str, Draft]) -> dict[str, int]:
        """How many different answers the jury has given to each case, as far as it was asked."""
        answers: dict[str, set[frozenset[str]]] = {}
        for name in {*JURY, self.default()}:
            for key, said in self.known(name, drafts).items():
                answers.setdefault(key, set()).add(frozenset(said.clusters))
        return {key: len(found) for key, found in answers.items()}

    def _ask(self, name: str, sentence: Sentence, systems: Sequence[System]) -> dict[str, Said]:
        matcher = self.matcher(name)
        extractions = list({case_id(e): e for s in systems for e in s.by_sentence.get(sentence.id, ())}.values())
        if not extractions or not sentence.clusters:
            return {}
        candidates = matcher.candidates(sentence, extractions)
        scores: dict[int, float] = {}
        for index, _, score in matcher.pair_scores(sentence, extractions):
            scores[index] = max(score, scores.get(index, 0.0))
        threshold = float(getattr(getattr(matcher, "model", None), "threshold", 0.5))
        found = {}
        for index, extraction in enumerate(extractions):
            own = sorted((c for c in candidates if c.extraction == index), key=lambda c: (not c.exact, -c.score))
            best = scores.get(index, 0.0)
            clusters = (sentence.clusters[own[0].cluster].id,) if own else ()
            found[case_id(extraction)] = Said(
                clusters, best, str(own[0].reason) if own else "", _doubt(best, threshold)
            )
        return found

    def assignments(self, name: str, sentence: Sentence, systems: Sequence[System]) -> list[tuple[str, Assignment]]:
        """What becomes of each system's extractions of a sentence."""
        matcher = self.matcher(name)
        return [
            (system.name, matcher.match(sentence, system.by_sentence[sentence.id]))
            for system in systems
            if sentence.id in system.by_sentence
        ]

    def warm(self, drafts: Sequence[Draft], systems: Sequence[System]) -> None:
        """Ask the jury of all sentences, for the order of the queue; meant for the background."""
        for name in dict.fromkeys((self.default(), *JURY)):
            for draft in drafts:
                self.said(name, draft, systems)


def _doubt(score: float, threshold: float) -> float:
    """How near a score is to the border between match and no match, from 0 to 1.

    >>> _doubt(0.4, 0.4), _doubt(1.0, 0.4), _doubt(0.0, 0.4)
    (1.0, 0.0, 0.0)
    """
    width = (1 - threshold) if score >= threshold else threshold
    return 1.0 - abs(score - threshold) / width if width > 0 else 0.0


def one_sentence(name: str, sentence: Sentence, language: str) -> Benchmark:
    """A benchmark of a single sentence."""
    return Benchmark(name, (sentence,), language=language)
