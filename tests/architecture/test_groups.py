"""Tests with browsers are recognised by what a run collects; such a run gets one process more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.groups import includes_browsers


@pytest.mark.parametrize(
    ("arguments", "included"),
    [
        (["."], True),
        (["tests"], True),
        (["tests/games", "tests/browser/phone"], True),
        (["tests/browser/test_walls.py::test_it[a::b]"], True),
        (["tests/games", "tests/scorekeeper"], False),
        (["tests/browser_like"], False),
    ],
)
def test_a_run_includes_browsers_if_it_collects_their_folder_or_anything_in_it(
    tmp_path: Path, arguments: list[str], included: bool
) -> None:
    assert includes_browsers(tmp_path, arguments) is included
