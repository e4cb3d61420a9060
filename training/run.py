"""The training command: cross-validate a recipe beside the rules, then train on everything and save a checkpoint."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from data.catalog import NAMES, default_dataset, load
from data.command_line import (
    add_reading_flags,
    add_thinning_flag,
    as_typed,
    check_outputs,
    diagnostics_of,
    parser,
    run,
    thinness_of,
    write_json,
)
from data.formats.reading import ReadOptions
from data.thinning import thin
from matchers.encoder.access import add_access_flags, grant
from training.flags import add_supervision_flag, supervision_names
from training.labels.protocols import PROTOCOLS

if TYPE_CHECKING:
    from training.evaluation.report import Report
    from training.sweeping.results import SweepReport


def arguments_parser() -> argparse.ArgumentParser:
    """The command's flags."""
    command = parser(
        "training.run",
        "Train a matcher: cross-validate a recipe beside the rules, then train on everything and save a checkpoint.",
        [
            "",
            "--config configs/features.yaml --dataset benchie_fl_match --output runs/mine",
            "--config features classifier.estimator=gradient_boosting folds=5 --json -",
            "--config features --dataset sample --supervision generated:sample",
            "--config cross_encoder --output runs/ce --resume",
            "--config features --protocol leave-one-system-out",
            "--from features --dataset my_folder --output runs/mine",
            "--sweep configs/sweeps/features.yaml --output runs/sweep",
        ],
    )
    command.add_argument("--config", default="features", metavar="FILE", help="recipe: a file or a name in configs/")
    command.add_argument("overrides", nargs="*", metavar="key=value", help="changes of the recipe")
    command.add_argument(
        "--from",
        dest="start",
        metavar="CHECKPOINT",
        help="adapt a checkpoint of features, by name or folder, to the judgments of --dataset; few are enough",
    )
    command.add_argument("--dataset", metavar="NAME", help=f"labelled set: a folder, or one of {', '.join(NAMES)}")
    add_thinning_flag(command)
    command.add_argument("--output", type=Path, metavar="DIR", help="folder of the checkpoint (default: runs/RECIPE)")
    command.add_argument("--seed", type=int, help="seed (default: the recipe's)")
    command.add_argument("--resume", action="store_true", help="go on with an interrupted run in --output")
    command.add_argument("--protocol", choices=PROTOCOLS, default="sentence", help="how folds are made")
    add_supervision_flag(command)
    command.add_argument("--resamples", type=int, default=10_000, metavar="N", help="bootstrap resamples")
    command.add_argument("--json", metavar="FILE", help="write the report as JSON (- for stdout)")
    command.add_argument("--no-checkpoint", action="store_true", help="cross-validate only")
    command.add_argument("--tensorboard", type=Path, metavar="DIR", help="log figures for TensorBoard")
    command.add_argument("--sweep", metavar="FILE", help="search for a recipe with Optuna, by inner folds")
    add_access_flags(command)
    add_reading_flags(command)
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Train."""
    command = arguments_parser()
    options = command.parse_intermixed_args(arguments)
    check_outputs(command, options, "json")
    grant(options)
    thinness = thinness_of(command, options)
    if options.resamples < 1:
        command.error("--resamples must be at least 1")
    if options.start and (options.sweep or supervision_names(options.supervision) not in (None, ("none",))):
        command.error("--from learns from the judgments alone; it goes with neither --sweep nor --supervision")
    from training.evaluation.experiment import Settings, output_folder, run_experiment
    from training.recipes import load_recipe

    settings = Settings(
        protocol=options.protocol,
        resamples=options.resamples,
        data=options.data,
        supervision=supervision_names(options.supervision),
        checkpoint=not options.no_checkpoint,
        resume=options.resume,
        tensorboard=options.tensorboard,
        quiet=options.quiet,
        thinness=thinness,
        start=options.start,
    )
    overrides = [*options.overrides, *([] if options.seed is None else [f"seed={options.seed}"])]
    sweep = None
    if options.sweep:
        from training.sweeping.search_space import load_sweep
        from training.sweeping.sweep import run_sweep

        sweep = load_sweep(options.sweep)
    recipe = load_recipe(sweep.config if sweep else options.config, overrides)
    if options.start:
        from training.fitting.adaptation import adaptation_recipe

        recipe = adaptation_recipe(recipe, options.start, overrides)
    dataset = options.dataset or (sweep.dataset if sweep else None) or default_dataset(options.data)
    if not options.quiet:
        what = f"sweep {sweep.path.stem} of {recipe.name}" if sweep else f"recipe {recipe.name}"
        print(f"{what} on {dataset}" + " (the default)" * (not options.dataset), file=sys.stderr)
    diagnostics = diagnostics_of(options)
    benchmark = thin(load(dataset, options.data, diagnostics, ReadOptions(options.encoding)), thinness)
    if not options.quiet:
        diagnostics.show()
    result: Report | SweepReport | None
    if sweep:
        result = run_sweep(sweep, overrides, benchmark, options.output, settings)
    else:
        output = output_folder(options.output, recipe)
        result = run_experiment(benchmark, recipe, output, settings, as_typed("training.run", arguments))
    if result and options.json:
        write_json(result.to_json(), options.json)
    if result and options.json != "-":
        print(result)
    return 0


if __name__ == "__main__":
    raise SystemExit(run(main))
