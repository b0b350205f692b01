"""Odds on a phone: the same figures as on the command line, and no answer that takes too long."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.core.odds_question import answer
from scorekeeper.common.game_adapter import list_games
from scorekeeper.offline import phone, phone_odds
from tests.faults.scale import FULL
from tests.games.drag_rage.table import move, start
from tests.scorekeeper.offline.odds_questions import QUESTIONS, ask_card, ask_heat, ask_race, ask_table
from tests.tools.engine_process import Engine

SAME = 1e-9
# Each would take an engine in Node 5 s or more.
LONG_QUESTIONS = {
    "a card of eight turns": ask_card(options={"turns": 8}),
    "all totals of a race": ask_race(targets=[500], options={"rerolls": 3}),
    "a heat, two moves old": ask_heat(start(), move(0, 5), move(1, 6)),
}


def is_near(found: Any) -> Any:
    """Return what compares as equal to the same data with figures that differ by less than `SAME`."""
    if isinstance(found, dict):
        return {name: is_near(value) for name, value in found.items()}
    if isinstance(found, list):
        return [is_near(value) for value in found]
    return pytest.approx(found, abs=SAME, rel=0) if isinstance(found, float) else found


@pytest.mark.node
@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_every_figure_on_a_phone_is_that_of_the_command_line(engine: Engine, question: dict[str, Any]) -> None:
    expected = answer(question, list_games())
    assert expected["ok"], expected

    assert json.loads(engine.call("odds", json.dumps(question))) == is_near(expected)


@pytest.mark.node
# In a short run the game with the longest steps; `tests/games` interrupts all three.
@pytest.mark.parametrize("name", LONG_QUESTIONS if FULL else ["all totals of a race"])
def test_a_phone_gives_up_when_the_time_is_up(engine: Engine, name: str) -> None:
    found = json.loads(engine.call("odds", json.dumps({**LONG_QUESTIONS[name], "seconds": 1})))

    assert (found["method"], found["why"], found["value"]) == ("none", "seconds", None)
    assert found["options"]
    assert 1000 < engine.last_ms < 4000  # the clock is looked at often enough


@pytest.mark.node
@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"seat": 0}'])
def test_a_question_that_cannot_be_read_has_the_same_answer_on_a_phone(engine: Engine, text: str) -> None:
    assert json.loads(engine.call("odds", text)) == json.loads(phone.odds(text))
    assert json.loads(phone.odds(text))["code"] == "malformed"


def test_pages_on_a_phone_get_the_figures_without_the_chance_to_win() -> None:
    question = ask_table(options={"target": 60, "war_at": 50})
    expected = answer(question, list_games())
    assert expected.pop("win")
    assert all(option.pop("win") for option in expected["options"])

    assert phone_odds.answer_question(question) == expected


def test_pages_on_a_phone_wait_no_longer_than_it_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone_odds, "MOST_SECONDS", 0)

    found = phone_odds.answer_question(ask_card(options={"turns": 7}))

    assert (found["method"], found["why"]) == ("none", "seconds")
    assert found["options"] == [{"action": {"type": "roll"}}]
