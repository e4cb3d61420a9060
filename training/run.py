"""The training command: cross-validate a recipe beside the rules, then train on everything and save a checkpoint."""

from __future__ import annotations

import argparse
import json
import platform
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data.catalog import NAMES
from data.commands import add_reading_flags, parser, run, table, write_json
from data.problems import Diagnostics, InputError

if TYPE_CHECKING:
    from data.model import Benchmark
    from matchers.interface import Assignment, Matcher
    from training.crossval import OutOfFold
    from training.judged import Judged
    from training.recipes import Recipe

PROTOCOLS = ("sentence", "leave-one-sentence-out", "leave-one-system-out")


def arguments_parser() -> argparse.ArgumentParser:
    """The command's flags."""
    command = parser(
        "training.run",
        "Train a matcher: cross-validate a recipe beside the rules, then train on everything and save a checkpoint.",
        [
            "",
            "--config configs/features.yaml --dataset benchie_fl_match --output runs/mine",
            "--config features classifier.estimator=gradient_boosting folds=5 --json -",
            "--config cross_encoder --output runs/ce --resume",
            "--config features --protocol leave-one-system-out",
            "--sweep configs/sweeps/features.yaml --output runs/sweep",
        ],
    )
    command.add_argument("--config", default="features", metavar="FILE", help="recipe: a file or a name in configs/")
    command.add_argument("overrides", nargs="*", metavar="key=value", help="changes of the recipe")
    command.add_argument("--dataset", metavar="NAME", help=f"labelled set: a folder, or one of {', '.join(NAMES)}")
    command.add_argument("--output", type=Path, metavar="DIR", help="folder of the checkpoint (default: runs/RECIPE)")
    command.add_argument("--seed", type=int, help="seed (default: the recipe's)")
    command.add_argument("--resume", action="store_true", help="go on with an interrupted run in --output")
    command.add_argument("--protocol", choices=PROTOCOLS, default="sentence", help="how folds are made")
    command.add_argument("--resamples", type=int, default=10_000, metavar="N", help="bootstrap resamples")
    command.add_argument("--json", metavar="FILE", help="write the report as JSON (- for stdout)")
    command.add_argument("--no-checkpoint", action="store_true", help="cross-validate only")
    command.add_argument("--tensorboard", type=Path, metavar="DIR", help="log figures for TensorBoard")
    command.add_argument("--sweep", metavar="FILE", help="search for a recipe with Optuna, by inner folds")
    add_reading_flags(command)
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Train."""
    command = arguments_parser()
    options = command.parse_intermixed_args(arguments)
    if options.resamples < 1:
        command.error("--resamples must be at least 1")
    from data.catalog import default_dataset, load
    from data.folder import ReadOptions
    from training.recipes import load_recipe

    if options.sweep:
        from training.sweep import run_sweep

        return run_sweep(options)
    seeded = [] if options.seed is None else [f"seed={options.seed}"]
    recipe = load_recipe(options.config, [*options.overrides, *seeded])
    dataset = options.dataset or default_dataset(options.data)
    if not options.quiet:
        print(f"recipe {recipe.name} on {dataset}" + " (the default)" * (not options.dataset), file=sys.stderr)
    diagnostics = Diagnostics(options.strict)
    benchmark = load(dataset, options.data, diagnostics, ReadOptions(options.encoding))
    if not options.quiet:
        diagnostics.show()
    output = options.output or Path("runs") / recipe.name
    if output.name in ("", ".."):
        output = output.resolve()  # files beside the folder are named after it
    report = train(benchmark, recipe, output, options, arguments)
    if options.json:
        write_json(report, options.json)
    if options.json != "-":
        print(as_text(report))
    return 0


def train(
    benchmark: Benchmark,
    recipe: Recipe,
    output: Path,
    options: argparse.Namespace,
    arguments: Sequence[str] | None,
) -> dict[str, Any]:
    """Cross-validate, train on everything, and write checkpoint and report."""
    from matchers.checkpoints import check_replaceable
    from training.crossval import FoldStore, cross_validate
    from training.processes import is_main_process
    from training.train import trainer_for

    if not options.no_checkpoint:
        check_replaceable(output)
    workspace = output.with_name(f"{output.name}.fits")
    if not options.resume:
        shutil.rmtree(workspace, ignore_errors=True)
    trainer = trainer_for(recipe, benchmark, options.data, options.quiet, workspace)
    work = trainer.work
    identity = run_identity(benchmark, recipe, options.protocol)
    store = FoldStore(output.with_name(f"{output.name}.folds.json"), identity, options.resume)
    found = cross_validate(work, trainer, options.protocol, recipe.folds, recipe.seed, options.quiet, store)
    report = as_report(benchmark, recipe, work, found, trainer.beside, options, arguments)
    if not options.no_checkpoint:
        matcher = trainer(work, None)
        report["insight"], report["learning_curve"] = insight(matcher), learning_curve(matcher)
        if is_main_process():
            report["checkpoint"] = str(output)
            save(matcher, output, report, recipe, trainer.trained_texts)
    if is_main_process():
        write_json(report, str(output / "report.json" if not options.no_checkpoint else f"{output}.report.json"))
        store.path.unlink(missing_ok=True)
        shutil.rmtree(workspace, ignore_errors=True)
        if options.tensorboard:
            log_figures(report, options.tensorboard)
    return report


def run_identity(benchmark: Benchmark, recipe: Recipe, protocol: str) -> str:
    """What makes two runs the same: recipe, gold, judgments, protocol, version."""
    from data.textfile import sha256
    from matchers.signature import VERSION, gold_hash

    judgments = sha256(repr(benchmark.judgments).encode())
    parts = json.dumps([asdict(recipe), gold_hash(benchmark), judgments, protocol, VERSION], sort_keys=True)
    return sha256(parts.encode())


def as_report(
    benchmark: Benchmark,
    recipe: Recipe,
    work: Sequence[Judged],
    found: OutOfFold,
    beside: Mapping[str, int],
    options: argparse.Namespace,
    arguments: Sequence[str] | None,
) -> dict[str, Any]:
    """The figures of the cross-validated recipe and of the rules on the same sentences."""
    from matchers.rules import RuleMatcher
    from matchers.signature import VERSION, gold_hash
    from training.judged import assign_all, systems_of
    from training.metrics import f1_difference, pair_counts

    baseline = assign_all(RuleMatcher(), work)
    systems = systems_of(benchmark)
    difference = f1_difference(
        pair_counts(work, found.assignments), pair_counts(work, baseline), options.resamples, recipe.seed
    )
    settings = {
        "recipe": recipe.name,
        "protocol": found.protocol,
        "gold": gold_hash(benchmark),
        "assignment": "optimal",
        "seed": recipe.seed,
        "resamples": options.resamples,
        "version": VERSION,
    }
    named = shlex.join(arguments if arguments is not None else sys.argv[1:])
    return {
        "name": recipe.name,
        "kind": recipe.kind,
        "dataset": benchmark.name,
        "sentences": len({part.sentence.id for part in work}),
        "pairs": sum(len(part.extractions) * len(part.sentence.clusters) for part in work),
        "positives": sum(len(label) for part in work for label in part.labels),
        "protocol": found.protocol,
        "signature": "|".join(f"{name}:{value}" for name, value in settings.items()),
        "command": f"python -m training.run {named}".rstrip(),
        "rules": figures("rules", work, baseline, systems, options.resamples, recipe.seed),
        "matcher": figures(recipe.name, work, found.assignments, systems, options.resamples, recipe.seed),
        "difference": {
            "value": difference.value,
            "interval": [difference.interval.low, difference.interval.high],
            "p": difference.p,
        },
        "by_system": by_system(work, found.assignments, baseline, systems),
        "training_data": training_data(benchmark, recipe, beside),
        "recipe": asdict(recipe),
        "libraries": libraries(recipe),
    }


def figures(
    name: str,
    work: Sequence[Judged],
    assignments: Sequence[Assignment],
    systems: Sequence[str],
    resamples: int,
    seed: int,
) -> dict[str, Any]:
    """Agreement of one matcher with people."""
    from training.metrics import correlation, f1_interval, pair_counts, pair_score, system_counts, system_scores

    counts = pair_counts(work, assignments)
    score, bounds = pair_score(counts), f1_interval(counts, resamples, seed)
    ours = system_scores(system_counts(work, assignments, systems), systems)
    theirs = system_scores(system_counts(work, [part.manual for part in work], systems), systems)
    agreement = correlation([ours[s].f1 for s in systems], [theirs[s].f1 for s in systems])
    return {
        "name": name,
        **asdict(score),
        "precision": score.precision,
        "recall": score.recall,
        "f1": score.f1,
        "f1_interval": [bounds.low, bounds.high],
        **asdict(agreement),
    }


def by_system(
    work: Sequence[Judged], ours: Sequence[Assignment], rules: Sequence[Assignment], systems: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Pair F1 of recipe and rules on each system's extractions."""
    from training.metrics import pair_counts, pair_score

    found = {}
    for system in systems:
        chosen = [position for position, part in enumerate(work) if part.system == system]
        parts = [work[position] for position in chosen]
        found[system] = {
            "rules": pair_score(pair_counts(parts, [rules[position] for position in chosen])).f1,
            "matcher": pair_score(pair_counts(parts, [ours[position] for position in chosen])).f1,
        }
    return found


def training_data(benchmark: Benchmark, recipe: Recipe, beside: Mapping[str, int]) -> str:
    """A sentence on what the checkpoint is trained on; `beside` counts the parts beside the judged ones by source."""
    from training.supervision import GENERATED, REVIEWED, SILVER

    supervision = recipe.supervision
    parts = [f"The judgments of {benchmark.name}"]
    if beside.get(REVIEWED):
        weight = f"weight {supervision.reviewed_weight:g}"
        parts.append(f"our own reviews of near misses in sentences without judgments (`data/reviews`; {weight})")
    if beside.get(SILVER):
        weight = f"weight {supervision.silver_weight:g}"
        parts.append(f"the rules' matches in {supervision.silver_dataset} without judgments ({weight})")
    if beside.get(GENERATED):
        weights = " or ".join(f"{weight:g}" for weight in supervision.generated_weight)
        chosen = ", chosen by inner folds" if len(supervision.generated_weight) > 1 else ""
        parts.append(f"extractions generated from gold clusters (weight {weights}{chosen})")
    return "; ".join(parts) + "."


def libraries(recipe: Recipe) -> dict[str, str]:
    """The versions of what was trained with."""
    from importlib.metadata import PackageNotFoundError, version

    names = ["numpy", "scipy", "scikit-learn", "simplemma"]
    if recipe.kind != "features":
        names += ["torch", "transformers", "peft"]
    found = {"python": platform.python_version()}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def insight(matcher: Matcher) -> list[tuple[str, float]]:
    """What the trained matcher leans on most."""
    from matchers.classifier import FeatureMatcher
    from matchers.estimators import Linear

    if isinstance(matcher, FeatureMatcher) and isinstance(matcher.model.estimator, Linear):
        weights = zip(matcher.model.features, matcher.model.estimator.weights.tolist(), strict=True)
        return sorted(weights, key=lambda item: -abs(item[1]))[:10]
    return []


def learning_curve(matcher: Matcher) -> list[tuple[int, float]]:
    """The steps of the last cross-encoder's training, with the loss at each."""
    encoder = getattr(matcher, "encoder", matcher)
    return list(encoder.weights.losses) if hasattr(encoder, "weights") else []


def save(matcher: Matcher, output: Path, report: dict[str, Any], recipe: Recipe, texts: frozenset[str]) -> None:
    """Write the checkpoint."""
    from matchers.checkpoints import save_checkpoint, sentence_hash
    from matchers.signature import VERSION
    from training.cards import model_card
    from training.train import checkpoint_parts

    settings, files = checkpoint_parts(matcher)
    config = {
        "kind": recipe.kind,
        "name": recipe.name,
        **settings,
        "trained_on": sorted(map(sentence_hash, texts)),
        "training": {
            "dataset": report["dataset"], "signature": report["signature"], "recipe": report["recipe"],
        },
        "libraries": report["libraries"],
        "version": VERSION,
    }  # fmt: skip
    save_checkpoint(output, config, files, model_card(report))


def as_text(report: dict[str, Any]) -> str:
    """The report for people."""
    rows = [["matcher", "P", "R", "F1", "95 % of F1", "tp", "fp", "fn", "Pearson", "Kendall", "MAE"]]
    for figure in (report["rules"], report["matcher"]):
        low, high = figure["f1_interval"]
        rows.append(
            [
                figure["name"],
                *(f"{figure[name]:.4f}" for name in ("precision", "recall", "f1")),
                f"[{low:.3f}, {high:.3f}]",
                *(str(figure[name]) for name in ("tp", "fp", "fn")),
                *(f"{figure[name]:.4f}" for name in ("pearson", "kendall", "mae")),
            ]
        )
    difference = report["difference"]
    low, high = difference["interval"]
    lines = [
        f"{report['dataset']}: {report['sentences']} sentences, {report['pairs']} pairs, "
        f"{report['positives']} positive; {report['protocol']}, out of fold",
        "",
        table(rows),
        "",
        f"difference to the rules in F1: {difference['value']:+.4f} [{low:+.4f}, {high:+.4f}], "
        f"p = {difference['p']:.4f}",
        "",
        table(
            [
                ["system", "rules", report["name"]],
                *(
                    [system, f"{values['rules']:.4f}", f"{values['matcher']:.4f}"]
                    for system, values in report["by_system"].items()
                ),
            ]
        ),
    ]
    if report.get("insight"):
        lines += [
            "",
            "most useful features: " + ", ".join(f"{name} {weight:+.2f}" for name, weight in report["insight"]),
        ]
    if curve := report.get("learning_curve"):
        shown = curve[:: max(1, len(curve) // 8)]
        lines += ["", "loss by step: " + ", ".join(f"{step} {loss:.3f}" for step, loss in shown)]
    if "checkpoint" in report:
        lines += ["", f"checkpoint: {report['checkpoint']} (score with it: --matcher {report['checkpoint']})"]
    return "\n".join([*lines, report["signature"]])


def log_figures(report: dict[str, Any], folder: Path) -> None:
    """Log the figures for TensorBoard."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        raise InputError("--tensorboard needs torch and tensorboard: pip install 'factmatch[tensorboard]'") from None
    writer = SummaryWriter(str(folder))
    for figure in (report["rules"], report["matcher"]):
        for name in ("precision", "recall", "f1", "pearson"):
            writer.add_scalar(f"{figure['name']}/{name}", figure[name])
    for step, loss in report.get("learning_curve", ()):
        writer.add_scalar("loss", loss, step)
    writer.close()


if __name__ == "__main__":
    raise SystemExit(run(main))
