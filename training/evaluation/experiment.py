"""An experiment: cross-validate a recipe beside the rules, then train on everything and save a checkpoint."""

from __future__ import annotations

import platform
import shutil
import sys
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from data.command_line import write_json
from data.extras import missing_extra
from data.model import Benchmark
from data.problems import InputError
from data.thinning import FULL, Thinness
from matchers.checkpoints import check_replaceable, find, open_checkpoint, save_checkpoint, sentence_hash
from matchers.features.estimators import ByThickness, Linear
from matchers.features.matcher import FeatureMatcher
from matchers.interface import Matcher
from matchers.rules.matcher import RuleMatcher
from matchers.signature import VERSION
from training.evaluation.cards import model_card, training_data
from training.evaluation.crossval import FoldStore, OutOfFold, cross_validate
from training.evaluation.figures import by_system, figures, lead_over
from training.evaluation.origins import known_name, origins
from training.evaluation.report import Report, Start, Trained
from training.evaluation.signatures import run_identity, trained_signature
from training.fitting.adaptation import starting_matcher
from training.fitting.processes import alone_in, is_main_process
from training.fitting.saving import checkpoint_parts
from training.fitting.trainers import planned_fits, trainer_for
from training.labels.judged_parts import assign_all, keys, systems_of
from training.labels.material import NONE, Material, gather
from training.labels.protocols import Protocol
from training.recipes import Recipe


@dataclass(frozen=True)
class Settings:
    """How an experiment is made: its folds, its resampling, what it is trained on, and what is left of it.

    `thinness` is that of the gold that it is given. `data` is the folder of the real data sets, `supervision` fixes the
    sources of labels beside people's, and `start` is the checkpoint that is adapted, which has none. `resume` goes on
    with what an interrupted run left beside the output folder.
    """

    protocol: Protocol = "sentence"
    resamples: int = 10_000
    data: Path | None = None
    supervision: tuple[str, ...] | None = None
    checkpoint: bool = True
    resume: bool = False
    tensorboard: Path | None = None
    quiet: bool = False
    thinness: Thinness = FULL
    start: str | None = None


def output_folder(given: Path | None, recipe: Recipe) -> Path:
    """The folder of a recipe's checkpoint: `runs/NAME` unless another is given."""
    output = given or Path("runs") / recipe.name
    if output.name in ("", ".."):  # files beside the folder are named after it
        output = output.resolve()
    if not output.name:
        raise InputError("has no name, so that nothing can stand beside it; choose another --output", output)
    return output


def run_experiment(
    benchmark: Benchmark, recipe: Recipe, output: Path | None, settings: Settings, command: str = ""
) -> Report:
    """Cross-validate, train on everything, write checkpoint and report; without an output folder nothing is kept."""
    with alone_in(output) if output is not None else nullcontext():
        if output is not None and settings.checkpoint:
            check_replaceable(output)
            if settings.start and find(settings.start).resolve() == output.resolve():
                raise InputError("is the checkpoint to start from; choose another --output", output)
        return _run(benchmark, recipe, output, settings, command)


def _run(benchmark: Benchmark, recipe: Recipe, output: Path | None, settings: Settings, command: str) -> Report:
    start = starting_matcher(settings.start, benchmark) if settings.start else None
    material = gather(recipe, benchmark, settings.data, (NONE,) if start else settings.supervision)
    if not settings.quiet and is_main_process():
        print(material, file=sys.stderr)
        if plan := planned_fits(recipe, material, settings.protocol, settings.checkpoint):
            print(plan, file=sys.stderr)
    workspace = store = None
    if output is not None:
        workspace = output.with_name(f"{output.name}.fits")
        started = start.hash if start else ""
        identity = run_identity(benchmark, recipe, material, settings.protocol, settings.thinness, started)
        store = FoldStore(output.with_name(f"{output.name}.folds.json"), identity, settings.resume)
        if not settings.resume:
            shutil.rmtree(workspace, ignore_errors=True)
    trainer = trainer_for(recipe, material, settings.quiet, workspace, start)
    out_of_fold = cross_validate(
        material.work, trainer, settings.protocol, recipe.folds, recipe.seed, settings.quiet, store
    )
    report = as_report(benchmark, recipe, material, out_of_fold, settings, command, start)
    if output is not None and settings.checkpoint:
        matcher = trainer.of_everything()
        report = replace(report, trained=Trained(insight(matcher), learning_curve(matcher)))
        if is_main_process() and report.trained:
            report = replace(report, trained=replace(report.trained, checkpoint=str(output)))
            save(matcher, output, report, material)
    if output is not None and is_main_process():
        written = output / "report.json" if settings.checkpoint else output.with_name(f"{output.name}.report.json")
        write_json(report.to_json(), str(written), make_folders=True)
        if store:
            store.path.unlink(missing_ok=True)
        shutil.rmtree(workspace or output.with_name(f"{output.name}.fits"), ignore_errors=True)
    if settings.tensorboard and is_main_process():
        log_figures(report, settings.tensorboard)
    return report


def as_report(
    benchmark: Benchmark,
    recipe: Recipe,
    material: Material,
    out_of_fold: OutOfFold,
    settings: Settings,
    command: str,
    start: FeatureMatcher | None = None,
) -> Report:
    """The figures of the cross-validated recipe and of the rules on the same sentences."""
    work, ours, resamples, seed = material.work, out_of_fold.assignments, settings.resamples, recipe.seed
    rules = assign_all(RuleMatcher(), work)
    systems = systems_of(benchmark)
    begun = Start(start.name, start.hash, start.trained_on) if start else None
    signature = trained_signature(
        benchmark,
        recipe,
        material,
        out_of_fold.protocol,
        resamples,
        seed,
        settings.thinness,
        begun.hash if begun else "",
    )
    return Report(
        recipe=recipe,
        dataset=benchmark.name,
        known=known_name(benchmark),
        sentences=len({part.sentence.id for part in work}),
        pairs=sum(len(part.extractions) * len(part.sentence.clusters) for part in work),
        positives=sum(len(label) for part in work for label in part.labels),
        protocol=out_of_fold.protocol,
        signature=str(signature),
        command=command,
        rules=figures("rules", work, rules, systems, resamples, seed),
        matcher=figures(recipe.name, work, ours, systems, resamples, seed),
        difference=lead_over(work, ours, rules, resamples, seed),
        by_system=by_system(work, ours, rules, systems),
        judgments=material.judgments,
        supervision=material.used,
        training_data=training_data(benchmark.name, recipe, material.used, begun),
        origins=origins(benchmark, material.used),
        libraries=libraries(recipe),
        start=begun,
    )


def libraries(recipe: Recipe) -> dict[str, str]:
    """The versions of what was trained with."""
    names = ["numpy", "scipy", "scikit-learn", "simplemma"]
    if recipe.kind != "features":
        names += ["torch", "transformers", "peft"]
    versions = {"python": platform.python_version()}
    for name in names:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return versions


def insight(matcher: Matcher) -> tuple[tuple[str, float], ...]:
    """What the trained matcher leans on most where gold is full; nothing of trees alone."""
    estimator = matcher.model.estimator if isinstance(matcher, FeatureMatcher) else None
    linear = estimator.thick if isinstance(estimator, ByThickness) else estimator
    if isinstance(matcher, FeatureMatcher) and isinstance(linear, Linear):
        weights = zip(matcher.model.features, linear.weights.tolist(), strict=True)
        return tuple(sorted(weights, key=lambda item: -abs(item[1]))[:10])
    return ()


def learning_curve(matcher: Matcher) -> tuple[tuple[int, float], ...]:
    """The steps of the last cross-encoder's training, with the loss at each."""
    encoder = getattr(matcher, "encoder", matcher)
    return tuple(encoder.weights.losses) if hasattr(encoder, "weights") else ()


def save(matcher: Matcher, output: Path, report: Report, material: Material) -> None:
    """Write the checkpoint."""
    settings, files = checkpoint_parts(matcher)
    known = frozenset(map(sentence_hash, material.keys)) | (report.start.trained_on if report.start else frozenset())
    known |= getattr(getattr(matcher, "encoder", None), "trained_on", frozenset())
    chosen: frozenset[str] = frozenset()
    if report.recipe.kind == "cross_encoder" and not report.recipe.cross_encoder.judged:
        chosen = frozenset(map(sentence_hash, keys(material.work)))  # its weights do not know them
    config = {
        "kind": report.recipe.kind,
        "name": report.recipe.name,
        **settings,
        "trained_on": sorted(known - chosen),
        **({"chosen_on": sorted(chosen)} if chosen else {}),
        "training": {
            "dataset": report.dataset,
            "signature": report.signature,
            "judgments": report.judgments,
            "supervision": [used.to_json() for used in report.supervision],
            "recipe": asdict(report.recipe),
            **({"start": report.start.to_json()} if report.start else {}),
            **_encoder_origin(report.recipe),
        },
        "libraries": report.libraries,
        "version": VERSION,
    }
    save_checkpoint(output, config, files, model_card(report))


def _encoder_origin(recipe: Recipe) -> dict[str, object]:
    """Where a cross-encoder is from that was taken as it is: the checkpoint, and how the encoder in it was trained."""
    name = recipe.cross_encoder.checkpoint
    if recipe.kind != "hybrid" or not name:
        return {}
    checkpoint = open_checkpoint(name)
    trained = checkpoint.config.get("training")
    before = trained.get("encoder") if isinstance(trained, dict) else None
    return {"encoder": before or {"checkpoint": name, "hash": checkpoint.hash, "training": trained}}


def log_figures(report: Report, folder: Path) -> None:
    """Log the figures for TensorBoard."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        raise missing_extra("--tensorboard", "torch and tensorboard", "cross-encoder,tensorboard") from None
    writer = SummaryWriter(str(folder))
    for figure in (report.rules, report.matcher):
        score, pearson = figure.score, figure.correlation.pearson
        values = {"precision": score.precision, "recall": score.recall, "f1": score.f1, "pearson": pearson}
        for name, value in values.items():
            if value is not None:
                writer.add_scalar(f"{figure.name}/{name}", value)
    for step, loss in report.trained.learning_curve if report.trained else ():
        writer.add_scalar("loss", loss, step)
    writer.close()
