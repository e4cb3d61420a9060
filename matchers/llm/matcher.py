"""Matches as a language model says: it is asked of each extraction that exact match leaves open.

Exact matches, punctuation and case aside, are matches without asking. An extraction that shares no content word with
any fact of its sentence matches none, also without asking. Of the others the model names a fact or none; an invalid
answer is none, and counted. Assignment is as for all matchers; among extractions that state one fact, the one whose
words are closest to a formulation is credited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from data.extras import missing_extra
from data.model import Cluster, Extraction, Formulation, Sentence
from data.problems import InputError
from matchers.assignment import decode
from matchers.interface import Matcher
from matchers.llm.answers import parse_answer
from matchers.llm.asking import Asker, Tokens
from matchers.llm.cache import Answer
from matchers.llm.examples import judged_examples
from matchers.llm.prompt import Prompt, Question, own_examples
from matchers.llm.settings import PREFIX, LlmSettings, current_settings
from matchers.matches import Assignment, Candidate, Reason
from matchers.rules.matcher import RuleMatcher
from matchers.text.punctuation import plain
from matchers.text.word_lists import FUNCTION, lemma

RULE = "llm"

Work = Sequence[tuple[Sentence, Sequence[Extraction]]]


def load_llm(name: str, settings: LlmSettings | None = None) -> LlmMatcher:
    """The matcher of a name such as `llm:MODEL`."""
    model = name.removeprefix(PREFIX)
    if not model or not model.isprintable() or " " in model or "|" in model:
        raise InputError(f"{name!r} names no model; write llm:MODEL, as its server calls it")
    try:
        import httpx  # noqa: F401
    except ImportError:
        raise missing_extra("llm:MODEL", "httpx", "llm") from None
    settings = settings or current_settings()
    examples = judged_examples(settings.examples, settings.data) if settings.examples else own_examples()
    return LlmMatcher(Asker(model, settings), Prompt(examples), bool(settings.examples))


class LlmMatcher(Matcher):
    """Matches by a language model's answers."""

    alone = True  # it asks many questions at once already, and counts what is invalid
    english = "the guidelines that it is asked by, and the words that decide whether it is asked"

    def __init__(self, asker: Asker, prompt: Prompt, foreign_examples: bool = False) -> None:
        from matchers.checkpoints import sentence_hash

        self.asker = asker
        self.prompt = prompt
        self.name = f"{PREFIX}{asker.model}"
        self._texts = frozenset(example.sentence.text for example in prompt.examples)
        if foreign_examples:
            self.trained_on = frozenset(map(sentence_hash, self._texts))
        self._exact = RuleMatcher("em+punc")
        self._asked: set[bytes] = set()  # questions by their hashes, as there may be many
        self._invalid: set[bytes] = set()

    def candidates(self, sentence: Sentence, extractions: Sequence[Extraction]) -> list[Candidate]:
        """The exact matches, and the pairs that the model names."""
        return self._all_candidates([(sentence, extractions)])[0]

    def match_many(self, work: Work) -> list[Assignment]:
        """The assignments of many systems and sentences, whose questions are asked together."""
        candidates = self._all_candidates(work)
        return [
            decode(sentence, extractions, part, self.decoding)
            for (sentence, extractions), part in zip(work, candidates, strict=True)
        ]

    def cost(self, work: Work) -> Tokens:
        """What matching would cost now."""
        return self.asker.cost([question for part in self._open(work) for question in part.values()])

    def explain_pair(self, sentence: Sentence, extraction: Extraction, cluster: Cluster) -> list[str]:
        """What the model answered, if it was asked."""
        (part,) = self._open([(sentence, [extraction])])
        if not part:
            return []
        answer = self._answers([part[0]])[part[0]]
        fact = parse_answer(answer.text, part[0].facts)
        said = "which is invalid and counts as none" if fact is None else _named(fact, sentence)
        mark = "yes" if fact and sentence.clusters[fact - 1].id == cluster.id else "no"
        return [f"{self.name}: {mark}; it answered {answer.text.strip()[:200]!r}, {said}"]

    def explain_extraction(self, sentence: Sentence, extraction: Extraction) -> list[str]:
        """What the model was asked, and what it answered."""
        (part,) = self._open([(sentence, [extraction])])
        if not part:
            return ["the model was not asked: exact match, or no content word in common with any fact"]
        answer = self._answers([part[0]])[part[0]]
        asked = [f"  {line}" for line in f"{part[0].system}\n\n{part[0].user}".splitlines()]
        answered = [f"  {line}" for line in answer.text.splitlines() or ["(nothing)"]]
        return [f"asked of {self.name}:", *asked, "answered:", *answered]

    @property
    def settings(self) -> dict[str, str]:
        """What else decides this matcher's numbers, for the signature."""
        from matchers.llm.client import TEMPERATURE

        invalid = f"{len(self._invalid)}of{len(self._asked)}"
        return {"prompt": self.prompt.label, "temperature": str(TEMPERATURE), "invalid": invalid}

    @property
    def calls(self) -> int:
        """How many calls were made so far."""
        return self.asker.budget.calls

    def afterword(self) -> str:
        """What it took, for stderr."""
        cached = f"{len(self._asked)} questions, {self.calls} calls"
        return f"{self.name}: {cached}, {len(self._invalid)} invalid answers, which count as no match"

    def _all_candidates(self, work: Work) -> list[list[Candidate]]:
        questions = self._open(work)
        answers = self._answers([question for part in questions for question in part.values()])
        tables = []
        for (sentence, extractions), part in zip(work, questions, strict=True):
            candidates = self._exact.candidates(sentence, extractions)
            for index, question in part.items():
                fact = parse_answer(answers[question].text, question.facts)
                if fact:
                    candidates.append(_candidate(sentence, extractions[index], index, fact - 1, answers[question]))
            tables.append(candidates)
        return tables

    def _open(self, work: Work) -> list[dict[int, Question]]:
        """The questions that each part of the work leaves, by the extractions' positions."""
        left_open = []
        for sentence, extractions in work:
            if sentence.text in self._texts:
                raise InputError(
                    f"sentence {sentence.id} is in the prompt's examples; choose others for --llm-examples"
                )
            known = _content(
                word for c in sentence.clusters for f in c.formulations for s in f.slots for word in s.words
            )
            exact = {candidate.extraction for candidate in self._exact.candidates(sentence, extractions)}
            left_open.append(
                {
                    index: self.prompt.question(sentence, extraction)
                    for index, extraction in enumerate(extractions)
                    if index not in exact and known & _content(" ".join(extraction.slots).split())
                }
            )
        return left_open

    def _answers(self, questions: Sequence[Question]) -> dict[Question, Answer]:
        answers = self.asker.answers(questions)
        for question, answer in answers.items():
            self._asked.add(question.digest)
            if parse_answer(answer.text, question.facts) is None:
                self._invalid.add(question.digest)
        return answers


def _content(words: Iterable[str]) -> set[str]:
    """The lemmas of the words that are content; all of them if none is."""
    lemmas = {lemma(word) for word in plain(tuple(words))}
    return lemmas - FUNCTION or lemmas


def _named(fact: int, sentence: Sentence) -> str:
    return f"that is cluster {sentence.clusters[fact - 1].id}" if fact else "that is none"


def _candidate(sentence: Sentence, extraction: Extraction, index: int, cluster: int, answer: Answer) -> Candidate:
    closest = max(
        ((closeness(extraction, f), f) for f in sentence.clusters[cluster].formulations), default=None, key=_first
    )
    score, wording = (closest[0], str(closest[1])) if closest else (0.0, "")
    reason = Reason(RULE, f"the model answered {answer.text.strip()}", wording)
    return Candidate(index, cluster, round(0.5 + score / 2, 6), False, reason)


def _first(pair: tuple[float, Formulation]) -> float:
    return pair[0]


def closeness(extraction: Extraction, formulation: Formulation) -> float:
    """The share of words that both have, slot by slot, from 0 to 1 (Dice's coefficient)."""
    shared = total = 0
    for slot, gold in zip(extraction.slots, formulation.slots, strict=True):
        words, all_words, needed = (Counter(plain(tuple(part))) for part in (slot.split(), gold.words, gold.required))
        shared += 2 * (words & all_words).total()
        total += words.total() + (needed | (words & all_words)).total()
    return shared / total if total else 0.0
