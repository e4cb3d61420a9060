"""What the matchers' tests share: a gold file with systems beside it, and the real benchmarks, each loaded once."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.catalog import load
from data.model import Benchmark
from data.problems import Diagnostics
from tests.matchers.invented import write_benchmarks

GOLD = """sent_id:1\tMara Venn , a chemist , moved to Oslo and Bergen .
1--> Cluster 1:
Mara Venn --> is --> [a] chemist
Mara Venn --> is [a] --> chemist
1--> Cluster 2:
Mara Venn --> moved to --> Oslo
1--> Cluster 3:
Mara Venn --> moved to --> Bergen

sent_id:2\tThe old mill burned down in May .
2--> Cluster 1:
[The] [old] mill --> burned down --> XXX
2--> Cluster 2:
[The] [old] mill --> burned down in --> May
"""
SHORT = "1\tMara Venn\tis\ta chemist\n1\tMara Venn\tmoved to\tOslo\n2\tThe mill\tburned down in\tmay .\n"
LONG = "1\tMara Venn\tmoved to\tOslo and Bergen\n1\tMara Venn\tmoved to\tBergen\n2\tmill\tfell\tin May\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A labelled folder: a gold of two sentences, and the systems `short` and `long`."""
    (tmp_path / "gold").mkdir()
    (tmp_path / "extractions").mkdir()
    (tmp_path / "gold" / "gold.txt").write_text(GOLD)
    (tmp_path / "extractions" / "short.tsv").write_text(SHORT)
    (tmp_path / "extractions" / "long.tsv").write_text(LONG)
    return tmp_path


@pytest.fixture
def gold(folder: Path) -> Path:
    """The gold file of the folder."""
    return folder / "gold" / "gold.txt"


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    """A folder with all four benchmarks of `--all`, invented."""
    return write_benchmarks(tmp_path / "sets")


@pytest.fixture(scope="session")
def judged(real_data: Path) -> Benchmark:
    """BenchIE^FL_match: 50 sentences with manual matches."""
    return load("benchie_fl_match", real_data, Diagnostics())


@pytest.fixture(scope="session")
def benchie_fl(real_data: Path) -> Benchmark:
    """BenchIE^FL: 300 sentences."""
    return load("benchie_fl", real_data, Diagnostics())


@pytest.fixture(scope="session")
def benchie_en(real_data: Path) -> Benchmark:
    """BenchIE English: 300 sentences."""
    return load("benchie_en", real_data, Diagnostics())
