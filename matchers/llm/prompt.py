"""What a model is asked: the guidelines in our words, examples, then a sentence, its facts and one extraction.

The examples are invented, or come from a judged data set of the user's choice. The facts are numbered in the order of
the clusters. A prompt's hash is that of everything that does not change from question to question.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from data.formats.slots import parse_slot
from data.formats.textfile import sha256
from data.model import Cluster, Extraction, Formulation, Sentence
from matchers.llm.answers import FIELD, NONE

VERSION = "1"

GUIDELINES = f"""You judge open information extraction. You get a sentence, the numbered facts that it states, and one
extraction: a triple (argument 1; relation; argument 2). Each fact is listed with the wordings that state it; words in
[brackets] are optional. Say which fact the extraction states, or 0 if it states none.

It states a fact if its meaning is that of one of the fact's wordings:
- Another article, another tense of "be", other punctuation or capitals do not matter.
- A stray word that leaves the meaning as it is (also, a trailing adverb) does not matter; one that breaks it does.
- Each part must be in its slot. If a preposition or particle has moved so that the relation no longer holds alone, it
  states no fact.
- If it joins the information of two facts, it states the one that it centres on; of three or more: none.
- If it lacks what makes the fact true or specific (a negation, "according to", a restriction), it states none.
- Arguments that are cut short state none.
Do not use knowledge from outside the sentence. When in doubt answer 0.

Answer with one JSON object and nothing else: {{"{FIELD}": NUMBER}}"""


@dataclass(frozen=True)
class Example:
    """A sentence, an extraction, and the position of the cluster that it states from 1 on, or 0."""

    sentence: Sentence
    extraction: Extraction
    fact: int


@dataclass(frozen=True)
class Question:
    """What is asked of one extraction: the messages, and how many facts there are to choose from."""

    system: str
    user: str
    facts: int

    @property
    def digest(self) -> bytes:
        """What stands for it where it need not be kept."""
        return hashlib.sha256(json.dumps([self.system, self.user, self.facts]).encode()).digest()


@dataclass(frozen=True)
class Prompt:
    """The part of all questions that stays the same."""

    examples: tuple[Example, ...]

    @cached_property
    def system(self) -> str:
        """Guidelines and examples."""
        shown = (
            f"Example:\n{described(one.sentence, one.extraction)}\nAnswer: {json.dumps({FIELD: one.fact})}"
            for one in self.examples
        )
        return "\n\n".join((GUIDELINES, *shown))

    @cached_property
    def hash(self) -> str:
        """The first digits of the hash of the guidelines and examples."""
        return sha256(self.system.encode())[:12]

    @property
    def label(self) -> str:
        """Version and hash, for signatures."""
        return f"v{VERSION}-{self.hash}"

    def question(self, sentence: Sentence, extraction: Extraction) -> Question:
        """What is asked of an extraction."""
        return Question(self.system, described(sentence, extraction) + "\nAnswer:", len(sentence.clusters))


def described(sentence: Sentence, extraction: Extraction) -> str:
    """A sentence, its facts and an extraction, as the model reads them."""
    lines = [f"Sentence: {sentence.text}", "Facts:"]
    for number, cluster in enumerate(sentence.clusters, 1):
        wordings = " | ".join(map(_wording, cluster.formulations)) or "(no wording)"
        lines.append(f"{number}. {wordings}")
    lines.append(f"Extraction: ({'; '.join(slot or '-' for slot in extraction.slots)})")
    return "\n".join(lines)


def _wording(formulation: Formulation) -> str:
    return f"({'; '.join(str(slot) or '-' for slot in formulation.slots)})"


def _invented(text: str, clusters: Sequence[Sequence[str]], asked: Sequence[tuple[str, int]]) -> list[Example]:
    made = tuple(
        Cluster(str(number), tuple(Formulation(*(parse_slot(slot)[0] for slot in one.split("; "))) for one in wordings))
        for number, wordings in enumerate(clusters, 1)
    )
    sentence = Sentence("example", text, made)
    examples = []
    for slots, fact in asked:
        arg1, relation, arg2 = slots.split("; ")
        examples.append(Example(sentence, Extraction("example", arg1, relation, arg2), fact))
    return examples


def own_examples() -> tuple[Example, ...]:
    """The examples that the prompt has by default; all are invented."""
    first = _invented(
        "Ilse Marr , a retired pilot , opened a bakery in Tallow in 1987 .",
        (
            ("Ilse Marr; is; [a] [retired] pilot", "Ilse Marr; was; a pilot"),
            ("Ilse Marr; opened; [a] bakery", "[a] bakery; was opened by; Ilse Marr"),
            ("Ilse Marr; opened [a bakery] in; Tallow",),
            ("Ilse Marr; opened [a bakery] in; 1987",),
        ),
        (
            ("Ilse Marr; is; the retired pilot", 1),
            ("Ilse Marr; opened a bakery in Tallow in; 1987", 4),
            ("Ilse Marr; opened; a bakery in Tallow in 1987", NONE),
            ("Marr; opened; bakery", NONE),
        ),
    )
    second = _invented(
        "The council did not approve the new ferry .",
        (("[The] council; did not approve; [the] [new] ferry",),),
        (("The council; did approve; the new ferry", NONE), ("council; did not approve; the ferry", 1)),
    )
    return (*first, *second)
