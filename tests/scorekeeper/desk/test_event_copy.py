"""Copying an event: what comes along, what never does, and what becomes of a damaged event."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scorekeeper.bikes.models import Bike
from scorekeeper.check_in.models import CheckItem
from scorekeeper.crew.models import CrewMember, Device, DiceSet, Invitation
from scorekeeper.crew.services.devices import create_device
from scorekeeper.desk.services.event_copy import EventCopy, copy_event, copy_event_with_omissions
from scorekeeper.event_rows import EVENT_ROWS, ROWS
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.models import Chain
from scorekeeper.players.models import ClassMember, EventClass, Player, SignUp
from scorekeeper.prizes.models import Prize, PrizeLogo
from scorekeeper.stops.models import Slot
from tests.scorekeeper.conftest import SLOTS_AT, STOPS, Ride
from tests.scorekeeper.event_page_rows import fill_page
from tests.scorekeeper.picture_files import make_png

pytestmark = pytest.mark.database

NEXT_YEAR = dt.date(2027, 6, 19)


def copy(ride: Ride, user: User, *, with_roster: bool = False, is_practice: bool = False) -> EventCopy:
    return copy_event_with_omissions(
        ride.event, user, name="Next year", date=NEXT_YEAR, with_roster=with_roster, is_practice=is_practice
    )


def test_the_copy_is_a_draft_of_the_person_who_made_it(ride: Ride, alice: User) -> None:
    Event.objects.filter(pk=ride.event.pk).update(is_listed=True, is_sign_up_open=True)
    ride.event.refresh_from_db()
    SignUp.objects.create(event=ride.event, rider="Nell", contact="555 1234", group=ride.group_one)

    event = copy_event(ride.event, alice, name="Next year", date=NEXT_YEAR, with_roster=True)

    event.refresh_from_db()
    assert (event.name, event.date, event.state) == ("Next year", NEXT_YEAR, Event.State.DRAFT)
    assert (event.time_zone, event.is_listed, event.is_sign_up_open) == ("America/Edmonton", True, False)
    assert SignUp.objects.get().event == ride.event  # nobody has asked for a place next year
    assert event.slug != ride.event.slug
    assert [organiser.user for organiser in event.organisers.all()] == [alice]
    assert (event.is_practice, event.practice_of) == (False, None)


def test_stops_come_with_their_hours_their_place_and_their_note(ride: Ride, alice: User) -> None:
    parks = ride.stops[1]
    parks.opens_at, parks.closes_at, parks.address = dt.time(9, 30), dt.time(11), "1 Main St"
    parks.latitude, parks.longitude, parks.crew_note = Decimal("51.044270"), Decimal("-114.062019"), "Behind the barn"
    parks.save()

    event = copy(ride, alice).event

    copied = event.stops.get(name="Parks")
    assert [stop.name for stop in event.stops.all()] == list(STOPS)
    assert (copied.opens_at, copied.closes_at, copied.address) == (dt.time(9, 30), dt.time(11), "1 Main St")
    assert (copied.latitude, copied.longitude) == (Decimal("51.044270"), Decimal("-114.062019"))
    assert copied.crew_note == "Behind the barn"
    assert copied.pk != parks.pk


def test_a_contest_that_is_official_is_open_and_unplayed_in_the_copy(ride: Ride, alice: User) -> None:
    Contest.objects.filter(pk=ride.contest.pk).update(
        status=Contest.Status.OFFICIAL, frozen_at=dt.datetime(2026, 6, 20, tzinfo=dt.UTC), prizes=3
    )
    Contest.objects.filter(pk=ride.contest.pk).update(groups_by="best", group_best=4)

    event = copy(ride, alice).event

    contest = event.contests.get()
    assert (contest.name, contest.slug, contest.prizes) == ("R.O.C.K. Yahtzee", "rock-yahtzee", 3)
    assert (contest.groups_by, contest.group_best) == ("best", 4)
    assert (contest.status, contest.frozen_at, contest.options) == (Contest.Status.OPEN, None, {"turns": 5})
    assert [slot.stop.name for slot in contest.slots.all()] == list(SLOTS_AT)
    assert {slot.stop.event for slot in contest.slots.all()} == {event}


def test_groups_come_with_their_crew_and_dice_but_without_phones(ride: Ride, alice: User) -> None:
    create_device(ride.rita)
    ride.gus.any_bike_at.add(ride.stops[3])
    DiceSet.objects.filter(group=ride.group_one, name="Third").update(name="Sue's")
    CheckItem.objects.create(event=ride.event, name="Paid", ordinal=1)

    event = copy(ride, alice).event

    one, two = event.groups.all()
    assert {(member.name, member.role) for member in one.crew.all()} == {
        ("Rita", "road_captain"),
        ("Tom", "tail_gunner"),
        ("Sue", "supervisor"),
    }
    assert [dice.name for dice in one.dice_sets.all()] == ["Road captain", "Tail-gunner", "Sue's"]
    assert list(two.crew.get().any_bike_at.all()) == [event.stops.get(name="Finale")]
    assert [item.name for item in event.check_items.all()] == ["Paid"]
    assert not Device.objects.filter(member__group__event=event).exists()
    assert not Invitation.objects.filter(member__group__event=event).exists()


def test_bikes_and_people_come_only_with_the_roster(ride: Ride, alice: User) -> None:
    walk_up = Bike.objects.create(event=ride.event, number=99, is_walk_up=True, did_not_start=True)
    Bike.objects.create(event=ride.event, number=98, merged_into=walk_up)
    Player.objects.create(event=ride.event, name="Nell")

    without, event = copy(ride, alice).event, copy(ride, alice, with_roster=True).event

    assert not without.bikes.exists()
    assert not without.players.exists()
    assert [bike.number for bike in event.bikes.all()] == [1, 2, 3, 4, 5, 6, 7, 8, 99]
    assert not event.bikes.filter(is_walk_up=True).exists()
    assert not event.bikes.filter(did_not_start=True).exists()
    second = event.bikes.get(number=2)
    assert (second.make, second.group) == ("Honda", event.groups.get(name="Group one"))
    assert [player.name for player in second.players.all()] == ["Ben", "Zoe"]
    assert event.players.get(name="Nell").bike is None


def test_nothing_in_the_source_changes_and_nothing_is_shared(ride: Ride, alice: User) -> None:
    before = {model: set(model.objects.values_list("pk", flat=True)) for model in (Slot, DiceSet, CrewMember, Bike)}

    copy(ride, alice, with_roster=True)

    for model, keys in before.items():
        assert model.objects.filter(pk__in=keys).count() == len(keys)
        assert model.objects.count() == 2 * len(keys)
    assert not Chain.objects.exists()


def test_a_practice_event_names_its_ride_and_has_the_same_organisers(ride: Ride, alice: User, bob: User) -> None:
    Event.objects.filter(pk=ride.event.pk).update(is_listed=True)
    ride.event.refresh_from_db()

    event = copy(ride, alice, with_roster=True, is_practice=True).event

    assert (event.is_practice, event.practice_of, event.is_listed) == (True, ride.event, False)
    assert {organiser.user for organiser in event.organisers.all()} == {alice, bob}


def test_ten_times_the_bikes_cost_the_same_statements(ride: Ride, alice: User) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            copy(ride, alice, with_roster=True)
        return len(queries)

    few = count()
    Bike.objects.bulk_create(Bike(event=ride.event, number=number) for number in range(1000, 3000))

    assert count() == few


def test_a_contest_whose_game_is_gone_is_left_out_and_named(ride: Ride, alice: User) -> None:
    Contest.objects.create(event=ride.event, name="Old", slug="old", game_key="liars-dice", rules_version=1)

    result = copy(ride, alice)

    assert [contest.name for contest in result.event.contests.all()] == ["R.O.C.K. Yahtzee"]
    assert result.omissions == ["“Old” was left out: its game (liars-dice) is not installed here."]


@pytest.mark.parametrize("options", [{"jokers": "no such option"}, ["not an object"], {"turns": -1, "x": None}])
def test_options_that_the_rule_book_refuses_become_its_own(ride: Ride, alice: User, options: object) -> None:
    Contest.objects.filter(pk=ride.contest.pk).update(options=options)

    result = copy(ride, alice)

    contest = result.event.contests.get()
    contest.full_clean()
    assert contest.slots.count() == 5
    assert contest.options == {"turns": 5}


def test_turns_that_the_rule_book_refuses_are_not_assigned(ride: Ride, alice: User) -> None:
    Slot.objects.bulk_create(
        Slot(contest=ride.contest, stop=ride.stops[0], ordinal=ordinal) for ordinal in range(6, 600)
    )

    result = copy(ride, alice)

    contest = result.event.contests.get()
    contest.full_clean()
    assert not contest.slots.exists()
    assert len(result.omissions) == 2
    assert "were not assigned to stops" in result.omissions[1]


def test_two_contests_with_one_name_get_two_names(ride: Ride, alice: User) -> None:
    long = "r.o.c.k. YAHTZEE"
    Contest.objects.create(
        event=ride.event, name=long, slug="second", ordinal=2, game_key="rock-yahtzee", rules_version=1
    )

    result = copy(ride, alice)

    assert [contest.name for contest in result.event.contests.all()] == ["R.O.C.K. Yahtzee", f"{long} 2"]
    assert len(result.omissions) == 1


@pytest.mark.parametrize("label", [rows.label for rows in EVENT_ROWS if not rows.not_copied])
def test_a_copy_has_all_that_the_table_of_columns_says(ride: Ride, alice: User, label: str) -> None:
    logo = PrizeLogo.objects.create(event=ride.event, media_type="image/png", content=make_png())
    Prize.objects.create(event=ride.event, contest=ride.contest, position=1, sponsor="Ozweld", place=1, logo=logo)
    CheckItem.objects.create(event=ride.event, name="Paid", ordinal=1)
    fill_page(ride.event)
    novices = EventClass.objects.create(event=ride.event, name="Novices", ordinal=1)
    ClassMember.objects.create(event_class=novices, bike=ride.bikes[1])
    ride.gus.any_bike_at.add(ride.stops[3])
    fitted = {"options", "rules_version"}  # to the rule book as it is now
    fields = [field for field in ROWS[label].list_copied() if field.name not in fitted]
    plain = [field.attname for field in fields if not field.is_relation]

    event = copy(ride, alice, with_roster=True).event

    copied, originals = (
        sorted(repr([getattr(row, name) for name in plain]) for row in ROWS[label].query(of))
        for of in (event, ride.event)
    )
    assert copied == originals
    assert copied
