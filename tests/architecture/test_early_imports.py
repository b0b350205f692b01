"""Every process of a run first compiles its own share of the test modules that are collected."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.early_imports import list_modules


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("tests/test_one.py", "tests/deep/test_two.py", "tests/deep/helpers.py"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "modules"),
    [
        (["tests"], ["tests.deep.test_two", "tests.test_one"]),
        (["tests/deep", "tests"], ["tests.deep.test_two", "tests.test_one"]),
        (["tests/deep"], ["tests.deep.test_two"]),
        (["tests/test_one.py::test_it[a::b]"], ["tests.test_one"]),
        (["/elsewhere/test_three.py"], []),
    ],
)
def test_the_modules_of_folders_files_and_ids_are_listed_once(
    root: Path, arguments: list[str], modules: list[str]
) -> None:
    assert list_modules(root, arguments) == modules
