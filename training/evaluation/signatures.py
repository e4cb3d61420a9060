"""Signatures of what is trained: one signature means one number.

All that can change a figure is in it: the resolved recipe with its overrides, people's judgments with the gold they are
of, every source of labels beside them that was really used, the folds, and how the figure was measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from data.formats.textfile import sha256
from data.model import Benchmark
from data.thinning import FULL, Thinness
from matchers.assignment import CLOSEST
from matchers.signature import Signature, signed
from training.labels.material import Material
from training.recipes import Recipe, recipe_hash


def trained_signature(
    benchmark: Benchmark,
    recipe: Recipe,
    material: Material,
    protocol: str,
    resamples: int,
    seed: int,
    thinness: Thinness = FULL,
    start: str = "",
    repeats: Mapping[str, object] = MappingProxyType({}),
) -> Signature:
    """What produced the figures of a recipe: all that it says, what it was trained on, and how it was measured.

    `start` is the hash of the checkpoint that it adapts, if it adapts one; `repeats` says under which levels of thin
    gold it matched, and by how many seeds.
    """
    own = {
        "matcher": recipe.name,
        "recipe": recipe_hash(recipe),
        **({"start": start[:12]} if start else {}),
        "protocol": protocol,
        "judgments": material.judgments,
        "supervision": material.supervision,
        "assignment": CLOSEST,
        "formulations": str(thinness),
    }
    return signed(benchmark, own, **repeats, resamples=resamples, seed=seed)


def run_identity(
    benchmark: Benchmark,
    recipe: Recipe,
    material: Material,
    protocol: str,
    thinness: Thinness = FULL,
    start: str = "",
) -> str:
    """What makes two runs the same, so that one may go on with the folds of the other."""
    signature = trained_signature(benchmark, recipe, material, protocol, 0, recipe.seed, thinness, start)
    return sha256(str(signature).encode())
