"""Mutation testing: change a line, run the tests of its module, and see whether any of them notices.

    python -m tests.mutation                         # a sample of mutants of every module below
    python -m tests.mutation training/labels/folds.py --all

A mutant that no test kills is a survivor; docs/testing.md lists those that are left and says why. Each mutant is tried
in a forked process, which imports the changed module in place of the file; the files stay as they are.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import os
import random
import signal
import sys
import time
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from tests.mutation.mutants import Mutant, mutants

ROOT = Path(__file__).parents[2]
TESTS = {  # what holds a module: its own tests, which must be quick
    "matchers/assignment.py": ["tests/matchers/test_assignment.py"],
    "matchers/counts.py": ["tests/matchers/test_counts.py"],
    "matchers/rules/exact.py": ["tests/matchers/rules"],
    "matchers/rules/joined_facts.py": ["tests/matchers/rules"],
    "matchers/rules/level_of_detail.py": ["tests/matchers/rules"],
    "matchers/rules/matcher.py": ["tests/matchers/rules"],
    "matchers/scoring/bootstrap.py": ["tests/matchers/scoring/test_bootstrap.py"],
    "training/metrics.py": ["tests/training/test_metrics.py"],
    "training/evaluation/significance.py": ["tests/training/evaluation/test_significance.py"],
    "training/evaluation/run_means.py": ["tests/training/evaluation/test_run_means.py"],
    "training/comparison/thin_measures.py": ["tests/training/comparison/test_thin_measures.py"],
    "training/labels/folds.py": ["tests/training/labels/test_folds.py"],
    "training/labels/generated.py": ["tests/training/labels/test_generated.py"],
    "training/labels/held_out.py": ["tests/training/labels/test_held_out.py", "tests/training/labels/test_material.py"],
    "training/labels/material.py": ["tests/training/labels/test_material.py"],
    "training/labels/unjudged.py": ["tests/training/labels/test_unjudged.py"],
}


class _Loader(SourceFileLoader):
    """Loads a module from a changed tree."""

    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        super().__init__(name, path)
        self.tree = tree

    def get_code(self, fullname: str) -> CodeType:
        del fullname
        return compile(self.tree, self.path, "exec")


class _Finder:
    """Finds the changed module in place of the file."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self.name, self.path, self.tree = name, path, tree

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        if name != self.name:
            return None
        loader = _Loader(name, str(self.path), self.tree)
        return importlib.util.spec_from_file_location(name, self.path, loader=loader)


def passes(module: str, tree: ast.Module, limit: int) -> bool:
    """Whether the tests of a module pass, with this tree in its place, in so many seconds."""
    child = os.fork()
    if child == 0:
        os._exit(_tested(module, tree, limit))
    _, status = os.waitpid(child, 0)
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0


def _tested(module: str, tree: ast.Module, limit: int) -> int:
    import pytest

    signal.alarm(limit)  # a mutant that hangs is noticed as well
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    name = module.removesuffix(".py").replace("/", ".")
    sys.meta_path.insert(0, _Finder(name, ROOT / module, tree))  # type: ignore[arg-type]
    flags = ["-x", "-q", "--no-header", "-p", "no:cacheprovider", "-m", "not slow"]
    return int(pytest.main([*flags, *(str(ROOT / path) for path in TESTS[module])]))


def tried(module: str, count: int | None, seed: int) -> tuple[int, list[Mutant]]:
    """How many mutants of a module were tried, and those that no test noticed."""
    source = (ROOT / module).read_text()
    started = time.monotonic()
    if not passes(module, ast.parse(source), 600):
        raise SystemExit(f"{module}: its tests fail as it is")
    limit = int(10 + 5 * (time.monotonic() - started))
    chosen = mutants(source)
    if count is not None and count < len(chosen):
        chosen = sorted(random.Random(f"{seed}:{module}").sample(chosen, count), key=lambda mutant: mutant.line)
    return len(chosen), [mutant for mutant in chosen if passes(module, mutant.tree, limit)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Try mutants and print the survivors."""
    command = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    command.add_argument("modules", nargs="*", metavar="MODULE", help="files (default: all that have tests here)")
    command.add_argument("--all", action="store_true", help="every mutant and not a sample")
    command.add_argument("--sample", type=int, default=20, metavar="N", help="mutants a module (default: 20)")
    command.add_argument("--seed", type=int, default=1)
    options = command.parse_args(arguments)
    for name in options.modules:
        if name not in TESTS:
            command.error(f"{name} is none of {', '.join(TESTS)}")
    os.chdir(ROOT)
    for heavy in ("numpy", "scipy.stats", "pytest", "hypothesis", "simplemma"):  # once, before the forks
        __import__(heavy)
    killed = total = 0
    for module in options.modules or TESTS:
        count, survivors = tried(module, None if options.all else options.sample, options.seed)
        print(f"{module}: {count - len(survivors)} of {count} mutants killed", flush=True)
        for survivor in survivors:
            print(f"    {module}:{survivor}", flush=True)
        killed, total = killed + count - len(survivors), total + count
    print(f"{killed} of {total} mutants killed")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
