"""Model cards: what a checkpoint is, how good it is and how that was measured, its limits, how to make it again.

A card says what is true of its own data, and nothing about data that were not used.
"""

from __future__ import annotations

from collections.abc import Sequence

from matchers.signature import VERSION
from training.evaluation.figures import Figures, lead, number, span
from training.evaluation.report import Report, Start
from training.labels.judged_parts import FORMULATIONS, GENERATED, SILVER
from training.labels.material import Used
from training.recipes import Recipe

_KINDS = {
    "features": "a classifier over features of extraction-cluster pairs, beside the rules EM+AF+LoD+Punc",
    "cross_encoder": "a cross-encoder over the marked difference of extraction and cluster",
    "hybrid": "a classifier over features of pairs beside a cross-encoder, whose log-odds are weighed",
}
_DESIGNED_ON = "benchie_fl_match"


def training_data(dataset: str, recipe: Recipe, used: Sequence[Used], start: Start | None = None) -> str:
    """A sentence or two on what a checkpoint is trained on."""
    if start:
        return (
            f"The judgments of {dataset}. It started from the checkpoint {start.name} (`{start.hash[:12]}`), whose "
            f"{len(start.trained_on)} sentences stay known, and was adapted to these judgments."
        )
    supervision = recipe.supervision
    asked = recipe.kind == "cross_encoder" and not recipe.cross_encoder.judged
    parts = [f"The judgments of {dataset}{', for the thresholds alone' if asked else ''}"]
    for source, what, weights in (
        (SILVER, "the rules' matches in sentences without judgments of", (supervision.silver_weight,)),
        (FORMULATIONS, "wordings of one fact, held against each other, of", (supervision.formulations_weight,)),
        (GENERATED, "extractions generated from gold clusters of", supervision.generated_weight),
    ):
        sets = [one.dataset for one in used if one.source == source]
        if sets:
            weight = " or ".join(f"{weight:g}" for weight in weights)
            chosen = ", chosen by inner folds" if len(weights) > 1 else ""
            parts.append(f"{what} {' and '.join(sets)} (weight {weight}{chosen})")
    if supervision.levels:
        parts.append(f"all of it also under thinner gold ({', '.join(supervision.levels)})")
    if recipe.kind == "hybrid" and recipe.cross_encoder.checkpoint:
        parts.append(f"the cross-encoder is that of the checkpoint {recipe.cross_encoder.checkpoint}, as it is")
    return "; ".join(parts) + "."


def _decided(recipe: Recipe) -> str:
    """How the threshold was found."""
    if recipe.kind != "cross_encoder":
        given = recipe.classifier
        scaled = given.calibrated or recipe.kind == "hybrid"
        if None not in (given.threshold, given.thin_threshold):
            return f"with {'calibration from inner folds and ' if scaled else ''}the thresholds of the recipe"
        return f"with {'calibration and ' if scaled else ''}thresholds from inner folds"
    if not recipe.cross_encoder.judged:
        return "with thresholds from the other folds"
    if recipe.cross_encoder.threshold_folds >= 2:
        return "with a threshold from inner folds"
    return "with the threshold where the odds of a match are even"


def _row(figures: Figures) -> str:
    score, agreement = figures.score, figures.correlation
    cells = [figures.name, number(score.precision), number(score.recall)]
    cells += [f"{number(score.f1)} {span(figures.interval)}", number(agreement.pearson), number(agreement.kendall, 3)]
    return f"| {' | '.join(cells)} |"


def _limits(report: Report) -> str:
    told = [
        f"For scoring English OIE output against gold in BenchIE's format. The labels that it learned are those of "
        f"{report.sentences} sentences and of those who judged them; other judges have other habits. Features, lemmas "
        "and word lists are English.",
    ]
    told += _anchored(report.recipe)
    if report.known == _DESIGNED_ON:
        told.append(
            "Part of its design (features, kind of estimator, decoding beside the rules) took shape while errors on "
            "this very set were read, so the figures above are optimistic for other data, by how much is not known."
        )
    told.append(
        "One seed for the folds was measured here; others move the F1. Report the rules' scores beside its own."
    )
    return " ".join(told)


def _anchored(recipe: Recipe) -> list[str]:
    """What of the rules' matches it can't overrule, where that is fixed."""
    if recipe.kind == "cross_encoder":
        anchors: tuple[str, ...] = ("rules",) if recipe.cross_encoder.keep_rules else ()
    else:
        anchors = recipe.classifier.anchor
    if anchors == ("rules",):
        return ["It adds to what the rules match and never takes a match of theirs back."]
    if anchors == ("choice",):
        return ["Where a rule fires there is a match for it too; with which of the facts that rules find, it says."]
    return []


def model_card(report: Report) -> str:
    """The README of a checkpoint."""
    recipe = report.recipe
    return f"""# {recipe.name}

A matcher for Open Information Extraction evaluation: {_KINDS[recipe.kind]}. It says which fact of a sentence an
extraction states. Made with FactMatch {VERSION}.

## Figures

On **{report.dataset}** ({report.sentences} sentences, {report.pairs} pairs, {report.positives} positive),
{report.protocol}: every sentence was matched by a model that had not seen it, {_decided(recipe)}.
The checkpoint itself was then trained on all of them, so **evaluating it on these sentences says
nothing**; FactMatch marks such figures "seen in training".

| matcher | pair P | pair R | pair F1 [95 %] | Pearson on systems' F1 | Kendall |
|---|---|---|---|---|---|
{_row(report.rules)}
{_row(report.matcher)}

Difference in F1 to the rules: {lead(report.difference)}.

Signature: `{report.signature}`

## Training data

{report.training_data}
{chr(10).join(report.origins)}
The sentences are not in this folder; `config.json` has hashes of their texts.

## Use and limits

Score with this folder: `python -m matchers.score --gold GOLD EXTRACTIONS --matcher PATH/TO/THIS/FOLDER`.
{_limits(report)}

## How to make it again

    {report.command}

The same seed on the same machine gives the same {"bytes" if recipe.kind == "features" else "decisions"}.
"""
