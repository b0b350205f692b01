"""Questions about odds: what is malformed in them, and what the answers of all games have in common."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.odds import Choice, Odds, Wanted, find_best
from games.core.odds_question import answer, answer_bytes
from games.core.time_limit import TimeLimit
from games.core.transcript import score
from tests.games.all_games import GAMES

CARD: dict[str, Any] = {"ruleset": "rock-yahtzee", "options": {"turns": 1}, "seats": ["12", "14"]}
RACE: dict[str, Any] = {"ruleset": "drag-rage", "seats": ["12", "14"]}
TOY = next(key for key, game in GAMES.items() if game.odds_measure is None)


def ask(**question: Any) -> dict[str, Any]:
    return answer({"transcript": CARD, "seat": 0} | question, GAMES)


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ({"chance": 1}, "chance"),
        ({"seat": True}, "seat"),
        ({"seat": "0"}, "seat"),
        ({"seat": 2}, "seat"),
        ({"seat": -1}, "seat"),
        ({"seat": None}, "seat"),
        ({"targets": 150}, "targets"),
        ({"targets": [150, 1.5]}, "targets[1]"),
        ({"targets": [True]}, "targets[0]"),
        ({"targets": [150] * 21}, "targets"),
        ({"distribution": 1}, "distribution"),
        ({"seconds": 0}, "seconds"),
        ({"seconds": 601}, "seconds"),
        ({"seconds": 1.0}, "seconds"),
        ({"transcript": []}, "transcript"),
        ({"transcript": CARD | {"ruleset": "whist"}}, "transcript.ruleset"),
        ({"transcript": CARD | {"seats": []}}, "transcript.seats"),
        ({"transcript": RACE, "targets": [3]}, "targets"),
    ],
)
def test_a_question_that_cannot_be_read_names_its_field(question: dict[str, Any], field: str) -> None:
    found = ask(**question)

    assert (found["ok"], found["code"], found["index"], found["field"]) == (False, "malformed", None, field)


def test_a_question_needs_a_transcript_and_is_an_object() -> None:
    assert answer({"seat": 0}, GAMES)["field"] == "transcript"
    assert answer([], GAMES)["field"] is None
    assert answer_bytes(b"{", GAMES)["field"] is None
    assert answer_bytes(b"\xff", GAMES)["code"] == "malformed"


def test_whose_odds_must_be_said_where_the_game_does_not_say_who_acts() -> None:
    assert answer({"transcript": CARD}, GAMES)["field"] == "seat"
    assert answer({"transcript": CARD | {"seats": ["12"]}}, GAMES)["seat"] == 0


def test_the_question_comes_before_its_transcript() -> None:
    broken = CARD | {"actions": [{"seat": 0, "type": "fly"}]}

    assert ask(transcript=broken, seconds=0)["field"] == "seconds"
    assert ask(transcript=broken, seat=2)["field"] == "seat"


def test_a_malformed_action_is_named_as_score_names_it() -> None:
    broken = CARD | {"actions": [{"seat": 1, "type": "forfeit"}, {"seat": 0, "type": "roll", "dice": [7]}]}
    expected = score(broken, GAMES)

    assert ask(transcript=broken) == expected | {"field": f"transcript.{expected['field']}"}


def test_an_illegal_action_is_answered_exactly_as_by_score() -> None:
    broken = CARD | {"actions": [{"seat": 0, "type": "score", "box": "chance"}]}

    assert ask(transcript=broken) == score(broken, GAMES)


def test_a_game_without_odds_says_so() -> None:
    low = GAMES[TOY].seat_limits[0]
    transcript = {"ruleset": TOY, "seats": [str(seat) for seat in range(low)]}
    found = answer({"transcript": transcript, "seat": 0}, GAMES)

    assert (found["ok"], found["method"], found["why"]) == (True, "none", "not_known")
    assert (found["value"], found["options"], found["best"]) == (None, [], [])


def test_targets_and_distribution_are_there_only_if_they_were_asked_for() -> None:
    assert not {"targets", "distribution", "why"} & ask().keys()
    assert not {"reach", "reach_by_value"} & ask()["options"][0].keys()
    both = ask(targets=[20], distribution=True)
    assert {"targets", "distribution"} <= both.keys()
    assert {"reach", "reach_by_value"} <= both["options"][0].keys()


def test_choices_that_differ_by_rounding_alone_are_equally_good() -> None:
    high = Odds("choice", value=2, choices=tuple(Choice({}, value) for value in (2 - 1e-10, 2, 1)))
    low = Odds("choice", aim="low", value=1, choices=high.choices)

    assert high.best == (0, 1)
    assert low.best == (2,)
    assert low.losses == pytest.approx((1, 1, 0))
    assert find_best([1, 2 - 1e-10, 2]) == 1
    assert find_best([2, 1 + 1e-10, 1], "low") == 1


def test_the_limit_never_changes_a_figure() -> None:
    state = GAMES["rock-yahtzee"].start(GAMES["rock-yahtzee"].ruleset({"turns": 2}), 1)
    game = GAMES["rock-yahtzee"]

    found = [game.odds(state, 0, Wanted((20,), True, TimeLimit(seconds))) for seconds in (5, 600)]

    assert found[0] == found[1]
