from __future__ import annotations

import time
from pathlib import Path

import pytest

from data.problems import InputError
from training.yaml_files import MOST_BYTES, compose, entries, is_file, loaded, shown

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join(f'*{before}' for _ in range(9))}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB, "aliases such as *name can't be used here"),
        ("a: &x 1\nb: *x\n", "aliases"),
        ("a: {<<: {b: 1}}\n", None),  # a merge without an alias is a key like others
        ("a: !!timestamp x\n", "tags such as !!int can't be used"),
        ("a: !!binary x\n", "tags"),
        ("a: !!python/name:os.system\n", "tags"),
        ("[" * 5000, "more values, levels or documents"),
        ("a: " + "[" * 30 + "]" * 30, "more values, levels or documents"),
        ("- 1\n" * 30_000, "more values, levels or documents"),
        ("--- 1\n--- 2\n", "more values, levels or documents"),
        ("x" * (MOST_BYTES + 1), "is too long"),
        ("a: [1\n", "is not YAML"),
        ("a: \x00\n", "is not YAML"),
        ("a: \ud800\n", "is not YAML"),
        ("\t- a", "is not YAML"),
        ("%YAML 9.9\n--- a", "is not YAML"),
    ],
    ids=range(16),
)
def test_hostile_texts_are_refused_at_once(text: str, message: str | None) -> None:
    started = time.process_time()
    if message is None:
        compose(text)
    else:
        with pytest.raises(InputError) as error:
            compose(text, Path("mine.yaml"))
        assert message in str(error.value) and len(str(error.value)) < 400 and "\n" not in str(error.value)
    assert time.process_time() - started < 5


@pytest.mark.parametrize("value", ["2001-13-45", "0x", "1" * 5000, "0b", "190:99:99", "2001-02-30 25:61:61"])
def test_plain_values_are_read_or_refused(value: str) -> None:
    try:
        loaded(compose(value))
    except InputError as error:
        assert "the value can't be read" in str(error)


def test_a_key_stands_once_and_is_a_word() -> None:
    path = Path("mine.yaml")
    with pytest.raises(InputError, match=r"mine.yaml:3: the key 'a' is there twice"):
        list(entries(compose("a: 1\nb: 2\na: 3\n"), path))
    with pytest.raises(InputError, match=r"mine.yaml:1: a key was expected"):
        list(entries(compose("? [a, b]\n: 1\n"), path))
    with pytest.raises(InputError, match="keys and values were expected"):
        list(entries(compose("- a"), path))


def test_values_are_shown_short_and_printable() -> None:
    assert shown("x" * 1000).endswith("x'") and len(shown("x" * 1000)) < 200
    assert shown(["y" * 1000] * 1000).endswith("...") and len(shown(["y" * 1000] * 1000)) < 200
    assert shown(10**5000) == "an enormous number" and shown(7) == "7"
    assert "\x1b" not in shown("\x1b[31mred")


def test_what_can_t_be_a_name_is_no_file(tmp_path: Path) -> None:
    assert not is_file(Path("x" * 300)) and not is_file(Path("a\0b")) and not is_file(tmp_path)
