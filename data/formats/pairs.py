"""Extraction-cluster pairs as a Hugging Face `datasets.Dataset`, for training and for export.

A pair is an extraction and one cluster of its sentence. Where a benchmark has judgments, its pairs are those of the
judged extractions and carry a label; else they are those of all extractions and the label is -1.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data.extras import missing_extra
from data.formats.textfile import check_folder
from data.model import Benchmark, Judgment
from data.problems import InputError

if TYPE_CHECKING:
    from datasets import Dataset

UNLABELLED = -1


def pair_rows(benchmark: Benchmark) -> Iterator[dict[str, Any]]:
    """The pairs, one row each, in the order of judgments (or systems) and clusters."""
    judgments = benchmark.judgments or tuple(
        Judgment(system.name, extraction) for system in benchmark.systems for extraction in system.extractions
    )
    labelled = bool(benchmark.judgments)
    for index, judgment in enumerate(judgments):
        extraction = judgment.extraction
        sentence = benchmark.by_id[extraction.sentence_id]
        for cluster in sentence.clusters:
            yield {
                "sentence_id": sentence.id,
                "sentence": sentence.text,
                "system": judgment.system,
                "extraction": index,
                "arg1": extraction.arg1,
                "relation": extraction.relation,
                "arg2": extraction.arg2,
                "cluster": cluster.id,
                "formulations": [str(formulation) for formulation in cluster.formulations],
                "label": int(cluster.id in judgment.clusters) if labelled else UNLABELLED,
            }


def pairs(benchmark: Benchmark) -> Dataset:
    """The pairs with named columns and typed features; `extraction` numbers the extractions from 0."""
    try:
        from datasets import Dataset, Features, Value
    except ImportError:
        raise missing_extra("a table of pairs", "datasets", "pairs") from None
    texts = ("sentence_id", "sentence", "system", "arg1", "relation", "arg2", "cluster")
    features = Features(
        {
            **{name: Value("string") for name in texts},
            "extraction": Value("int32"),
            "formulations": [Value("string")],
            "label": Value("int8"),
        }
    )
    rows = list(pair_rows(benchmark))
    columns = {name: [row[name] for row in rows] for name in features}
    return Dataset.from_dict(columns, features=features)


def export_pairs(benchmark: Benchmark, path: str | Path) -> None:
    """Write the pairs as Parquet or JSON Lines, as the file's name says."""
    path = Path(path)
    table = pairs(benchmark)
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        check_folder(path)
        if path.suffix == ".parquet":
            table.to_parquet(str(temporary))
        elif path.suffix == ".jsonl":
            table.to_json(str(temporary), force_ascii=False)
        else:
            raise InputError("pairs are written as .parquet or .jsonl", path)
        temporary.replace(path)
    except OSError as error:
        raise InputError(f"can't be written: {error.strerror}", path) from None
    finally:
        temporary.unlink(missing_ok=True)
