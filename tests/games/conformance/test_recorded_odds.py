"""Recorded questions about odds have their recorded answers, and every game has the required questions."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import pytest

from games.__main__ import main
from games.core.odds_question import answer
from games.core.registry import find_games
from tests.faults.scale import FULL
from tests.games.recorded_odds import RecordedOdds, is_same, list_files, list_recorded_odds

ROOT = Path(__file__).parents[3]
FILES = list_files()
RECORDED = [one for path in FILES for one in list_recorded_odds(path)]
GIVEN_UP = [one.name for one in RECORDED if one.answer.get("why") == "seconds" and "seconds" in one.question]
NO_CHOICES = {"retire", "forfeit", "paper", "result", "cut", "start_heat"}  # ways to record, or settled by lot


def write_lines(recorded: list[RecordedOdds]) -> str:
    return "".join(f"{json.dumps(one.question)}\n" for one in recorded)


@cache
def answer_file(path: Path) -> Mapping[str, Any]:
    """Return what the command prints about the questions of a file, by what they show.

    In a short run, only the first question of all that are given up after the second that they allow really is.
    """
    everything = list(list_recorded_odds(path))
    given_up = [] if FULL else [one for one in everything if one.name in GIVEN_UP[1:]]
    recorded = [one for one in everything if one not in given_up]
    with NamedTemporaryFile("w", encoding="utf-8") as lines, redirect_stdout(StringIO()) as output:
        lines.write(write_lines(recorded))
        lines.flush()
        assert main(["odds", "--jsonl", lines.name]) == 0
    printed = output.getvalue().splitlines()
    found = {one.about: json.loads(line) for one, line in zip(recorded, printed, strict=True)}
    return found | {one.about: answer(one.question, find_games(), most_seconds=0.05) for one in given_up}


@pytest.mark.parametrize("one", RECORDED, ids=lambda one: one.name)
@pytest.mark.slow
def test_a_recorded_question_has_its_answer(one: RecordedOdds) -> None:
    found = answer_file(one.path)[one.about]

    assert is_same(found, one.answer), found


# The program is one for all games, and the command has answered every question above.
@pytest.mark.parametrize("path", FILES if FULL else FILES[:1], ids=lambda path: path.parent.name)
def test_the_program_prints_the_recorded_answers_line_by_line(path: Path) -> None:
    recorded = list(list_recorded_odds(path))
    command = [sys.executable, "-S", "-E", "-s", "-m", "games", "odds", "--jsonl", "-"]
    done = subprocess.run(command, input=write_lines(recorded), capture_output=True, text=True, cwd=ROOT, check=True)

    printed = list(map(json.loads, done.stdout.splitlines()))
    assert len(printed) == len(recorded)
    for one, found in zip(recorded, printed, strict=True):
        assert is_same(found, one.answer), one.about


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_every_game_has_a_question_for_each_kind_of_answer(path: Path) -> None:
    recorded = list(list_recorded_odds(path))
    answers = [one.answer for one in recorded]

    assert {"choice", "done"} <= {found.get("node") for found in answers}
    assert {"malformed", None} < {found.get("code") for found in answers}
    assert any(not found["ok"] and found["rule"] for found in answers), "an illegal transcript"
    assert any(set(one.question) == {"transcript"} for one in recorded if one.answer["ok"]), "a question without more"
    assert len({one.about for one in recorded}) == len(recorded)
    given = {option["action"]["type"] for found in answers if found["ok"] for option in found["options"]}
    assert not given & NO_CHOICES


def test_every_kind_of_moment_is_recorded() -> None:
    assert {one.answer.get("node") for one in RECORDED} > {"choice", "chance", "waiting", "between", "done"}


def test_every_reason_for_having_no_figures_is_recorded() -> None:
    assert {one.answer["why"] for one in RECORDED if "why" in one.answer} == {"seconds", "unbounded", "not_known"}


@pytest.mark.parametrize(
    ("found", "same"), [(1.0 + 1e-10, True), (1.0 + 1e-8, False), (1, False), (True, False), ("1", False)]
)
def test_only_rounding_makes_no_difference(found: object, same: bool) -> None:
    assert is_same({"value": [found]}, {"value": [1.0]}) is same
    assert not is_same({"value": found}, {"values": found})
