"""What a checkpoint holds of a trained matcher: the settings in its config, and the files of its weights."""

from __future__ import annotations

import json
from typing import Any

from matchers.checkpoints import ENCODER, WEIGHTS
from matchers.encoder.hybrid import HybridMatcher
from matchers.encoder.matcher import CrossEncoderMatcher
from matchers.encoder.weights import payload_files, settings_for_config
from matchers.features.matcher import FeatureMatcher
from matchers.interface import Matcher


def checkpoint_parts(matcher: Matcher) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What a checkpoint's config says of a matcher, and the files of its weights."""
    if isinstance(matcher, CrossEncoderMatcher):
        return settings_for_config(matcher), payload_files(matcher)
    if not isinstance(matcher, FeatureMatcher):
        raise TypeError(f"{type(matcher).__name__} can't be saved as a checkpoint")
    model = matcher.model
    weights = {"estimator": model.estimator.as_json(), "slope": model.slope, "offset": model.offset}
    settings: dict[str, Any] = {
        "features": list(model.features),
        "threshold": model.threshold,
        "thin_threshold": model.thin_threshold,
        "anchor": model.anchor,
    }
    if isinstance(matcher, HybridMatcher):
        weights["encoder_slope"] = model.encoder_slope
    files = {WEIGHTS: (json.dumps(weights) + "\n").encode()}
    if isinstance(matcher, HybridMatcher):
        own = {**settings_for_config(matcher.encoder), "trained_on": sorted(matcher.encoder.trained_on)}
        return {**settings, ENCODER: own}, {**files, **payload_files(matcher.encoder)}
    return settings, files
