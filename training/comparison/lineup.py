"""Who is compared, by name: sets of rules, the field's scorers, recipes, checkpoints, a matcher of the user's own."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import replace
from pathlib import Path

from data.problems import InputError
from matchers.interface import Matcher
from matchers.registry import RULE_NAMES, load
from matchers.tokens.names import gives_fractions
from matchers.tokens.registry import load_scorer
from training.comparison.contenders import BASELINE, Contender, Learning, Matching, Scoring
from training.recipes import RECIPE, load_recipe

FIELD = ("wire57", "carb", "oie2016")
FRACTIONS = "fractions"
RECIPE_SUFFIXES = (".yaml", ".yml")
DEFAULT_RECIPE = "configs/features.yaml"


def default_names() -> list[str]:
    """What is compared if nothing is named: the rows of the rules, the field's scorers, and the recipe `features`."""
    return [*RULE_NAMES, *FIELD, DEFAULT_RECIPE]


def find_contenders(names: Sequence[str | Path | Matcher]) -> list[Contender]:
    """The contenders of these names, each once; the rules are always among them.

    Those that share a name, as a recipe and the checkpoint that was made by it, are called what they were asked for as.

    >>> [contender.name for contender in find_contenders(["em", "wire57"])]
    ['em', 'wire57', 'rules']
    >>> [contender.name for contender in find_contenders(["recipe:features", "features", "rules"])]
    ['recipe:features', 'features', 'rules']
    """
    given = [name if isinstance(name, Matcher) else str(name).strip() for name in names]
    asked = [find_contender(name) for name in dict.fromkeys(name for name in given if name)]
    times = Counter(contender.name for contender in asked)
    contenders: dict[str, Contender] = {}
    for contender in asked:
        name = contender.name if times[contender.name] == 1 else _free(contender.given, contenders)
        contenders[name] = replace(contender, name=name)
    if BASELINE not in contenders:
        contenders[BASELINE] = find_contender(BASELINE)
    return list(contenders.values())


def _free(name: str, taken: Container[str]) -> str:
    """A name that nobody has yet: two matchers of the user's own may share theirs."""
    numbers = (f"{name} ({number})" for number in itertools.count(2))
    return name if name not in taken else next(other for other in numbers if other not in taken)


def find_contender(name: str | Matcher) -> Contender:
    """The contender of a name: a recipe by its file or as `recipe:NAME`, a scorer of the field, else a matcher."""
    if isinstance(name, Matcher):
        return _loaded(name)
    kind, _, reading = name.partition(":")
    if kind in FIELD or gives_fractions(None, name):
        return _of_the_field(name, kind, reading)
    if name.startswith(RECIPE) or Path(name).suffix in RECIPE_SUFFIXES:
        recipe = load_recipe(name)
        return Learning(recipe.name, name, recipe)
    return _loaded(name)


def _loaded(name: str | Matcher) -> Contender:
    matcher = load(name)
    return Matching(matcher.name, matcher.name if isinstance(name, Matcher) else name, matcher)


def _of_the_field(name: str, kind: str, reading: str) -> Contender:
    """A scorer of the field: as a matcher where it has matches, unless its fractions are asked for."""
    words = reading.split("+") if reading else []
    if gives_fractions(None, name) or FRACTIONS in words:
        if kind == "oie2016":
            raise InputError(f"{name!r}: OIE2016's lexical match has no fractions; its matches are whole")
        others = "+".join(word for word in words if word != FRACTIONS)
        return Scoring(name, name, load_scorer(f"{kind}:{others}"))
    return _loaded(name)
