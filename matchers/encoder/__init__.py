"""The cross-encoder: how a pair becomes text, the model, its weights, zero-shot scorers, the hybrid."""
