"""Checkpoints: a trained matcher as a folder, which this module alone knows; what its files hold, each kind knows.

    config.json    kind, settings, training data, library versions, and the hash of every file of weights
    weights.json   or other files without pickle, by kind
    README.md      the model card

A folder is written whole or not at all. A file that is missing or changed is an error that names it. Loading opens the
files that the config lists, once, and no others; it reads numbers and never runs code.
"""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data.formats.json_records import parse_json
from data.formats.textfile import read_bytes, sha256
from data.model import Benchmark, Sentence
from data.problems import InputError
from data.text import sentence_key
from matchers.encoder.text_scorer import PRECISIONS, Precision
from matchers.features.estimators import estimator_of
from matchers.features.groups import NAMES
from matchers.features.matcher import ANCHORS, Anchor, FeatureMatcher, Model
from matchers.interface import Matcher

if TYPE_CHECKING:
    from matchers.encoder.matcher import CrossEncoderMatcher

FORMAT = 1
CONFIG, WEIGHTS, CARD = "config.json", "weights.json", "README.md"
ENCODER = "cross_encoder"  # where a hybrid's config has the settings of its encoder
SHIPPED = Path(__file__).resolve().parent.parent / "checkpoints"


@dataclass(frozen=True)
class Checkpoint:
    """What a checkpoint's folder says of itself, and its files, verified."""

    folder: Path
    config: dict[str, Any]
    hash: str
    files: Mapping[str, bytes] = field(repr=False, default_factory=dict)

    def content(self, file: str) -> bytes:
        """A file of the checkpoint that its config lists."""
        if file not in self.files:
            raise InputError(f"does not list its file {file}, so that it can't be verified", self.folder / CONFIG)
        return self.files[file]


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
    return bool(name) and (_is_folder(name) or any(map(_has_config, _places(name))))


def shipped() -> list[str]:
    """The names of the checkpoints that ship with the project."""
    return sorted(path.parent.name for path in SHIPPED.glob(f"*/{CONFIG}"))


def find(name: str) -> Path:
    """The folder of a checkpoint: a path, or a name among those that ship with the project."""
    for folder in _places(name):
        if _has_config(folder):
            return folder
    if _is_folder(name):
        raise InputError(f"is no checkpoint: it has no {CONFIG}", name)
    raise InputError(f"no checkpoint is called {name[:100]!r}; those that ship are {', '.join(shipped()) or 'none'}")


def _has_config(folder: Path) -> bool:
    try:
        return (folder / CONFIG).is_file()
    except OSError:  # a name that no file can have
        return False


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except OSError:
        return False


def _places(name: str) -> list[Path]:
    """Where a checkpoint may be; `checkpoints/features` is found from any folder, as `features` is."""
    path = Path(name)
    return [path, SHIPPED / name, *([SHIPPED / path.name] if path.parent.name == SHIPPED.name else [])]


def open_checkpoint(name: str) -> Checkpoint:
    """Read and check a checkpoint's folder."""
    folder = find(name)
    path = folder / CONFIG
    content = _own(folder, CONFIG)
    config = parse_json(_text(content, path), path)
    if not isinstance(config, dict) or not isinstance(config.get("files"), dict):
        raise InputError("is no checkpoint's config", path)
    if config.get("format") != FORMAT:
        raise InputError(f"has format {config.get('format')!r}; this version reads format {FORMAT}", path)
    files = {}
    for file, expected in config["files"].items():
        if Path(file).name != file:
            raise InputError(f"names a file outside of its folder: {file!r}", path)
        files[file] = _own(folder, file)
        if sha256(files[file]) != expected:
            raise InputError(f"{file} is not the file that was saved: damaged or changed", folder)
    return Checkpoint(folder, config, sha256(content), files)


def _own(folder: Path, file: str) -> bytes:
    """A file of a checkpoint's folder; one that is a link to elsewhere is none."""
    path = folder / file
    try:
        if path.is_symlink():
            raise InputError(f"{file} is a link; a checkpoint's files are its own", folder)
        if not path.is_file():
            raise InputError(f"is incomplete: {file} is missing; train it or copy it again", folder)
    except (OSError, ValueError):  # a name that no file can have
        raise InputError(f"names a file that can't be: {file[:40]!r}", folder) from None
    return read_bytes(path)


def _text(content: bytes, path: Path) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise InputError("is no text in UTF-8", path) from None


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
        if plain != name:
            raise InputError(f"{plain} has no cross-encoder to run in another precision: leave @{precision} out")
        return FeatureMatcher(*_feature_parts(checkpoint))
    if kind == "hybrid":
        from matchers.encoder.hybrid import HybridMatcher

        settings = checkpoint.config.get(ENCODER)
        if not isinstance(settings, dict):
            raise InputError(f"has no settings of its {ENCODER}", checkpoint.folder / CONFIG)
        encoder = _encoder(checkpoint, settings, precision)
        encoder.trained_on = _sentences(checkpoint, "trained_on", settings)
        return HybridMatcher(*_feature_parts(checkpoint), encoder=encoder)
    if kind == "cross_encoder":
        matcher = _encoder(checkpoint, checkpoint.config, precision)
        matcher.hash, matcher.name = checkpoint.hash, _name(checkpoint)
        matcher.trained_on = trained_on(checkpoint)
        return matcher
    raise InputError(f"is of kind {kind!r}, which this version does not know", checkpoint.folder / CONFIG)


def _encoder(checkpoint: Checkpoint, settings: Mapping[str, Any], precision: Precision) -> CrossEncoderMatcher:
    """The cross-encoder of a checkpoint, with a base model that a checkpoint may name."""
    from matchers.encoder.base_models import base_of_checkpoint
    from matchers.encoder.weights import from_payload

    base = settings.get("base_model")
    if settings.get("weights") == "adapter" and isinstance(base, str):
        settings = {**settings, "base_model": base_of_checkpoint(base)}
    return from_payload(settings, checkpoint.files, checkpoint.folder, precision)


def _name(checkpoint: Checkpoint) -> str:
    name = checkpoint.config.get("name")
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= 200:
        raise InputError("has no usable name", checkpoint.folder / CONFIG)
    return name


def trained_on(checkpoint: Checkpoint) -> frozenset[str]:
    """The hashes of the sentences that a checkpoint was trained on, or that its thresholds were chosen on."""
    return _sentences(checkpoint, "trained_on") | _sentences(checkpoint, "chosen_on")


def load_encoder(name: str) -> CrossEncoderMatcher:
    """The cross-encoder of a checkpoint of one, or of a hybrid; it knows what its weights were trained on, no more."""
    checkpoint = open_checkpoint(name)
    kind = checkpoint.config.get("kind")
    settings = checkpoint.config.get(ENCODER) if kind == "hybrid" else checkpoint.config
    if kind not in ("hybrid", "cross_encoder") or not isinstance(settings, dict):
        raise InputError("has no cross-encoder", checkpoint.folder / CONFIG)
    matcher = _encoder(checkpoint, settings, "float32")
    matcher.trained_on = _sentences(checkpoint, "trained_on", settings)
    return matcher


def _sentences(checkpoint: Checkpoint, key: str, settings: Mapping[str, Any] | None = None) -> frozenset[str]:
    hashes = (checkpoint.config if settings is None else settings).get(key, [])
    if not isinstance(hashes, list) or not all(isinstance(item, str) for item in hashes):
        raise InputError(f"{key!r} must be a list of hashes", checkpoint.folder / CONFIG)
    return frozenset(hashes)


def sentence_hash(text: str) -> str:
    """What stands for a sentence in `trained_on`, however it is written."""
    return sha256(sentence_key(text).encode())


def _hashes(text: str) -> frozenset[str]:
    """What may stand for a sentence in `trained_on`; checkpoints of version 0.1 hash the exact text."""
    return frozenset({sentence_hash(text), sha256(text.encode())})


def seen_sentences(matcher: Matcher, benchmark: Benchmark) -> int:
    """How many of a benchmark's sentences a matcher was trained on."""
    return sum(knows(matcher, sentence) for sentence in benchmark.sentences)


def knows(matcher: Matcher, sentence: Sentence) -> bool:
    """Whether a matcher was trained on a sentence."""
    known: frozenset[str] = getattr(matcher, "trained_on", frozenset())
    return bool(known) and not known.isdisjoint(_hashes(sentence.text))


def _anchor(value: object) -> Anchor:
    """The anchor that a checkpoint names."""
    for anchor in ANCHORS:
        if value == anchor:
            return anchor
    raise ValueError(f"an anchor is one of {', '.join(ANCHORS)}")


def _feature_parts(checkpoint: Checkpoint) -> tuple[Model, str, str, frozenset[str]]:
    """The model of a checkpoint's classifier; its name, hash and sentences."""
    path = checkpoint.folder / WEIGHTS
    value = parse_json(_text(checkpoint.content(WEIGHTS), path), path)
    try:
        features = tuple(str(name) for name in checkpoint.config["features"])
        unknown = [name for name in features if name not in NAMES]
        if unknown:
            raise InputError(f"uses the feature {unknown[0]!r}, which this version does not have", path)
        model = Model(
            features,
            estimator_of(value["estimator"], len(features)),
            float(value["slope"]),
            float(value["offset"]),
            float(checkpoint.config["threshold"]),
            None if (thin := checkpoint.config.get("thin_threshold")) is None else float(thin),
            _anchor(checkpoint.config.get("anchor", "rules")),
            float(value["encoder_slope"]) if checkpoint.config["kind"] == "hybrid" else 0.0,
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"the checkpoint is damaged: {error}", path) from None
    thresholds = (model.threshold, model.threshold if model.thin_threshold is None else model.thin_threshold)
    if not all(map(math.isfinite, (model.slope, model.offset, model.encoder_slope, *thresholds))):
        raise InputError("the checkpoint is damaged: a number is not finite", path)
    return model, _name(checkpoint), checkpoint.hash, trained_on(checkpoint)
