"""Ticking items of the check-in list: who may, that it counts once, and that the log has it."""

from __future__ import annotations

import threading
from dataclasses import replace
from uuid import uuid4

import pytest
from django.db import connection

from scorekeeper.bikes.models import Bike
from scorekeeper.check_in.models import BikeCheck, CheckItem
from scorekeeper.check_in.selectors import get_check_in_list, list_own_bikes
from scorekeeper.check_in.services import (
    MAX_ITEMS,
    ItemExists,
    ItemInUse,
    TooManyItems,
    add_item,
    check_bike,
    delete_item,
    move_item,
    rename_item,
)
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.ledger.services.recording import BikeWithdrawn, IdReused, NotAllowed, UnknownTarget
from scorekeeper.players.services import BikeInUse, delete_bike
from scorekeeper.scorecards.services.bike_operations import WalkUp, merge_bikes, register_bike, withdraw_bike
from scorekeeper.scorecards.services.bike_unmerge import unmerge_bikes
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.check_in.conftest import TickBike, list_ticks
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_actor

pytestmark = pytest.mark.database

Items = dict[str, CheckItem]


def list_logged(event: Event) -> int:
    return Entry.objects.filter(chain_id=event.pk, kind="check").count()


def test_a_tick_is_an_entry_of_the_events_log_and_can_be_taken_back(ride: Ride, tick: TickBike) -> None:
    assert tick(1, "Paid").outcome == "recorded"
    assert list_ticks() == {(1, "Paid")}
    assert tick(1, "Paid", is_checked=False).outcome == "recorded"
    assert list_ticks() == set()
    assert tick(1, "Paid").outcome == "recorded"

    assert list_logged(ride.event) == 3
    assert BikeCheck.objects.get().seq == 3
    assert list(list_damage(ride.event)) == []


def test_equal_ticks_of_two_phones_are_one(ride: Ride, tick: TickBike) -> None:
    rita, tom = make_actor(ride.rita), make_actor(ride.tom)

    assert [tick(1, "Paid", by=rita).outcome, tick(1, "Paid", by=tom).outcome] == ["recorded", "merged"]
    assert tick(2, "Paid", by=tom, is_checked=False).outcome == "merged", "it was not ticked"

    assert list_logged(ride.event) == 1
    assert list(list_damage(ride.event)) == []


def test_of_ticks_that_differ_the_later_counts_and_the_log_has_both(ride: Ride, tick: TickBike) -> None:
    tick(1, "Paid", by=make_actor(ride.rita))
    tick(1, "Paid", by=make_actor(ride.tom), is_checked=False)

    assert list_ticks() == set()
    assert list_logged(ride.event) == 2


def test_a_second_tap_with_the_same_id_counts_once(ride: Ride, items: Items, desk: Actor) -> None:
    operation, bike, item = uuid4(), ride.bikes[1].pk, items["Paid"].pk

    first = check_bike(desk, operation, bike, item, is_checked=True)
    again = check_bike(desk, operation, bike, item, is_checked=True)

    assert (first.outcome, again.outcome, again.is_duplicate) == ("recorded", "recorded", True)
    assert list_logged(ride.event) == 1
    with pytest.raises(IdReused):
        check_bike(desk, operation, bike, item, is_checked=False)


def test_crew_check_in_their_group_and_captains_and_finale_crew_every_bike(ride: Ride, tick: TickBike) -> None:
    with pytest.raises(NotAllowed):
        tick(5, "Paid", by=make_actor(ride.tom))
    assert tick(5, "Paid", by=make_actor(ride.rita)).outcome == "recorded"
    ride.tom.any_bike_at.add(ride.stops[3])
    assert tick(6, "Paid", by=make_actor(ride.tom)).outcome == "recorded"
    assert list_own_bikes(make_actor(ride.sue), ride.event).count() == 4
    Bike.objects.filter(number=7).update(group=None)
    assert tick(7, "Paid", by=make_actor(ride.sue)).outcome == "recorded"


def test_a_phone_that_was_revoked_ticks_nothing(ride: Ride, tick: TickBike) -> None:
    with pytest.raises(NotAllowed):
        tick(1, "Paid", by=replace(make_actor(ride.rita), needs_review=True))
    assert list_ticks() == set()


def test_bikes_and_items_of_other_events_are_refused(ride: Ride, items: Items, desk: Actor, other_event: Event) -> None:
    foreign_bike = Bike.objects.create(event=other_event, number=1)
    foreign_item = add_item(other_event, "Paid")

    with pytest.raises(NotAllowed):
        check_bike(desk, uuid4(), foreign_bike.pk, items["Paid"].pk, is_checked=True)
    with pytest.raises(NotAllowed):
        check_bike(desk, uuid4(), ride.bikes[1].pk, foreign_item.pk, is_checked=True)
    with pytest.raises(UnknownTarget):
        check_bike(desk, uuid4(), uuid4(), items["Paid"].pk, is_checked=True)
    assert BikeCheck.objects.count() == 0


def test_a_tick_of_an_item_that_was_deleted_changes_nothing(ride: Ride, items: Items, tick: TickBike) -> None:
    delete_item(items["Paid"])

    assert tick(1, "Paid").outcome == "merged"
    assert list(list_damage(ride.event)) == []


def test_an_item_that_is_ticked_cannot_be_deleted_but_renamed(ride: Ride, items: Items, tick: TickBike) -> None:
    tick(1, "Paid")
    with pytest.raises(ItemInUse):
        delete_item(items["Paid"])
    rename_item(items["Paid"], "Paid 20")
    assert list_ticks() == {(1, "Paid 20")}
    tick(1, "Paid", is_checked=False)
    delete_item(items["Paid"])

    assert [item.name for item in ride.event.check_items.all()] == ["Present"]
    assert list(list_damage(ride.event)) == []


def test_items_have_an_order_and_their_names_differ(ride: Ride, items: Items) -> None:
    move_item(items["Paid"], upwards=True)
    assert [item.name for item in ride.event.check_items.all()] == ["Paid", "Present"]
    move_item(CheckItem.objects.get(name="Paid"), upwards=True)
    assert [item.name for item in ride.event.check_items.all()] == ["Paid", "Present"]
    with pytest.raises(ItemExists):
        add_item(ride.event, "paid")
    with pytest.raises(ItemExists):
        rename_item(items["Paid"], "PRESENT")
    for number in range(MAX_ITEMS - 2):
        add_item(ride.event, f"Item {number}")
    with pytest.raises(TooManyItems):
        add_item(ride.event, "One more")


def test_bikes_that_were_merged_share_their_ticks_and_part_with_their_own(
    ride: Ride, items: Items, tick: TickBike, desk: Actor
) -> None:
    tick(1, "Paid")
    tick(2, "Present")
    merge_bikes(desk, uuid4(), ride.bikes[1].pk, ride.bikes[2].pk, "the same bike")
    (row,) = get_check_in_list(ride.event, ride.event.bikes.filter(number=2)).rows
    assert [box.is_checked for box in row.boxes] == [True, True]
    assert tick(2, "Paid").outcome == "merged"

    unmerge_bikes(desk, uuid4(), ride.bikes[1].pk, "two bikes")
    assert list_ticks() == {(1, "Paid"), (2, "Present")}

    merge_bikes(desk, uuid4(), ride.bikes[1].pk, ride.bikes[2].pk, "one after all")
    assert tick(1, "Paid", is_checked=False).outcome == "recorded", "the bike's old id leads to the other"
    assert list_ticks() == {(2, "Present")}
    assert list(list_damage(ride.event)) == []


def test_a_bike_that_is_checked_in_is_neither_deleted_nor_withdrawn(
    ride: Ride, items: Items, tick: TickBike, desk: Actor
) -> None:
    tick(1, "Paid")
    with pytest.raises(BikeInUse):
        delete_bike(ride.bikes[1])
    walk_up = WalkUp(uuid4(), 57, None, "Nell")
    register_bike(desk, uuid4(), walk_up)
    check_bike(desk, uuid4(), walk_up.id, items["Paid"].pk, is_checked=True)
    assert withdraw_bike(desk, uuid4(), walk_up.id).outcome == "merged"
    other = WalkUp(uuid4(), 58, None, "Nia")
    register_bike(desk, uuid4(), other)
    withdraw_bike(desk, uuid4(), other.id)
    with pytest.raises(BikeWithdrawn):
        check_bike(desk, uuid4(), other.id, items["Paid"].pk, is_checked=True)
    assert list(list_damage(ride.event)) == []


@pytest.mark.usefixtures("without_guards")
def test_verification_finds_ticks_past_the_log(ride: Ride, items: Items, tick: TickBike) -> None:
    tick(1, "Paid")
    BikeCheck.objects.create(item=items["Present"], bike=ride.bikes[2], seq=1)
    assert [damage.description for damage in list_damage(ride.event)] == ["the log does not say that it is ticked"]
    BikeCheck.objects.all().delete()
    assert [damage.description for damage in list_damage(ride.event)] == ["it is missing, but it is in the log"]


def test_the_list_costs_the_same_number_of_statements_for_any_number_of_bikes(
    ride: Ride, tick: TickBike, django_assert_num_queries
) -> None:
    tick(1, "Paid")
    with django_assert_num_queries(5):
        listed = get_check_in_list(ride.event, list_own_bikes(make_desk(ride), ride.event))
        counts = [(count.item.name, count.checked, count.total) for count in listed.counts]
    assert counts == [("Present", 0, 8), ("Paid", 1, 8)]


def make_desk(ride: Ride) -> Actor:
    return Actor(uuid4(), ride.event.pk)


@pytest.mark.django_db(transaction=True)
def test_equal_ticks_at_the_same_moment_are_one_entry(ride: Ride, items: Items) -> None:
    actors = [make_actor(member) for member in (ride.rita, ride.tom, ride.sue, ride.rita)]
    start, outcomes = threading.Barrier(len(actors)), []
    bike, item = ride.bikes[1].pk, items["Paid"].pk

    def run(actor: Actor) -> None:
        start.wait()
        try:
            outcomes.append(check_bike(actor, uuid4(), bike, item, is_checked=True).outcome)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[actor]) for actor in actors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(outcomes) == ["merged", "merged", "merged", "recorded"]
    assert list_logged(ride.event) == 1
    assert list_ticks() == {(1, "Paid")}
