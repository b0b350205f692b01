"""`manage.py new_game`, in a copy of the project: what it makes plays and passes the tests of every game at once."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import PATIENCE, ROOT, environment_with

PARTS = ("config", "games", "scorekeeper", "static", "templates", "tests", "manage.py", "pyproject.toml")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which a game called Snake Eyes was made."""
    copy = tmp_path_factory.mktemp("project")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / part, copy)
    made = run(copy, "manage.py", "new_game", "Snake Eyes")
    assert made.returncode == 0, made.stderr
    return copy


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = environment_with(project / "data", PYTHONPATH=str(project))
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, timeout=4 * PATIENCE)


def test_the_new_game_passes_the_tests_of_every_game(project: Path) -> None:
    done = run(project, "-m", "pytest", "tests/games", "-k", "snake", "-p", "no:cacheprovider")

    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_the_new_game_is_written_as_the_others_are(project: Path) -> None:
    folders = ["games/snake_eyes", "tests/games/snake_eyes"]

    for tool in (["ruff", "check"], ["ruff", "format", "--check"]):
        done = run(project, "-m", *tool, *folders)
        assert done.returncode == 0, done.stdout


def test_nothing_of_the_toy_is_left_in_it(project: Path) -> None:
    files = [*(project / "games/snake_eyes").rglob("*"), *(project / "tests/games/snake_eyes").rglob("*")]
    texts = [path.read_text() for path in files if path.is_file() and "__pycache__" not in path.parts]

    assert texts
    for word in ("pig-race", "PigRace", "Pig race", "PIG-", "games.toy"):
        assert not any(word in text for text in texts), word


def test_the_new_game_scores_a_transcript(project: Path) -> None:
    transcript = {"ruleset": "snake-eyes", "seats": ["Ann"], "actions": [{"type": "throw", "dice": [6, 6]}]}
    (project / "game.json").write_text(json.dumps(transcript))

    done = run(project, "-m", "games", "score", "game.json")

    assert json.loads(done.stdout)["scores"] == [1]


@pytest.mark.parametrize(
    ("name", "message"),
    [("Snake Eyes", "There is a game called"), ("7 up", "Begin with a letter"), ("!", "Begin with")],
)
def test_a_name_that_will_not_do_is_explained(project: Path, name: str, message: str) -> None:
    refused = run(project, "manage.py", "new_game", name)

    assert refused.returncode == 1
    assert message in refused.stderr
    assert "Traceback" not in refused.stderr
