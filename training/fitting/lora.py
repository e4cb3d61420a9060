"""Training a base model on examples with the Hugging Face `Trainer`: whole, or by LoRA.

Under `accelerate launch` or `torchrun` every process trains on its share of each batch and ends with the same weights;
the main one alone writes. Interrupted, it goes on from the last step that was kept and gives the same weights.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from data.extras import need
from data.formats.textfile import write_bytes
from matchers.encoder.base_models import TINY, Base, load_base
from matchers.encoder.pair_text import SPECIAL_TOKENS
from matchers.encoder.trained import Weights
from matchers.encoder.weights import adapter_of, model_of
from training.fitting.examples import Example, dataset
from training.recipes import CrossEncoder, Recipe

_KEPT_STEPS = 50
_LOGGED_STEPS = 10


def need_libraries(options: CrossEncoder) -> None:
    """An error in one sentence where what training needs is not installed; better said before the work."""
    libraries = ("torch", "transformers", "accelerate", "datasets", *(("peft",) if options.method == "lora" else ()))
    need("training a cross-encoder", "cross-encoder", *libraries)


def train(recipe: Recipe, shown: Sequence[Example], steps: Path | None, quiet: bool) -> Weights:
    """The weights after training on examples; `steps` is the folder of what is kept on the way."""
    options = recipe.cross_encoder
    need_libraries(options)
    from transformers import set_seed

    base = load_base(options.base_model, recipe.seed, SPECIAL_TOKENS, [example.text for example in shown])
    tuned = _with_adapter(base, options) if options.method == "lora" else base.model
    set_seed(recipe.seed)
    with nullcontext(str(steps)) if steps is not None else TemporaryDirectory() as folder:
        trainer = _trainer(recipe, tuned, base, shown, positive_weight(options, shown), folder, steps is not None)
        if steps is not None:
            trainer.add_callback(_epoch_starts(steps))
        if not quiet and sys.stderr.isatty():
            trainer.add_callback(_progress())
        trainer.train(resume_from_checkpoint=_last(steps))
    base.model.to("cpu")
    losses = tuple((int(at["step"]), round(float(at["loss"]), 6)) for at in trainer.state.log_history if "loss" in at)
    weights = _weights(base, tuned, options)
    return replace(weights, seed=recipe.seed, max_length=options.max_length, losses=losses)


def positive_weight(options: CrossEncoder, shown: Sequence[Example]) -> float:
    """How much more a positive example counts than a negative one, since there are fewer."""
    positives = sum(example.weight for example in shown if example.label)
    negatives = sum(example.weight for example in shown if not example.label)
    return float((negatives / positives) ** options.imbalance)


def _weights(base: Base, tuned: Any, options: CrossEncoder) -> Weights:
    if options.method == "full":
        return model_of(base)
    factors = {
        _plain_name(name) + ".weight": (
            module.lora_B["default"].weight * module.scaling["default"],
            module.lora_A["default"].weight,
        )
        for name, module in tuned.named_modules()
        if hasattr(module, "lora_A") and "default" in module.lora_A
    }
    merged = tuned.merge_and_unload()
    if base.name == TINY:  # nobody else has its base
        return model_of(replace(base, model=merged))
    head = {name: tensor for name, tensor in merged.named_parameters() if _is_head(name, merged)}
    return adapter_of(replace(base, model=merged), head, factors)


def _plain_name(name: str) -> str:
    return name.removeprefix("base_model.model.")


def _is_head(name: str, model: Any) -> bool:
    """Whether a module is above the encoder: the output layers, trained whole."""
    return not name.startswith(f"{model.base_model_prefix}.") or "pooler" in name


def _with_adapter(base: Base, options: CrossEncoder) -> Any:
    """The model with thin matrices beside each matrix of its encoder, which alone learn with the head and the marks."""
    import torch
    from peft import LoraConfig, get_peft_model

    model = base.model
    linear = [
        name
        for name, module in model.named_modules()
        if isinstance(module, torch.nn.Linear) and not _is_head(name, model)
    ]
    inputs = model.get_input_embeddings()
    embeddings = next(name for name, module in model.named_modules() if module is inputs)
    config = LoraConfig(
        r=options.lora_rank,
        lora_alpha=2 * options.lora_rank,
        lora_dropout=options.dropout,
        target_modules=linear,
        trainable_token_indices={embeddings: base.tokenizer.convert_tokens_to_ids(list(SPECIAL_TOKENS))},
    )
    head = [name for name, _ in model.named_parameters() if _is_head(name, model)]
    tuned = get_peft_model(model, config)
    for name, parameter in tuned.named_parameters():
        if _plain_name(name) in head:
            parameter.requires_grad_(True)
    return tuned


def _judge(tuned: Any, positive_weight: float) -> Any:
    """The model with its loss, as one module, so that `Trainer` keeps and restores it as it is."""
    import torch

    class Judge(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = tuned

        def forward(
            self, input_ids: Any, attention_mask: Any, labels: Any = None, weights: Any = None
        ) -> dict[str, Any]:
            logits = self.model(input_ids=input_ids, attention_mask=attention_mask).logits.squeeze(-1)
            losses = torch.nn.functional.binary_cross_entropy_with_logits(
                logits, labels, weight=weights, pos_weight=torch.tensor(positive_weight), reduction="mean"
            )
            return {"loss": losses, "logits": logits}

    return Judge()


def _trainer(
    recipe: Recipe,
    tuned: Any,
    base: Base,
    shown: Sequence[Example],
    positive_weight: float,
    folder: str,
    keeps_steps: bool,
) -> Any:
    import torch
    from transformers import PrinterCallback, Trainer, TrainingArguments

    options = recipe.cross_encoder
    processes = int(os.environ.get("WORLD_SIZE", "1"))
    on_cpu = not torch.cuda.is_available()
    batch = max(1, options.batch_size // processes)
    total = math.ceil(math.ceil(len(shown) / (batch * processes)) * options.epochs)
    known = {item.name for item in fields(TrainingArguments)}
    arguments: dict[str, Any] = {
        "output_dir": folder,
        "per_device_train_batch_size": batch,
        "learning_rate": options.learning_rate,
        "num_train_epochs": options.epochs,
        "warmup_steps": round(options.warmup * total),
        "weight_decay": options.weight_decay,
        "lr_scheduler_type": "linear",
        "seed": recipe.seed,
        "data_seed": recipe.seed,
        "use_cpu": on_cpu,
        "save_strategy": "steps" if keeps_steps else "no",
        "save_steps": _KEPT_STEPS,
        "save_total_limit": 1,
        "logging_strategy": "steps",
        "logging_steps": _LOGGED_STEPS,
        "report_to": [],
        "disable_tqdm": True,  # its bar prints every loss to stdout
        "remove_unused_columns": False,
        "dataloader_pin_memory": not on_cpu,
        "bf16": options.bf16,
    }
    if "train_sampling_strategy" in known:
        arguments["train_sampling_strategy"] = "group_by_length"
    else:  # transformers 4
        arguments["group_by_length"] = True
    if processes > 1 and on_cpu:
        arguments["ddp_backend"] = "gloo"
    arguments["ddp_find_unused_parameters"] = False
    trainer = Trainer(
        model=_judge(tuned, positive_weight),
        args=TrainingArguments(**arguments),
        train_dataset=dataset(shown, base.tokenizer, options.max_length),
        data_collator=_Collator(base.tokenizer),
    )
    trainer.remove_callback(PrinterCallback)
    return trainer


def _progress() -> Any:
    """A bar of the steps of this fit on stderr: steps are what takes the time."""
    from tqdm import tqdm
    from transformers import TrainerCallback

    class Progress(TrainerCallback):  # type: ignore[misc]
        bar: Any = None

        def on_train_begin(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
            del args, control, rest
            start = state.global_step
            self.bar = tqdm(desc="cross-encoder, steps", total=state.max_steps, initial=start, leave=False, delay=2)

        def on_step_end(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
            del args, control, rest
            self.bar.update(state.global_step - self.bar.n)

        def on_train_end(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
            del args, state, control, rest
            self.bar.close()

    return Progress()


class _Collator:
    """Examples of a batch, padded to its longest."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer

    def __call__(self, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
        import torch

        padded = self.tokenizer.pad({"input_ids": [row["input_ids"] for row in rows]}, return_tensors="pt")
        return {
            "input_ids": padded["input_ids"],
            "attention_mask": padded["attention_mask"],
            "labels": torch.tensor([row["label"] for row in rows]),
            "weights": torch.tensor([row["weight"] for row in rows]),
        }


def _epoch_starts(steps: Path) -> Any:
    """Keeps the state of chance at the start of each epoch, which decides its order: what goes on there needs it."""
    import torch
    from transformers import TrainerCallback

    class EpochStarts(TrainerCallback):  # type: ignore[misc]
        def on_epoch_begin(self, args: Any, state: Any, control: Any, **rest: Any) -> None:
            del args, control, rest
            path = steps / f"epoch-{int(state.epoch or 0)}.{os.environ.get('RANK', '0')}.chance"
            if path.is_file():
                torch.set_rng_state(torch.frombuffer(bytearray(path.read_bytes()), dtype=torch.uint8))
            else:
                write_bytes(path, torch.get_rng_state().numpy().tobytes(), make_folders=True)

    return EpochStarts()


def _last(steps: Path | None) -> str | None:
    """The last step that was kept whole."""
    if steps is None or not steps.is_dir():
        return None
    from transformers.trainer_utils import get_last_checkpoint

    last: str | None = get_last_checkpoint(str(steps))
    return last if last is not None and (Path(last) / "trainer_state.json").is_file() else None
