"""BERTScore of two texts: how well each token finds its like in the other text, by a base model's token embeddings.

Precision is the mean of the first text's tokens over their best cosine in the second, recall the reverse, and the score
their F1 (Zhang et al. 2020), without weights by rarity and without rescaling. Special tokens don't count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matchers.encoder.zero_shot import Texts, TextScorer

MOST_KNOWN = 20_000  # texts whose embeddings are kept
_DIGITS = 6


class BertScorer(TextScorer):
    """Scores pairs of texts by the embeddings of their tokens."""

    def __init__(self, folder: Any) -> None:
        super().__init__(folder, "AutoModel")
        self._known: dict[str, Any] = {}

    def scores(self, pairs: Sequence[Texts]) -> list[float]:
        """The F1 of each pair; negative ones are 0."""
        self.learn([text for pair in pairs for text in pair])
        return [self._f1(self._known[first], self._known[second]) for first, second in pairs]

    def learn(self, texts: Sequence[str]) -> None:
        """Embed the tokens of texts that are not known yet."""
        import torch

        if len(self._known) > MOST_KNOWN:
            self._known.clear()
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        for text, (states, mask) in zip(new, self.run(new) if new else (), strict=True):
            self._known[text] = torch.nn.functional.normalize(states[mask.bool()][1:-1], dim=-1)

    @staticmethod
    def _f1(first: Any, second: Any) -> float:
        if not len(first) or not len(second):
            return 0.0
        cosines = first @ second.T
        precision, recall = float(cosines.max(dim=1).values.mean()), float(cosines.max(dim=0).values.mean())
        both = precision + recall
        return round(max(0.0, 2 * precision * recall / both), _DIGITS) if both > 0 else 0.0
