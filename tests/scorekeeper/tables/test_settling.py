"""What waits at the tables is settled once: kept aside, or counted after all where the rules allow it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

import pytest

from scorekeeper.events.models import Contest
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import Entry, Operation, Outdated, ReviewItem
from scorekeeper.scorecards.services.corrections import Target
from scorekeeper.scorecards.services.deciding import CannotSettle
from scorekeeper.scorecards.services.recording import NotYours, ReasonNeeded
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closing import close_contest
from scorekeeper.tables.services.correcting import correct_actions
from scorekeeper.tables.services.dealing import withdraw_table
from scorekeeper.tables.services.settling import settle_at_table, take_back_at_table
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import actor
from tests.scorekeeper.tables.conftest import BANK, Act, Deal, Look, throw

pytestmark = pytest.mark.django_db


def actions_of(look: Look, card: UUID) -> list[Mapping[str, Any]]:
    """What stands on the card, the seat left out."""
    return [
        {name: value for name, value in action.items() if name != "seat"}
        for one in look(card).noted.values()
        for action in one.actions
    ]


@pytest.fixture
def card(deal: Deal, act: Act) -> UUID:
    """Ann has thrown 5 5."""
    made = deal("Ann")
    act(made, throw(5, 5))
    return made


@pytest.fixture
def behind(ride: Ride, card: UUID, act: Act) -> ReviewItem:
    """Rita saw an empty card and noted 3 4, which waits."""
    act(card, throw(3, 4), by=actor(ride.rita), seen=1)
    return ReviewItem.objects.get()


def test_an_accepted_action_is_taken_back_until_a_later_one_needs_it(
    ride: Ride, desk: Actor, card: UUID, behind: ReviewItem, look: Look, act: Act
) -> None:
    settle_at_table(desk, uuid4(), behind.pk, "apply", "both were thrown")
    take_back_at_table(desk, uuid4(), behind.pk, "it was one throw")

    behind.refresh_from_db()
    assert (len(actions_of(look, card)), behind.settled_at) == (1, None)
    assert list(list_damage(ride.event)) == []

    settle_at_table(desk, uuid4(), behind.pk, "apply", "two after all")
    correct = Target(list(look(card).noted)[-1], look(card).length, [BANK])
    correct_actions(desk, uuid4(), card, [correct], "it was a bank")
    with pytest.raises(CannotSettle):
        take_back_at_table(desk, uuid4(), behind.pk, "it was one throw")


def test_a_waiting_action_is_noted_after_all_that_stands(
    desk: Actor, card: UUID, behind: ReviewItem, look: Look
) -> None:
    operation = uuid4()
    Outdated.objects.all().delete()

    receipt = settle_at_table(desk, operation, behind.pk, "apply", "both were thrown")

    assert receipt.outcome == "recorded"
    assert actions_of(look, card) == [throw(5, 5), throw(3, 4)]
    behind.refresh_from_db()
    assert (behind.decision, behind.settled_by_id) == ("apply", operation)
    entry = Entry.objects.get(operation_id=operation)
    assert f'"settles":"{behind.operation_id}"' in entry.body
    assert Outdated.objects.filter(card_id=card).exists()


def test_what_is_kept_aside_changes_nothing_but_is_written_down(
    ride: Ride, desk: Actor, card: UUID, behind: ReviewItem, look: Look
) -> None:
    settle_at_table(desk, uuid4(), behind.pk, "keep", "noted twice")

    assert actions_of(look, card) == [throw(5, 5)]
    assert Entry.objects.get(kind="settle").chain_id == card
    assert list(list_damage(ride.event)) == []


def test_what_the_rules_forbid_now_is_refused_with_the_clause_and_still_waits(
    desk: Actor, card: UUID, act: Act, look: Look
) -> None:
    """TABLE-2"""
    act(card, {"type": "bank"}, seen=1)
    item = ReviewItem.objects.get()
    for action in (throw(5, 5), BANK):
        act(card, action)
    before = Entry.objects.count()

    with pytest.raises(CannotSettle) as refused:
        settle_at_table(desk, uuid4(), item.pk, "apply", "why not")

    assert [problem["rule"] for problem in refused.value.problems] == ["TABLE-2"]
    assert Entry.objects.count() == before
    item.refresh_from_db()
    assert item.settled_at is None


def test_a_waiting_correction_is_put_in_place_whatever_stands_there_now(
    ride: Ride, desk: Actor, card: UUID, look: Look
) -> None:
    noted = next(iter(look(card).noted.values()))
    for dice in ((6, 6), (4, 4)):
        target = Target(noted.id, noted.seq, [throw(*dice)])
        correct_actions(actor(ride.rita), uuid4(), card, [target], "misread")

    settle_at_table(desk, uuid4(), ReviewItem.objects.get().pk, "apply", "I asked")

    assert actions_of(look, card) == [throw(4, 4)]


def test_a_correction_that_leaves_something_impossible_is_refused_naming_it(
    ride: Ride, desk: Actor, card: UUID, act: Act, look: Look
) -> None:
    """PIG-2"""
    act(card, BANK)
    noted = next(iter(look(card).noted.values()))
    correct_actions(actor(ride.rita), uuid4(), card, [Target(noted.id, noted.seq, None)], "not hers")

    with pytest.raises(CannotSettle) as refused:
        settle_at_table(desk, uuid4(), ReviewItem.objects.get().pk, "apply", "please")

    assert [(problem["rule"], problem["about"]) for problem in refused.value.problems] == [("PIG-2", "Action 2")]


def test_a_correction_of_something_that_no_longer_stands_can_only_be_laid_aside(
    ride: Ride, desk: Actor, card: UUID, look: Look
) -> None:
    noted = next(iter(look(card).noted.values()))
    for actions in (None, [throw(4, 4)]):
        correct_actions(actor(ride.rita), uuid4(), card, [Target(noted.id, noted.seq, actions)], "misread")
    item = ReviewItem.objects.get()

    with pytest.raises(CannotSettle):
        settle_at_table(desk, uuid4(), item.pk, "apply", "please")
    settle_at_table(desk, uuid4(), item.pk, "keep", "gone")

    item.refresh_from_db()
    assert item.decision == "keep"


def test_what_came_after_the_closing_counts_when_the_organiser_takes_it(
    ride: Ride, pig: Contest, desk: Actor, card: UUID, act: Act, look: Look
) -> None:
    close_contest(desk, uuid4(), pig.pk, "bedtime")
    act(card, BANK, by=actor(ride.rita))
    item = ReviewItem.objects.get()
    assert item.reason == "late"

    settle_at_table(desk, uuid4(), item.pk, "apply", "she was in time")

    assert actions_of(look, card) == [throw(5, 5), BANK]


def test_what_waits_at_a_withdrawn_table_is_laid_aside(ride: Ride, desk: Actor, deal: Deal, act: Act) -> None:
    card = deal("Ann")
    act(card, BANK)  # there is nothing to bank
    withdraw_table(desk, uuid4(), card, "went home")
    item = ReviewItem.objects.get()

    with pytest.raises(CannotSettle):
        settle_at_table(desk, uuid4(), item.pk, "apply", "please")
    settle_at_table(desk, uuid4(), item.pk, "keep", "nobody is there")

    item.refresh_from_db()
    assert item.decision == "keep"
    assert list(list_damage(ride.event)) == []


def test_an_item_is_settled_once_and_a_copy_gets_the_receipt_again(
    desk: Actor, card: UUID, behind: ReviewItem, look: Look
) -> None:
    operation = uuid4()
    first = settle_at_table(desk, operation, behind.pk, "apply", "both were thrown")
    assert settle_at_table(desk, operation, behind.pk, "apply", "both were thrown") == first

    with pytest.raises(CannotSettle):
        settle_at_table(desk, uuid4(), behind.pk, "keep", "no")
    assert actions_of(look, card) == [throw(5, 5), throw(3, 4)]
    assert Operation.objects.filter(kind="settle").count() == 1


@pytest.mark.parametrize("decision", ["other_slot", "both", ""])
def test_there_is_nothing_else_to_decide(desk: Actor, behind: ReviewItem, decision: str) -> None:
    with pytest.raises(CannotSettle):
        settle_at_table(desk, uuid4(), behind.pk, decision, "please")


def test_only_the_organiser_of_the_event_decides_and_gives_a_reason(
    ride: Ride, desk: Actor, behind: ReviewItem, other_event: Any
) -> None:
    stranger = Actor.of_organiser(other_event.organisers.get())
    with pytest.raises(NotYours):
        settle_at_table(stranger, uuid4(), behind.pk, "keep", "mine")
    with pytest.raises(NotYours):
        settle_at_table(actor(ride.rita), uuid4(), behind.pk, "keep", "mine")
    with pytest.raises(ReasonNeeded):
        settle_at_table(desk, uuid4(), behind.pk, "keep", " ")
