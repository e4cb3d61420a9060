"""Where the data that a matcher learned from come from: who judged what, on which text, under which licence.

A data set is known by the hash of its gold and not by its name, which a folder of the user's own may share.
"""

from __future__ import annotations

from collections.abc import Sequence

from data.catalog import DATASETS, SAMPLE
from data.fetching.manifest import read_manifest
from data.formats.textfile import read_bytes, sha256
from data.model import Benchmark
from training.labels.material import Used

_FL = (
    "BenchIE^FL is by Lamarche and Langlais (CC BY 4.0), on sentences of BenchIE by Gashteovski et al. (CC BY 4.0): "
    "English news and encyclopedia text, facts and matches by one annotator."
)
_BENCHIE = (
    "BenchIE is by Gashteovski et al. (CC BY 4.0): sentences of news and encyclopedia text, facts by their annotators."
)
_SAMPLE = (
    "The bundled sample is invented: sentences, facts, extractions and judgments were written for FactMatch by "
    "language models and not by people (MIT). It is no basis for claims about real systems."
)
KNOWN = {
    "benchie_fl_match": _FL,
    "benchie_fl": _FL,
    "benchie_en": _BENCHIE,
    "benchie_de": _BENCHIE,
    "benchie_zh": _BENCHIE,
    "sample": _SAMPLE,
}


def known_name(benchmark: Benchmark) -> str | None:
    """The name of a data set that we know, by the hash of its gold; None for any other."""
    if benchmark.source is None:
        return None
    hashes = {file.path: file.sha256 for file in read_manifest()}
    golds = {hashes.get(dataset.gold): name for name, dataset in DATASETS.items()}
    [sample] = (SAMPLE / "gold").glob("*.txt")
    golds[sha256(read_bytes(sample))] = "sample"
    return golds.get(benchmark.source.sha256)


def origins(benchmark: Benchmark, used: Sequence[Used]) -> tuple[str, ...]:
    """A sentence or two on each data set that was learned from; where nothing is known of one, that."""
    own = known_name(benchmark)
    unknown = (
        f"Who judged {benchmark.name}, on which text and under which licence, is for its owner to say: it is no data "
        "set that FactMatch knows."
    )
    told = [KNOWN.get(own or "", unknown)]
    told += [_of(one.dataset) for one in used if one.dataset != benchmark.name]
    return tuple(dict.fromkeys(told))


def _of(name: str) -> str:
    return KNOWN.get(name, f"What {name} is and under which licence is for its owner to say.")
