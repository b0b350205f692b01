"""The consequences of actions in Rogue."""

from __future__ import annotations

from games.rogue import GAME
from tests.games.consequence_texts import get_last_consequences
from tests.games.rogue.table import Log, by_seat, pass_without_points, turn


def describe(*parts: Log, seats: int = 2, **options: int) -> list[str]:
    return get_last_consequences(GAME.ruleset(options), seats, [action for part in parts for action in part])


def test_a_turn_that_goes_on_needs_no_words() -> None:
    assert describe(turn(0, "22456C 22C")) == []


def test_a_roll_that_scores_nothing_ends_the_turn() -> None:
    assert describe(turn(0, "22456C 22C", "346")) == [
        "Nothing scores and there is no rogue: the turn ends with 8 points. (ROGUE-3)"
    ]


def test_a_turn_that_is_ended_gives_its_points() -> None:
    assert describe(turn(0, "22456C 22C", "bank")) == ["The turn scores 8 points. (ROGUE-23)"]


def test_a_rogue_on_the_last_die_doubles_the_turn() -> None:
    assert describe(turn(0, "222335 22233", "C C")) == [
        "A rogue on the last die doubles the turn. (ROGUE-8)",
        "The turn scores 52 points. (ROGUE-23)",
    ]


def test_in_the_war_all_six_dice_earn_an_additional_turn() -> None:
    assert describe(turn(0, "222333 222333"), war_at=50) == [
        "The turn scores 50 points. (ROGUE-23)",
        "A player has 50 points: it is war for everyone. (ROGUE-12)",
        "It is war, and the turn used all six dice: Ann takes an additional turn. (ROGUE-12)",
    ]


def test_a_rogue_set_aside_by_itself_earns_none() -> None:
    assert describe(turn(0, "C23456 C", "22333 22333"), war_at=10)[-1] == (
        "A rogue was set aside by itself, so there is no additional turn. (ROGUE-12)"
    )


def test_rogues_in_a_row_are_counted_and_the_sixth_wins() -> None:
    rogues = ["C22345 C", "C2345 C", "C234 C", "C23 C", "C2 C"]
    assert describe(turn(0, *rogues[:2])) == ["Rogues in a row: 2 of 6. The sixth is rogue out. (ROGUE-24)"]
    assert describe(turn(0, *rogues, "C C")) == ["Rogue out: six rogues in a row. Ann has won. (ROGUE-24)"]


def test_the_last_round_is_called_and_then_won() -> None:
    assert describe(turn(0, "222345 222", "bank"), target=20)[-1] == (
        "A player has 20 points: this is the last round. (ROGUE-13)"
    )
    assert describe(turn(0, "222345 222", "bank"), pass_without_points(1), target=20)[-1] == (
        "The last round is over and Ann has the most points: Ann has won. (ROGUE-13)"
    )


def test_a_shared_lead_brings_one_more_round() -> None:
    twenty = ("222345 222", "bank")
    assert describe(turn(0, *twenty), turn(1, *twenty), target=20)[-1] == (
        "The lead is tied at the end of the round: everyone takes another turn. (ROGUE-14)"
    )


def test_leaving_the_table_needs_no_words() -> None:
    assert describe(by_seat(0, {"type": "retire"}), seats=3) == []
