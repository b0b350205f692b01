"""Several phones at one table at once: really committed, really locked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from uuid import uuid4

import pytest

from scorekeeper.events.models import Contest
from scorekeeper.players.models import Player
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import ReviewItem, Scorecard, Seat
from scorekeeper.scorecards.services.bikes import CannotMerge, merge_bikes
from scorekeeper.standings.services.closing import close_contest
from scorekeeper.tables.services.dealing import CannotDeal, deal_tables
from scorekeeper.tables.services.playing import ActionNote, record_action
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.test_concurrent_recording import at_once, check_chains
from tests.scorekeeper.tables.conftest import Deal, Look, throw

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_different_actions_at_once_one_counts_and_the_others_wait(desk: Actor, deal: Deal, look: Look) -> None:
    card = deal("Ann")
    notes = [ActionNote(card, 1, [throw(face)]) for face in (2, 3, 4, 5)]

    receipts = at_once([partial(record_action, desk, uuid4(), note) for note in notes])

    assert Counter(receipt.outcome for receipt in receipts) == {"recorded": 1, "conflict": 3}
    assert ReviewItem.objects.count() == 3
    assert look(card).fold.played == 1
    check_chains()


def test_the_same_action_from_four_phones_at_once_counts_once(desk: Actor, deal: Deal, look: Look) -> None:
    card = deal("Ann")
    note = ActionNote(card, 1, [throw(2)])

    receipts = at_once([lambda: record_action(desk, uuid4(), note)] * 4)

    assert Counter(receipt.outcome for receipt in receipts) == {"recorded": 1, "merged": 3}
    assert look(card).fold.played == 1


def test_two_who_draw_up_a_card_for_the_same_player_at_once_draw_up_one(
    desk: Actor, pig: Contest, people: Mapping[str, Player]
) -> None:
    def draw_up() -> str:
        try:
            return deal_tables(desk, uuid4(), pig.pk, [[people["Ann"].pk]]).outcome
        except CannotDeal:
            return "has one"

    assert sorted(at_once([draw_up] * 3)) == ["has one", "has one", "recorded"]
    assert Scorecard.objects.filter(contest=pig).count() == 1


def test_an_action_and_the_closing_never_miss_each_other(desk: Actor, pig: Contest, deal: Deal, look: Look) -> None:
    card = deal("Ann")
    note = ActionNote(card, 1, [throw(2)])

    receipts = at_once([lambda: record_action(desk, uuid4(), note), lambda: close_contest(desk, uuid4(), pig.pk, "x")])

    assert receipts[0].outcome in ("recorded", "late")
    assert look(card).is_sealed
    assert look(card).fold.played == (receipts[0].outcome == "recorded")
    check_chains()


def test_a_bike_merged_while_the_other_gets_a_card_ends_with_one(ride: Ride, pig: Contest, desk: Actor) -> None:
    pig.seats_are = Contest.SeatsAre.BIKES
    pig.save()
    first, second = ride.bikes[1].pk, ride.bikes[2].pk
    deal_tables(desk, uuid4(), pig.pk, [[first]])

    def merge() -> str:
        try:
            return merge_bikes(desk, uuid4(), first, second, "one machine").outcome
        except CannotMerge:
            return "both sit"

    def draw_up() -> str:
        try:
            return deal_tables(desk, uuid4(), pig.pk, [[second]]).outcome
        except CannotDeal:
            return "has one"

    assert sorted(at_once([merge, draw_up])) in (["both sit", "recorded"], ["has one", "recorded"])
    assert Seat.objects.filter(contest=pig, bike_id=second).count() == 1
    check_chains()
