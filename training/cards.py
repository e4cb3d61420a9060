"""Model cards: what a checkpoint is, how good it is and how that was measured, its limits, how to make it again."""

from __future__ import annotations

from typing import Any

from matchers.signature import VERSION

_KINDS = {
    "features": "a classifier over features of extraction-cluster pairs, beside the rules EM+AF+LoD+Punc",
    "cross_encoder": "a cross-encoder over the marked difference of extraction and cluster",
    "hybrid": "a classifier over features of pairs, one of which is a cross-encoder's score",
}


def _decided(report: dict[str, Any]) -> str:
    """How the threshold was found."""
    if report["kind"] != "cross_encoder":
        return "with calibration and threshold from inner folds"
    if report["recipe"]["cross_encoder"]["threshold_folds"] >= 2:
        return "with a threshold from inner folds"
    return "with the threshold where the odds of a match are even"


def model_card(report: dict[str, Any]) -> str:
    """The README of a checkpoint."""
    rows = "\n".join(
        f"| {row['name']} | {row['precision']:.4f} | {row['recall']:.4f} | {row['f1']:.4f} "
        f"[{row['f1_interval'][0]:.3f}, {row['f1_interval'][1]:.3f}] | {row['pearson']:.4f} | {row['kendall']:.3f} |"
        for row in (report["rules"], report["matcher"])
    )
    difference = report["difference"]
    return f"""# {report["name"]}

A matcher for Open Information Extraction evaluation: {_KINDS[report["kind"]]}. It says which fact of a sentence an
extraction states. Made with FactMatch {VERSION}.

## Figures

On **{report["dataset"]}** ({report["sentences"]} sentences, {report["pairs"]} pairs, {report["positives"]} positive),
{report["protocol"]}: every sentence was matched by a model that had not seen it, {_decided(report)}.
The checkpoint itself was then trained on all of them, so **evaluating it on these sentences says
nothing**; FactMatch marks such figures "seen in training".

| matcher | pair P | pair R | pair F1 [95 %] | Pearson on systems' F1 | Kendall |
|---|---|---|---|---|---|
{rows}

Difference in F1 to the rules: {difference["value"]:+.4f} [{difference["interval"][0]:+.4f},
{difference["interval"][1]:+.4f}], p = {difference["p"]:.4f} (permutation of sentences).

Signature: `{report["signature"]}`

## Training data

{report["training_data"]}
The sentences are not in this folder; `config.json` has hashes of their texts. BenchIE^FL and its match annotations are
by Lamarche and Langlais (CC BY 4.0), on sentences of BenchIE by Gashteovski et al. (CC BY 4.0).

## Use and limits

For scoring English OIE output against gold in BenchIE's format, with `--matcher {report["name"]}`. The labels that it
learned are one annotator's, on {report["sentences"]} sentences of news and encyclopedia text; features, lemmas and word
lists are English. It adds to what the rules match and never takes a match of theirs back. Part of its design (features,
kind of estimator, decoding beside the rules, what of the reviews is trained on) took shape while errors on this very
set were read, so the figures above are optimistic for other data, by how much is not known. One seed for the folds was
measured here; others move the F1. Report the rules' scores beside its own.

## How to make it again

    {report["command"]}

The same seed on the same machine gives the same {"bytes" if report["kind"] == "features" else "decisions"}.
"""
