"""A contest in which nothing was recorded is closed like any other: late entries go to review, and rules are fixed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.events.group_setting import NOT_COMPARED
from scorekeeper.events.models import Contest
from scorekeeper.events.services.contests import ContestFrozen, delete_contest, update_contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Entry, ReviewItem
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.review import decide_review
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.reports import fold_report
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import reopen_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.stops.services import move_stop, set_slots
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_actor, make_paper_turn

Send = Callable[[Ride, Actor, Callable[..., Receipt]], Receipt]


def send_turn(ride: Ride, rita: Actor, add_turn: Callable[..., Receipt]) -> Receipt:
    return add_turn(1, 1, make_paper_turn("chance", 20), by=rita)


def send_correction(ride: Ride, rita: Actor, add_turn: Callable[..., Receipt]) -> Receipt:
    target = CorrectionTarget(uuid4(), 1, make_paper_turn("chance", 20))
    return amend_turns(rita, uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "misread")


def send_move(ride: Ride, rita: Actor, add_turn: Callable[..., Receipt]) -> Receipt:
    return move_turn(rita, uuid4(), ride.contest.pk, ride.bikes[1].pk, ride.bikes[2].pk, uuid4(), 1, "wrong bike")


def send_retirement(ride: Ride, rita: Actor, add_turn: Callable[..., Receipt]) -> Receipt:
    return retire_bike(rita, uuid4(), ride.contest.pk, ride.bikes[1].pk, "flat tyre")


LATE: Mapping[str, Send] = {
    "turn": send_turn,
    "correction": send_correction,
    "move": send_move,
    "retirement": send_retirement,
}


@pytest.mark.parametrize("kind", LATE)
@pytest.mark.parametrize("is_official", [False, True])
def test_whatever_a_late_phone_sends_goes_to_review_and_nothing_else_changes(
    ride: Ride, add_turn, desk: Actor, close, update_standings, kind: str, is_official: bool
) -> None:
    close()
    if is_official:
        publish_contest(desk, uuid4(), ride.contest.pk, "nobody rolled")
    before, revisions = fold_report(ride.contest), list(Revision.objects.values())

    receipt = LATE[kind](ride, make_actor(ride.rita), add_turn)
    update_standings()

    assert receipt.review_id == ReviewItem.objects.get().pk
    assert not receipt.is_applied
    cards = Chain.objects.filter(kind=Chain.Kind.CARD)
    assert all((card.length, card.is_sealed) == (0, True) for card in cards)
    assert not Turn.objects.exists()
    assert not Entry.objects.filter(chain__in=cards).exists()
    assert fold_report(ride.contest).rows == before.rows
    assert list(Revision.objects.values()) == revisions
    assert list(list_damage(ride.event)) == []


def test_a_late_turn_counts_once_the_organiser_accepts_it(ride: Ride, add_turn, desk: Actor, close) -> None:
    close()
    assert send_turn(ride, make_actor(ride.rita), add_turn).outcome == "late"

    decide_review(desk, uuid4(), ReviewItem.objects.get().pk, "apply", "the phone was late, the dice were not")

    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]
    assert list(list_damage(ride.event)) == []


def test_closing_fixes_options_and_slots_for_good(ride: Ride, desk: Actor, close) -> None:
    close()
    if_reopened = [None, lambda: reopen_contest(desk, uuid4(), ride.contest.pk, "too early")]
    for step in if_reopened:
        if step is not None:
            step()
        with pytest.raises(ContestFrozen):
            update_contest(
                ride.contest, name="R.O.C.K.", seats_are=Contest.SeatsAre.BIKES, options={}, groups=NOT_COMPARED
            )
        with pytest.raises(ContestFrozen):
            set_slots(ride.contest, [(ride.stops[0], 5)])
        with pytest.raises(ContestFrozen):
            move_stop(ride.stops[0], upwards=False)
        with pytest.raises(ContestFrozen):
            delete_contest(ride.contest)
    assert list(list_damage(ride.event)) == []


def _shift_a_slot(ride: Ride) -> None:
    ride.contest.slots.filter(ordinal=1).update(stop=ride.stops[3])


def _unfreeze(ride: Ride) -> None:
    Contest.objects.update(frozen_at=None)


def _change_options(ride: Ride) -> None:
    Contest.objects.update(options={"upper_bonus": {"threshold": 1, "points": 99}})


@pytest.mark.parametrize(
    ("edit", "found"),
    [
        (_change_options, "its rules differ from those that it was closed with"),
        (_shift_a_slot, "its rules differ from those that it was closed with"),
        (_unfreeze, "it has entries, but its rules are not frozen"),
    ],
)
def test_verification_finds_rules_that_were_changed_after_closing(
    ride: Ride, close, edit: Callable[[Ride], None], found: str
) -> None:
    close()
    assert list(list_damage(ride.event)) == []

    edit(ride)

    assert [damage.description for damage in list_damage(ride.event)] == [found]


def test_the_closing_page_says_that_it_fixes_the_rules_unless_they_are_fixed_already(
    ride: Ride, alice, sign_in: SignIn, add_turn
) -> None:
    organiser: Client = sign_in(alice)
    url, warning = reverse("desk:close", args=[ride.event.slug, ride.contest.slug]), "Nothing has been recorded yet."
    assert warning in get_visible_text(organiser.get(url))

    add_turn(1, 1, make_paper_turn("chance", 20))

    assert warning not in get_visible_text(organiser.get(url))
