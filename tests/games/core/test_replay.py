"""Replaying logs: how far they can be played, and which turns of a card are invalid."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.problems import Malformed
from games.core.replay import TurnFold, fold_turns, replay
from games.core.transcript import score
from games.rock_yahtzee import GAME
from tests.games.all_games import GAMES

ROLL = {"type": "roll", "dice": [1, 2, 3, 4, 6]}
RESULT = {"type": "result", "dice": [6, 6, 6, 6, 6]}
FORFEIT = {"type": "forfeit"}
RETIRE = {"type": "retire"}


def to(box: str) -> dict[str, Any]:
    return {"type": "score", "box": box}


def fold(*turns: list[dict[str, Any]], **options: Any) -> TurnFold:
    ruleset = GAME.ruleset(options)
    return fold_turns(ruleset, [[ruleset.read_action(data, 1) for data in turn] for turn in turns])


def total(folded: TurnFold) -> int:
    return GAME.standing(folded.state, 0).total


def test_a_replay_goes_as_far_as_it_can() -> None:
    ruleset = GAME.ruleset()
    played = replay(ruleset, 1, [ROLL, to("chance"), to("aces"), ROLL])
    assert (played.applied, GAME.standing(played.state, 0).total) == (2, 16)
    assert isinstance(played.failure, tuple)
    assert [problem.rule for problem in played.failure] == ["ROCK-6"]
    played = replay(ruleset, 1, [ROLL, {"type": "stop"}])
    assert played.applied == 1
    assert isinstance(played.failure, Malformed)
    assert played.failure.field == "actions[1].type"


def test_turns_fold_in_the_order_given() -> None:
    folded = fold([ROLL, to("chance")], [FORFEIT], [RESULT, to("sixes")])
    assert folded.failures == ()
    assert total(folded) == 46
    assert [turn.line for turn in GAME.turns(folded.state, 0)] == ["chance", None, "sixes"]


def test_an_invalid_turn_is_skipped_as_a_whole_and_reported() -> None:
    folded = fold([RESULT, to("sixes")], [ROLL, to("sixes")], [RESULT, to("chance")])
    (failure,) = folded.failures
    assert (failure.turn, failure.action, failure.problems[0].rule) == (1, 1, "ROCK-16")
    assert total(folded) == 60
    assert folded.state.seats[0].dice == ()


def test_several_invalid_turns_are_all_reported() -> None:
    folded = fold([to("chance")], [FORFEIT], [ROLL, FORFEIT])
    assert [(failure.turn, failure.action) for failure in folded.failures] == [(0, 0), (2, 1)]


@pytest.mark.parametrize(
    "turn", [[], [ROLL], [ROLL, to("chance"), FORFEIT], [FORFEIT, FORFEIT], [RETIRE, FORFEIT]], ids=str
)
def test_less_or_more_than_one_whole_turn_is_invalid(turn: list[dict[str, Any]]) -> None:
    folded = fold(turn, [RESULT, to("sixes")])
    (failure,) = folded.failures
    assert (failure.turn, failure.problems[0].code) == (0, "not_one_turn")
    assert total(folded) == 30


def test_retiring_is_a_turn_by_itself_or_after_the_rolls_of_an_unfinished_turn() -> None:
    """TABLE-3"""
    for before in ([], [ROLL]):
        folded = fold([FORFEIT], [*before, RETIRE], [FORFEIT])
        assert [(failure.turn, failure.problems[0].rule) for failure in folded.failures] == [(2, "TABLE-2")]
        assert GAME.standing(folded.state, 0).status == "retired"


def test_turns_after_the_last_are_invalid() -> None:
    folded = fold([FORFEIT], [RESULT, to("sixes")], turns=1)
    assert [(failure.turn, failure.problems[0].rule) for failure in folded.failures] == [(1, "TABLE-2")]


HEAD = {"ruleset": "rock-yahtzee", "seats": ["12"]}


@pytest.mark.parametrize(
    ("transcript", "field"),
    [
        ([], None),
        ({}, "ruleset"),
        ({"ruleset": "rock-yahtzee"}, "seats"),
        (HEAD | {"ruleset": "rock"}, "ruleset"),
        (HEAD | {"ruleset": ["rock-yahtzee"]}, "ruleset"),
        (HEAD | {"seats": []}, "seats"),
        (HEAD | {"seats": "12"}, "seats"),
        (HEAD | {"seats": [12]}, "seats[0]"),
        (HEAD | {"actions": None}, "actions"),
        (HEAD | {"actions": {}}, "actions"),
        (HEAD | {"options": None}, "options"),
        (HEAD | {"options": {"turns": 0}, "actions": [{"type": "stop"}]}, "options.turns"),
        (HEAD | {"players": []}, "players"),
    ],
    ids=str,
)
def test_an_error_outside_the_actions_is_reported_first_and_without_an_index(
    transcript: Any, field: str | None
) -> None:
    answer = score(transcript, GAMES)
    assert (answer["code"], answer["index"], answer["field"]) == ("malformed", None, field)


def test_an_illegal_action_is_reported_before_a_malformed_one_that_comes_later() -> None:
    answer = score(HEAD | {"actions": [FORFEIT, to("chance"), {"type": "stop"}]}, GAMES)
    assert (answer["index"], answer["rule"], answer["scores"]) == (1, "ROCK-6", [0])


def test_of_one_action_malformed_is_reported_before_illegal() -> None:
    answer = score(HEAD | {"actions": [FORFEIT] * 5 + [{"type": "score", "box": "ones"}]}, GAMES)
    assert (answer["index"], answer["code"], answer["field"]) == (5, "malformed", "actions[5].box")


def test_the_seat_is_optional_if_there_is_only_one() -> None:
    assert score(HEAD | {"actions": [FORFEIT]}, GAMES)["ok"]
    assert score(HEAD | {"actions": [{"seat": 0, **FORFEIT}]}, GAMES)["ok"]
    two = {"ruleset": "rock-yahtzee", "seats": ["12", "7"]}
    assert score(two | {"actions": [FORFEIT]}, GAMES)["field"] == "actions[0].seat"
    for seat in (2, -1, True, "0", 0.0, None):
        assert score(two | {"actions": [{"seat": seat, **FORFEIT}]}, GAMES)["field"] == "actions[0].seat"
