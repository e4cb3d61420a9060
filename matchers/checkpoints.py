"""Checkpoints: a trained matcher as a folder. This module alone knows the format.

    config.json    kind, settings, training data, library versions, and the hash of every file of weights
    weights.json   or other files without pickle, by kind
    README.md      the model card

A folder is written whole or not at all. A file that is missing or changed is an error that names it. Loading reads
numbers and never runs code.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from data.jsonlines import parse_json
from data.model import Benchmark
from data.problems import InputError
from data.textfile import read_bytes, read_text, sha256
from matchers.classifier import COLUMN_NAMES, ENCODER, FeatureMatcher, Model
from matchers.estimators import estimator_of
from matchers.features import NAMES
from matchers.interface import Matcher
from matchers.pair_scorer import PRECISIONS, Precision

FORMAT = 1
CONFIG, WEIGHTS, CARD = "config.json", "weights.json", "README.md"
SHIPPED = Path(__file__).resolve().parent.parent / "checkpoints"


@dataclass(frozen=True)
class Checkpoint:
    """What a checkpoint's folder says of itself."""

    folder: Path
    config: dict[str, Any]
    hash: str


def save_checkpoint(folder: Path, config: Mapping[str, Any], files: Mapping[str, bytes], card: str) -> str:
    """Write a checkpoint and return its hash; what was in the folder before is replaced."""
    contents = {**files, CARD: card.encode()}
    whole = {"format": FORMAT, **config, "files": {name: sha256(content) for name, content in sorted(files.items())}}
    contents[CONFIG] = (json.dumps(whole, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()
    fresh = folder.with_name(f".{folder.name}.{os.getpid()}.new")
    old = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    check_replaceable(folder)
    try:
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        for name, content in contents.items():
            (fresh / name).write_bytes(content)
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        if old.exists() and not folder.exists():
            old.rename(folder)
        raise InputError(f"can't be written: {error.strerror}", folder) from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return sha256(contents[CONFIG])


def check_replaceable(folder: Path) -> None:
    """Refuse to write a checkpoint over anything but an empty folder or another checkpoint."""
    if not folder.exists():
        return
    if folder.is_dir():
        if not any(folder.iterdir()):
            return
        try:
            config = json.loads((folder / CONFIG).read_bytes())
        except (OSError, ValueError, RecursionError):
            config = None
        if isinstance(config, dict) and {"format", "files"} <= config.keys():  # others call a file config.json too
            return
    raise InputError("is there already and is no checkpoint; choose another --output", folder)


def is_checkpoint(name: str) -> bool:
    """Whether a name is a checkpoint's folder, or that of one that ships with the project."""
    name, _ = with_precision(name)
    return bool(name) and (Path(name).is_dir() or any((folder / CONFIG).is_file() for folder in _places(name)))


def shipped() -> list[str]:
    """The names of the checkpoints that ship with the project."""
    return sorted(path.parent.name for path in SHIPPED.glob(f"*/{CONFIG}"))


def find(name: str) -> Path:
    """The folder of a checkpoint: a path, or a name among those that ship with the project."""
    for folder in _places(name):
        if (folder / CONFIG).is_file():
            return folder
    if Path(name).is_dir():
        raise InputError(f"is no checkpoint: it has no {CONFIG}", name)
    raise InputError(f"no checkpoint is called {name!r}; those that ship are {', '.join(shipped()) or 'none'}")


def _places(name: str) -> list[Path]:
    """Where a checkpoint may be; `checkpoints/features` is found from any folder, as `features` is."""
    path = Path(name)
    return [path, SHIPPED / name, *([SHIPPED / path.name] if path.parent.name == SHIPPED.name else [])]


def open_checkpoint(name: str) -> Checkpoint:
    """Read and check a checkpoint's folder."""
    folder = find(name)
    path = folder / CONFIG
    config = parse_json(read_text(path), path)
    if not isinstance(config, dict) or not isinstance(config.get("files"), dict):
        raise InputError("is no checkpoint's config", path)
    if config.get("format") != FORMAT:
        raise InputError(f"has format {config.get('format')!r}; this version reads format {FORMAT}", path)
    for file, expected in config["files"].items():
        if Path(file).name != file:
            raise InputError(f"names a file outside of its folder: {file!r}", path)
        if not (folder / file).is_file():
            raise InputError(f"is incomplete: {file} is missing; train it or copy it again", folder)
        if sha256(read_bytes(folder / file)) != expected:
            raise InputError(f"{file} is not the file that was saved: damaged or changed", folder)
    return Checkpoint(folder, config, sha256(read_bytes(path)))


def with_precision(name: str) -> tuple[str, Precision]:
    """A checkpoint's name and the precision that it is to be run in, which `@` may put behind the name.

    >>> with_precision("cross_encoder@bfloat16"), with_precision("runs/me@home")
    (('cross_encoder', 'bfloat16'), ('runs/me@home', 'float32'))
    """
    plain, _, said = name.rpartition("@")
    for precision in PRECISIONS:
        if plain and said == precision:
            return plain, precision
    return name, "float32"


def load_checkpoint(name: str) -> Matcher:
    """The matcher of a checkpoint's folder or name; `@bfloat16` behind it runs its cross-encoder in 16 bits."""
    plain, precision = with_precision(name)
    checkpoint = open_checkpoint(plain)
    kind = checkpoint.config.get("kind")
    if kind == "features":
        return FeatureMatcher(*_feature_parts(checkpoint))
    if kind == "hybrid":
        from matchers.hybrid import HybridMatcher
        from matchers.payload import from_payload

        settings = checkpoint.config.get(ENCODER)
        if not isinstance(settings, dict):
            raise InputError(f"has no settings of its {ENCODER}", checkpoint.folder / CONFIG)
        return HybridMatcher(*_feature_parts(checkpoint), encoder=from_payload(settings, checkpoint.folder, precision))
    if kind == "cross_encoder":
        from matchers.payload import from_payload

        matcher = from_payload(checkpoint.config, checkpoint.folder, precision)
        matcher.hash, matcher.name = checkpoint.hash, str(checkpoint.config["name"])
        matcher.trained_on = trained_on(checkpoint)
        return matcher
    raise InputError(f"is of kind {kind!r}, which this version does not know", checkpoint.folder / CONFIG)


def trained_on(checkpoint: Checkpoint) -> frozenset[str]:
    """The hashes of the sentences that a checkpoint was trained on."""
    hashes = checkpoint.config.get("trained_on", [])
    if not isinstance(hashes, list) or not all(isinstance(item, str) for item in hashes):
        raise InputError("'trained_on' must be a list of hashes", checkpoint.folder / CONFIG)
    return frozenset(hashes)


def sentence_hash(text: str) -> str:
    """What stands for a sentence in `trained_on`."""
    return sha256(text.encode())


def seen_sentences(matcher: Matcher, benchmark: Benchmark) -> int:
    """How many of a benchmark's sentences a matcher was trained on."""
    known: frozenset[str] = getattr(matcher, "trained_on", frozenset())
    return sum(sentence_hash(sentence.text) in known for sentence in benchmark.sentences) if known else 0


def _feature_parts(checkpoint: Checkpoint) -> tuple[Model, str, str, frozenset[str]]:
    """The model of a checkpoint's classifier; its name, hash and sentences."""
    path = checkpoint.folder / WEIGHTS
    value = parse_json(read_text(path), path)
    try:
        features = tuple(str(name) for name in checkpoint.config["features"])
        known = COLUMN_NAMES if checkpoint.config["kind"] == "hybrid" else NAMES
        unknown = [name for name in features if name not in known]
        if unknown:
            raise InputError(f"uses the feature {unknown[0]!r}, which this version does not have", path)
        model = Model(
            features,
            estimator_of(value["estimator"], len(features)),
            float(value["slope"]),
            float(value["offset"]),
            float(checkpoint.config["threshold"]),
        )
        name = str(checkpoint.config["name"])
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"the checkpoint is damaged: {error}", path) from None
    return model, name, checkpoint.hash, trained_on(checkpoint)
