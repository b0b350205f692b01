"""The parts of the full-length runs cover every test that they should, once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings

from scorekeeper.common.game_adapter import list_games
from tests.parts import GAMES, MACHINES, PARTS, main
from tests.programs import ROOT


def list_files(arguments: tuple[str, ...]) -> set[Path]:
    """Return the files of tests that pytest takes from the paths among its arguments."""
    paths = [ROOT / each for each in arguments if each.startswith("tests/")]
    left_out = [ROOT / each.removeprefix("--ignore=") for each in arguments if each.startswith("--ignore=")]
    assert all(path.exists() for path in [*paths, *left_out])
    files = {file for path in paths for file in ([path] if path.is_file() else path.rglob("test_*.py"))}
    return {file for file in files if not any(file == path or path in file.parents for path in left_out)}


def test_each_file_of_the_browser_suite_is_in_one_part_of_the_security_run() -> None:
    parts = [list_files(tuple(arguments)) for arguments in PARTS["security"].values()]
    counted = Counter(file for files in parts for file in files if (ROOT / "tests/browser") in file.parents)

    assert counted.keys() == set((ROOT / "tests/browser").rglob("test_*.py"))
    assert set(counted.values()) == {1}


def test_each_security_test_of_the_scorekeeper_is_in_a_part() -> None:
    marked = {file for file in (ROOT / "tests/scorekeeper").rglob("test_*.py") if "mark.security" in file.read_text()}
    records = list_files(tuple(PARTS["security"]["records"]))

    assert marked - records == {ROOT / MACHINES}
    # Its tests are for all games, and each part takes one.
    assert set(GAMES) == list_games().keys()


def test_the_fault_run_has_every_folder() -> None:
    files = {file for arguments in PARTS["faults"].values() for file in list_files(tuple(arguments))}

    for folder in ("architecture", "faults", "games", "scorekeeper", "tools", "browser/phone"):
        assert set((ROOT / "tests" / folder).rglob("test_*.py")) <= files


def test_an_unknown_part_is_refused_and_the_known_ones_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main("security", "injections", "nothing") == 2

    assert "There is no part nothing. The parts of security: machine-rock-yahtzee" in capsys.readouterr().err


def test_the_settings_are_those_of_tests() -> None:
    assert settings.SETTINGS_MODULE == "tests.settings"


@pytest.mark.slow
def test_parts_have_the_settings_of_tests() -> None:
    """Running parts imports this project, which names the product's settings in the environment."""
    program = (
        "from tests import parts;"
        "part = ('tests/architecture/test_parts.py', '-k', 'settings_are_those');"
        "parts.PARTS = {'security': {'settings': part}};"
        "raise SystemExit(parts.main('security'))"
    )

    shell = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}

    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=shell, capture_output=True, timeout=120)

    assert done.returncode == 0, done.stdout.decode()


@pytest.mark.slow
def test_a_part_that_fails_does_not_stop_the_next_ones_and_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    program = (
        "import sys; from tests import parts;"
        "parts.PARTS = {'security': {'one': ('tests/no_such_file.py',), 'two': ('--version',)}};"
        "sys.exit(parts.main('security'))"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=120
    )

    assert done.returncode == 1
    assert "PART=two" in done.stdout
    assert "Failed: one\n" in done.stdout
