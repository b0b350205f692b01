"""Putting a table right: amending and voiding actions, judged by playing the card anew."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import ReviewItem
from scorekeeper.scorecards.services.corrections import Target
from scorekeeper.scorecards.services.recording import ReasonNeeded, Unreadable
from scorekeeper.tables.services.correcting import correct_actions
from tests.scorekeeper.tables.conftest import BANK, Act, Deal, Look, throw

pytestmark = pytest.mark.django_db


def target(look: Look, card: UUID, number: int, *actions: object) -> Target:
    """The action of that number, to be voided or to become these."""
    noted = list(look(card).noted.values())[number - 1]
    return Target(noted.id, noted.seq, actions or None)  # type: ignore[arg-type]


@pytest.fixture
def card(deal: Deal, act: Act) -> UUID:
    """Ann threw 12, banked it and threw 5."""
    drawn = deal("Ann")
    for action in (throw(6, 6), BANK, throw(5)):
        act(drawn, action)
    return drawn


def test_an_amended_action_keeps_its_place_and_what_follows_is_played_anew(desk: Actor, card: UUID, look: Look) -> None:
    receipt = correct_actions(desk, uuid4(), card, [target(look, card, 1, throw(6, 5))], "it was an eleven")

    assert receipt.outcome == "recorded"
    assert [one.actions[0]["type"] for one in look(card).noted.values()] == ["throw", "bank", "throw"]
    assert look(card).state.seats[0].banked == 11


def test_the_last_action_is_undone(desk: Actor, card: UUID, look: Look) -> None:
    assert correct_actions(desk, uuid4(), card, [target(look, card, 3)], "undone").outcome == "recorded"
    assert look(card).state.seats[0].thrown == 0
    assert look(card).fold.played == 2


def test_several_are_voided_together_where_one_alone_would_leave_the_rest_impossible(
    desk: Actor, card: UUID, look: Look
) -> None:
    alone = correct_actions(desk, uuid4(), card, [target(look, card, 1)], "never thrown")
    together = correct_actions(desk, uuid4(), card, [target(look, card, n) for n in (1, 2)], "never thrown")

    assert alone.outcome == "refused"
    assert [(problem["rule"], problem["about"]) for problem in alone.problems] == [("PIG-2", "Action 2")]
    assert together.outcome == "recorded"
    assert look(card).state.seats[0].thrown == 5


def test_what_was_changed_since_it_was_looked_at_is_a_conflict(desk: Actor, card: UUID, look: Look) -> None:
    seen = target(look, card, 1, throw(6, 4))
    correct_actions(desk, uuid4(), card, [target(look, card, 1, throw(6, 5))], "first")

    receipt = correct_actions(desk, uuid4(), card, [seen], "second")

    assert receipt.outcome == "conflict"
    assert ReviewItem.objects.get().reason == "stale"
    assert look(card).state.seats[0].banked == 11


def test_a_correction_needs_a_reason(desk: Actor, card: UUID, look: Look) -> None:
    with pytest.raises(ReasonNeeded):
        correct_actions(desk, uuid4(), card, [target(look, card, 1)], "")


def test_a_correction_names_each_action_once_and_one_at_least(desk: Actor, card: UUID, look: Look) -> None:
    twice = [target(look, card, 1), target(look, card, 1)]

    for targets in ([], twice):
        with pytest.raises(Unreadable):
            correct_actions(desk, uuid4(), card, targets, "why")
