"""All four benchmarks of `--all`, invented: two sentences each, of which WiRe57 has one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

WIRE57_GOLD = "WiRe57_343-manual-oie.json"
WIRE57_OUTPUT = "WiRe57_extractions_by_ollie_clausie_openie_stanford_minie_reverb_props-export.json"
CARB_SYSTEMS = ("clausie", "minie", "stanford", "openie6", "roi_t", "roi_n", "naive_oie", "m2oie_en")
FL_SYSTEMS = ("reverb", "clausie", "minie", "imojie", "openie6", "m2oie", "compactie")
MILL, MARA = "The old mill burned down in May .", "Mara Venn moved to Oslo ."
BENCHIE = f"""sent_id:1\t{MARA}
1--> Cluster 1:
Mara Venn --> moved to --> Oslo

sent_id:2\t{MILL}
2--> Cluster 1:
[The] [old] mill --> burned down in --> May
"""


def part(words: str, inferred: bool = False) -> dict[str, Any]:
    texts = words.split()
    places = ["inf" if inferred else number for number, _ in enumerate(texts)]
    return {"words": texts, "words_indexes": places, "decorefed_words": texts, "decorefed_indexes": places}


def write_benchmarks(root: Path) -> Path:
    """Write them as the data sets have them, and give their folder back."""
    for folder in ("benchie/gold", "benchie/extractions", "benchie_fl/gold", "benchie_fl/extractions", "wire57"):
        (root / folder).mkdir(parents=True)
    (root / "benchie/gold/en.txt").write_text(BENCHIE)
    (root / "benchie_fl/gold/benchie_fl_300.txt").write_text(BENCHIE)
    (root / "benchie/gold/carb_explicit.txt").write_text(
        "the old mill burned down in may.\tburned down\tThe old mill\tin May\n"
    )
    for name in CARB_SYSTEMS:
        lines = "2\tThe old mill\tburned down in\tMay\n" if name == "clausie" else "2\tmill\tburned down\tin May\n"
        (root / f"benchie/extractions/{name}_explicit.txt").write_text(lines)
    for name in FL_SYSTEMS:
        lines = "2\tThe old mill\tburned down\tup\n" if name == "clausie" else "2\tmill\tburned down in\tMay\n"
        (root / f"benchie_fl/extractions/{name}.txt").write_text(lines)
    gold = {
        "arg1": part("The old mill"), "rel": part("burned down"), "arg2": part("May"), "arg3+": [], "attrib/spec?": "",
    }  # fmt: skip
    sentence = {"id": "w1", "sent": MILL, "tokens": MILL.split(), "tuples": [gold]}
    (root / "wire57" / WIRE57_GOLD).write_text(json.dumps({"doc": [sentence]}))
    found = {"arg1": "mill", "rel": "burned down", "arg2": "in May", "extractor": "clausie"}
    more = {**found, "arg3+": ["badly"], "extractor": "minie"}
    (root / "wire57" / WIRE57_OUTPUT).write_text(json.dumps({"w1": [found, more]}))
    return root
