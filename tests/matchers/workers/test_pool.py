from __future__ import annotations

from dataclasses import dataclass

from matchers.workers.pool import Here, failed


@dataclass(frozen=True)
class Named:
    names: tuple[str, ...]


def test_here_does_one_after_the_other() -> None:
    with Here(lambda shard: len(shard.names)) as pool:
        assert list(pool.map([Named(("a",)), Named(("b", "c"))])) == [1, 2]


def test_a_failed_shard_names_some_of_its_sentences() -> None:
    assert "the sentences a, b;" in str(failed(Named(("a", "b")), "why"))
    assert "s0, s1, s2, s3, s4, ... (64 in all);" in str(failed(Named(tuple(f"s{n}" for n in range(64))), "why"))
