"""Closing a contest in which cards may be bought after the last turn: nobody's card stays open (POKER-6)."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from scorekeeper.common.game_adapter import get_game
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.missed_action import get_missed_action
from scorekeeper.scorecards.selectors.cards import fold_bike_cards
from scorekeeper.standings.services.closure import reopen_contest
from tests.scorekeeper.conftest import Ride, change_game

CARDS = ("KS", "KH", "9D", "4C", "2S")


@pytest.fixture
def contest(contest: Contest) -> Contest:
    return change_game(contest, "poker-run", extra=1)


def record(add_turn: Any, number: int, slots: tuple[int, ...]) -> None:
    for slot in slots:
        add_turn(number, slot, [{"type": "draw", "cards": [CARDS[slot - 1]]}])


def list_actions(ride: Ride) -> dict[str, list[list[str]]]:
    """The types of the actions of each turn, by bike; what is not allowed fails."""
    rules = get_contest_rules(ride.contest.pk)
    found = {}
    for card in fold_bike_cards(rules):
        assert not card.fold.invalid_turns
        found[str(card.bike.number)] = [
            [str(action["type"]) for action in turn.actions] for turn in card.list_played_turns()
        ]
    return found


def list_statuses(ride: Ride) -> set[str]:
    rules = get_contest_rules(ride.contest.pk)
    return {rules.ruleset.game.standing(card.state, 0).status for card in fold_bike_cards(rules)}


def test_closing_records_that_no_more_cards_are_bought(ride: Ride, add_turn, close) -> None:
    record(add_turn, 1, (1, 2, 3, 4, 5))
    record(add_turn, 2, (1, 2, 3, 4))
    record(add_turn, 3, (1, 3, 4, 5))

    close()

    assert list_actions(ride) == {
        "1": [["draw"], ["draw"], ["draw"], ["draw"], ["draw", "stand"]],
        "2": [["draw"], ["draw"], ["draw"], ["draw"], ["forfeit", "stand"]],
        "3": [["draw"], ["forfeit"], ["draw"], ["draw"], ["draw", "stand"]],
    }
    assert list_statuses(ride) == {"done"}


def test_missed_turns_are_taken_back_although_their_cards_were_closed(ride: Ride, add_turn, close, desk: Actor) -> None:
    record(add_turn, 1, (1, 2, 3, 4, 5))
    record(add_turn, 2, (1, 2, 3, 4))
    record(add_turn, 3, (1, 3, 4, 5))
    closing = close()

    reopen_contest(desk, uuid4(), ride.contest.pk, "not over yet", closing.operation_id)

    assert list_actions(ride) == {
        "1": [["draw"], ["draw"], ["draw"], ["draw"], ["draw", "stand"]],
        "2": [["draw"], ["draw"], ["draw"], ["draw"]],
        "3": [["draw"], ["draw"], ["draw"], ["draw"]],
    }


def test_a_missed_turn_has_a_name_even_where_cards_are_for_sale() -> None:
    assert get_missed_action(get_game("poker-run").ruleset({"turns": 1, "extra": 1})) == "forfeit"
