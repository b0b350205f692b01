"""`manage.py new_game`, in a copy of the project: the new game can be played, and passes the tests of every game.

The toy itself is a race of pigs, so "Pig" shows that no name of the new game clashes with one of the toy's. Ship,
Captain and Crew is filled in, as somebody would who has only the guide: its files in `ship_captain_and_crew/` replace
those of the toy, with odds, a handout and an example. Its source is a text beside them.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings
from pytest_django import Settings

from tests.programs import ROOT, TIMEOUT_SECONDS, make_environment

pytestmark = pytest.mark.program

PARTS = ("config", "games", "scorekeeper", "static", "templates", "tests", "tools", "manage.py", "pyproject.toml")


GAME_TESTS = ROOT / "tests" / "games"
MADE = {"Ten Thousand!": "ten_thousand", "Pig": "pig", "Ship, Captain and Crew": "ship_captain_and_crew"}
FILLED_IN = "ship_captain_and_crew"
FILES = Path(__file__).with_name(FILLED_IN)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which games were created, one of which is filled in."""
    copy = tmp_path_factory.mktemp("project")
    for part in PARTS:
        if (ROOT / part).is_dir():
            # Including Python's compiled files, which are up to date.
            shutil.copytree(ROOT / part, copy / part)
        else:
            shutil.copy(ROOT / part, copy)
    first, *others = MADE
    made = run(copy, "manage.py", "new_game", first)
    assert made.returncode == 0, made.stderr
    with override_settings(BASE_DIR=copy):
        for name in others:
            call_command("new_game", name)
    fill_in(copy)
    return copy


def fill_in(project: Path) -> None:
    """Replace the files of a new game by those of Ship, Captain and Crew. Python files are kept as texts."""
    for part, folder in (("game", project / "games" / FILLED_IN), ("tests", project / "tests" / "games" / FILLED_IN)):
        shutil.rmtree(folder)
        for source in (FILES / part).rglob("*"):
            target = folder / str(source.relative_to(FILES / part)).removesuffix(".txt")
            if source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = make_environment(project / "data", PYTHONPATH=str(project))
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, timeout=4 * TIMEOUT_SECONDS
    )


def test_the_new_games_pass_the_tests_of_every_game(project: Path) -> None:
    chosen = "thousand or pig and not pig-race or ship"
    own = {f"tests/games/{folder}" for folder in MADE.values()}
    of_every_game = {"tests/games/conformance", *(f"tests/games/{path.name}" for path in GAME_TESTS.glob("test_*.py"))}
    done = run(project, "-m", "pytest", *sorted(own | of_every_game), "-k", chosen, "-p", "no:cacheprovider")

    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_the_new_game_passes_the_style_checks(project: Path) -> None:
    folders = [f"{home}/{folder}" for folder in MADE.values() for home in ("games", "tests/games")]

    for tool in (["ruff", "check"], ["ruff", "format", "--check"]):
        done = run(project, "-m", *tool, *folders)
        assert done.returncode == 0, done.stdout


def test_nothing_of_the_toy_is_left_in_it(project: Path) -> None:
    files = [*(project / "games/ten_thousand").rglob("*"), *(project / "tests/games/ten_thousand").rglob("*")]
    texts = [path.read_text() for path in files if path.is_file() and "__pycache__" not in path.parts]

    assert texts
    for word in ("pig-race", "PigRace", "Pig race", "PIG-", "games.toy"):
        assert not any(word in text for text in texts), word


def test_the_new_game_scores_a_transcript(project: Path) -> None:
    transcript = {"ruleset": "ten-thousand", "seats": ["Ann"], "actions": [{"type": "throw", "dice": [6, 6]}]}
    (project / "game.json").write_text(json.dumps(transcript))

    done = run(project, "-m", "games", "score", "game.json")

    assert json.loads(done.stdout)["scores"] == [1]


def answer(project: Path, command: str, data: object) -> dict[str, Any]:
    (project / "question.json").write_text(json.dumps(data))
    found: dict[str, Any] = json.loads(run(project, "-m", "games", command, "question.json").stdout)
    return found


def test_the_game_that_is_filled_in_is_played_to_the_end_with_its_odds(project: Path) -> None:
    """Figures by hand: a cargo of 11 is kept, since two dice are worth 7; one of 4 is not, with rolls left."""
    transcript: dict[str, Any] = {"ruleset": "ship-captain-and-crew", "options": {"rounds": 1}, "seats": ["Ann"]}
    actions: list[dict[str, Any]] = []
    expected = [
        ("chance", [{"type": "roll"}], [0]),
        ("choice", [{"type": "stop"}, {"type": "roll"}], [1]),
        ("choice", [{"type": "stop"}, {"type": "roll"}], [0]),
    ]
    played: list[dict[str, Any]] = [
        {"type": "roll", "dice": [6, 5, 4, 2, 2]},
        {"type": "roll", "dice": [6, 5]},
        {"type": "stop"},
    ]
    for action, (node, choices, best) in zip(played, expected, strict=True):
        odds = answer(project, "odds", {"transcript": {**transcript, "actions": actions}})
        assert (odds["node"], [option["action"] for option in odds["options"]], odds["best"]) == (node, choices, best)
        actions.append(action)
    done = answer(project, "odds", {"transcript": {**transcript, "actions": actions}})
    assert (done["node"], done["value"]) == ("done", 11.0)
    scored = answer(project, "score", {**transcript, "actions": actions})
    assert (scored["finished"], scored["scores"], scored["winners"]) == (True, [11], [0])


def test_the_game_that_is_filled_in_can_be_chosen_with_its_rules_in_words(project: Path) -> None:
    code = """
from scorekeeper.common.game_adapter import get_game
from scorekeeper.events.rules_preview import make_rules_preview
preview = make_rules_preview(get_game("ship-captain-and-crew").ruleset({"rounds": 2}))
print(preview.sentences[-1], [(line.label, line.example) for line in preview.lines])
"""
    done = run(project, "manage.py", "shell", "-v", "0", "-c", code)
    assert done.stdout.strip().endswith(
        "The highest total of 2 rounds wins. [('Aboard in this turn', 0), ('Turns', 2), ('Total', 16)]"
    ), done.stderr


def test_a_name_that_is_taken_is_explained(project: Path, settings: Settings) -> None:
    settings.BASE_DIR = project

    with pytest.raises(CommandError, match=r"A game called “Ten Thousand!” already exists\."):
        call_command("new_game", "Ten Thousand!")


@pytest.mark.parametrize(
    ("name", "message"),
    [("7 up", "Start with a letter"), ("!", "Start with"), ("Class", "Start with"), ('The "Pig"', "quotation marks")],
)
def test_an_unusable_name_is_explained(project: Path, settings: Settings, name: str, message: str) -> None:
    settings.BASE_DIR = project

    with pytest.raises(CommandError, match=message):
        call_command("new_game", name)
