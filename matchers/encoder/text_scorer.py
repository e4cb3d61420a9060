"""Texts to probabilities by a sequence-classification model, in batches of texts of about one length."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from data.command_line import progress
from data.problems import InputError

Precision = Literal["float32", "bfloat16", "int8", "auto"]
PRECISIONS: tuple[Precision, ...] = ("float32", "bfloat16", "int8", "auto")

_BATCH_TOKENS = 2048
_DIGITS = 6  # batches of other sizes differ in the last bits, and a score must not depend on its neighbours
_REMEMBERED = 200_000


class PairScorer:
    """Scores texts; what was scored is remembered, since systems extract the same things again and again."""

    def __init__(self, tokenizer: Any, model: Any, max_length: int = 128, precision: Precision = "float32") -> None:
        self.tokenizer = tokenizer
        self.max_length = max_length
        self.precision = resolved(precision)
        self.model = as_precise(model.eval(), self.precision)
        self._known: dict[str, float] = {}

    def probabilities(self, texts: Sequence[str], quiet: bool = True) -> list[float]:
        """The probability of each text, from 0 to 1."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if len(self._known) + len(new) > _REMEMBERED:
            self._known.clear()
            new = list(dict.fromkeys(texts))
        for positions, values in self._scored(new, quiet):
            for position, value in zip(positions, values, strict=True):
                self._known[new[position]] = round(value, _DIGITS)
        return [self._known[text] for text in texts]

    def _scored(self, texts: Sequence[str], quiet: bool) -> Iterator[tuple[list[int], list[float]]]:
        import torch

        if not texts:
            return
        ids = self.tokenizer(list(texts), truncation=True, max_length=self.max_length)["input_ids"]
        batched = list(batches([len(one) for one in ids]))
        for positions in progress(batched, "cross-encoder", quiet, len(batched)):
            with torch.inference_mode():
                batch = self.tokenizer.pad({"input_ids": [ids[p] for p in positions]}, return_tensors="pt")
                logits = self.model(**batch).logits.float().squeeze(-1)
                yield positions, torch.sigmoid(logits).tolist()


def batches(lengths: Sequence[int], most: int = _BATCH_TOKENS) -> Iterator[list[int]]:
    """Positions in batches of at most so many tokens, padding included, the longest first.

    >>> list(batches([3, 9, 4, 8], most=18))
    [[1, 3], [2, 0]]
    """
    batch: list[int] = []
    widest = 0
    for position in sorted(range(len(lengths)), key=lambda position: (-lengths[position], position)):
        if batch and widest * (len(batch) + 1) > most:
            yield batch
            batch = []
        if not batch:
            widest = max(1, lengths[position])
        batch.append(position)
    if batch:
        yield batch


def resolved(precision: Precision) -> Literal["float32", "bfloat16", "int8"]:
    """What `auto` means on this machine: 16 bits where the processor multiplies them, else 32."""
    if precision not in PRECISIONS:
        raise InputError(f"{precision!r} is no precision; it is one of {', '.join(PRECISIONS)}")
    if precision != "auto":
        return precision
    return "bfloat16" if multiplies_16_bits() else "float32"


def multiplies_16_bits() -> bool:
    """Whether this processor has 16-bit arithmetic; where it is only imitated, it takes several times as long."""
    import torch

    checks = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, check, lambda: False)() for check in checks)


def as_precise(model: Any, precision: str) -> Any:
    """A copy of the model whose matrices are of a lower precision; the model itself for 32 bits."""
    if precision == "float32":
        return model
    import torch

    if precision == "bfloat16":
        return copy.deepcopy(model).to(torch.bfloat16)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch announces that this will move to another package
        quantized: Any = torch.ao.quantization.quantize_dynamic(model, {torch.nn.Linear}, dtype=torch.qint8)  # type: ignore[no-untyped-call]
        return quantized
