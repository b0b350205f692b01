"""Practice events: made, played up to a stop, and started over; a ride is never played at random."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoCaptureOnCommitCallbacks

from scorekeeper.crew.models import CrewMember
from scorekeeper.crew.services.devices import create_device
from scorekeeper.desk.models import PracticeRun
from scorekeeper.desk.services.event_copy import copy_event
from scorekeeper.desk.services.event_deletion import delete_event
from scorekeeper.desk.services.practice import (
    NoRideToPractise,
    NotPractice,
    continue_run,
    restart_practice,
    start_practice,
    start_run,
)
from scorekeeper.events.models import Contest, Event, Organiser
from scorekeeper.events.services.events import EventArchived, archive_event
from scorekeeper.ledger.models import Entry, ReviewItem
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.cards import get_card, list_slots
from scorekeeper.scorecards.selectors.table_summaries import list_tables
from tests.scorekeeper.conftest import Ride

Tables = PracticeRun.Tables
SHORT_CIRCUIT = {"name": "Short", "time": 6, "damage": 4, "sections": [6, 4, 5]}


@pytest.fixture
def practice(ride: Ride, alice: User) -> Event:
    """The ride's practice event."""
    return start_practice(ride.event, alice)


def play(event: Event, stop: str = "", tables: str = Tables.NONE, seed: str = "7") -> PracticeRun:
    """Play up to a stop, as the organiser's page and the task do, to the end."""
    organiser = Organiser.objects.filter(event=event).first()
    assert organiser is not None
    run = start_run(organiser, event, event.stops.get(name=stop) if stop else None, tables, seed)
    while continue_run(run.pk) is not None:
        pass
    run.refresh_from_db()
    return run


def read_rolls(event: Event) -> dict[tuple[str, str, int], str]:
    """The recorded actions by contest, bike and turn."""
    rolls = {}
    for contest in event.contests.all():
        slots = list_slots(contest)
        for bike in event.bikes.filter(merged_into=None):
            for turn in get_card(contest, slots, bike).turns.values():
                ordinal = next(slot.ordinal for slot in slots if slot.pk == turn.slot_id)
                rolls[contest.slug, bike.label, ordinal] = str(turn.actions)
    return rolls


def test_crews_see_in_practice_what_a_choice_is_worth(ride: Ride, practice: Event, alice: User) -> None:
    assert [contest.odds_shown for contest in practice.contests.all()] == [Contest.OddsShown.COACH]
    assert ride.event.contests.get().odds_shown == Contest.OddsShown.OFF
    Contest.objects.filter(event=ride.event).update(odds_shown=Contest.OddsShown.SCREEN)
    copy = copy_event(ride.event, alice, name="Next year", date=ride.event.date, with_roster=False)
    assert copy.contests.get().odds_shown == Contest.OddsShown.SCREEN


def test_a_ride_has_one_practice_at_a_time_and_it_is_open(ride: Ride, alice: User, bob: User) -> None:
    practice = start_practice(ride.event, alice)

    assert start_practice(ride.event, bob) == practice
    assert (practice.name, practice.is_open, practice.is_practice) == ("Rock the Roll (practice)", True, True)
    assert practice.bikes.count() == 8


def test_each_member_of_the_practice_mirrors_one_of_the_ride(ride: Ride, practice: Event) -> None:
    crew = CrewMember.objects.filter(group__event=practice)

    assert {(member.name, member.mirrors_id) for member in crew} == {
        (member.name, member.pk) for member in (ride.rita, ride.tom, ride.sue, ride.gus)
    }


def test_a_practice_cannot_be_practised_and_neither_can_an_archived_ride(
    ride: Ride, practice: Event, alice: User
) -> None:
    with pytest.raises(NoRideToPractise):
        start_practice(practice, alice)
    delete_event(practice)
    Contest.objects.filter(event=ride.event).update(status=Contest.Status.CLOSED)
    archive_event(ride.event)
    with pytest.raises(EventArchived):
        start_practice(ride.event, alice)


def test_a_long_name_still_says_that_it_is_a_practice(ride: Ride, alice: User) -> None:
    Event.objects.filter(pk=ride.event.pk).update(name="x" * 120)
    ride.event.refresh_from_db()

    practice = start_practice(ride.event, alice)

    assert len(practice.name) == 120
    assert practice.name.endswith(" (practice)")


def test_playing_up_to_a_stop_fills_every_turn_before_it_and_none_after(ride: Ride, practice: Event) -> None:
    run = play(practice, "Parks")

    turns = Turn.objects.filter(slot__contest__event=practice)
    assert turns.count() == 8 * 2
    assert set(turns.values_list("slot__ordinal", flat=True)) == {1, 2}
    assert (run.done, run.total, run.finished_at is not None) == (8, 8, True)
    assert not ReviewItem.objects.exists()
    assert not Turn.objects.filter(slot__contest__event=ride.event).exists()


def test_what_is_recorded_stays_when_the_rest_is_filled_in(practice: Event) -> None:
    play(practice, "Ozweld's", seed="by hand")
    before = read_rolls(practice)

    play(practice, "Finale", seed="other")

    after = read_rolls(practice)
    assert len(after) == 8 * 5
    assert {key: after[key] for key in before} == before
    assert not ReviewItem.objects.exists()


def test_a_turn_missing_between_others_is_filled_in_so_that_all_stay_legal(practice: Event) -> None:
    for name, ordinal in (("Ozweld's", 9), ("Finale", 1)):
        practice.stops.filter(name=name).update(ordinal=ordinal)
    play(practice, "Finale")  # the turns of the finale, and nothing before them
    assert {ordinal for _contest, _bike, ordinal in read_rolls(practice)} == {4, 5}

    play(practice, "Ozweld's")

    assert len(read_rolls(practice)) == 8 * 5
    assert not ReviewItem.objects.exists()


def test_the_same_seed_gives_the_same_rolls_after_starting_over(practice: Event, alice: User) -> None:
    play(practice, "Finale", seed="1066")
    first = read_rolls(practice)

    again = restart_practice(practice, alice)
    assert not Entry.objects.filter(chain__event=again).exists()
    play(again, "Finale", seed="1066")
    same = read_rolls(again)
    other = restart_practice(again, alice)
    play(other, "Finale", seed="1067")

    assert same == first
    assert read_rolls(other) != first


def test_an_interrupted_run_goes_on_where_it_was(
    practice: Event, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    organiser = Organiser.objects.filter(event=practice).first()
    assert organiser is not None
    run = start_run(organiser, practice, practice.stops.get(name="Parks"), Tables.NONE, "5")

    with django_capture_on_commit_callbacks() as callbacks:
        step = continue_run(run.pk, seconds=0)

    assert step is not None
    assert (step.done, step.total, step.finished_at) == (1, 8, None)
    assert callbacks  # among them the message for the next step
    while continue_run(run.pk) is not None:
        pass
    assert len(read_rolls(practice)) == 16


def test_a_new_run_replaces_one_that_is_under_way(practice: Event) -> None:
    organiser = Organiser.objects.filter(event=practice).first()
    assert organiser is not None
    old = start_run(organiser, practice, practice.stops.get(name="Finale"), Tables.NONE, "5")

    play(practice, "Ozweld's")

    assert continue_run(old.pk) is None
    assert len(read_rolls(practice)) == 8


def test_no_ride_is_ever_played_at_random(ride: Ride, alice: User) -> None:
    organiser = Organiser.objects.get(event=ride.event, user=alice)
    with pytest.raises(NotPractice):
        start_run(organiser, ride.event, ride.stops[0], Tables.FINISHED, "1")
    with pytest.raises(NotPractice):
        restart_practice(ride.event, alice)
    # Not even by an object in memory that says otherwise, or by a run that is there already.
    ride.event.is_practice = True
    with pytest.raises(NotPractice):
        start_run(organiser, ride.event, ride.stops[0], Tables.FINISHED, "1")
    practice = start_practice(Event.objects.get(pk=ride.event.pk), alice)
    own = Organiser.objects.get(event=practice, user=alice)
    run = start_run(own, practice, practice.stops.first(), Tables.NONE, "1")
    Event.objects.filter(pk=practice.pk).update(is_practice=False)
    with pytest.raises(NotPractice):
        continue_run(run.pk)

    assert not Entry.objects.exists()


def test_a_closed_contest_and_a_bike_that_did_not_start_are_left_alone(practice: Event) -> None:
    practice.bikes.filter(number=3).update(did_not_start=True)
    play(practice, "Ozweld's")
    assert {bike for _contest, bike, _ordinal in read_rolls(practice)} == {"1", "2", "4", "5", "6", "7", "8"}
    practice.contests.update(status=Contest.Status.CLOSED)

    play(practice, "Finale")

    assert len(read_rolls(practice)) == 7


# Games that take fewer rolls than by default, because playing them is most of the time of this file.
@pytest.mark.parametrize(
    ("game_key", "options"),
    [
        ("rogue", {"target": 300, "war_at": 270}),
        ("drag-rage", {}),
        ("grand-prix", {"sheet": {"circuits": [SHORT_CIRCUIT]}}),
        ("go-500", {}),
    ],
)
def test_tables_are_created_and_played_half_way_and_to_the_end(
    ride: Ride, alice: User, game_key: str, options: dict[str, Any]
) -> None:
    contest = Contest.objects.create(
        event=ride.event,
        name="At the tables",
        slug="tables",
        game_key=game_key,
        rules_version=1,
        options=options,
        seats_are=Contest.SeatsAre.PLAYERS,
        ordinal=2,
    )
    practice = start_practice(ride.event, alice)
    contest = practice.contests.get(slug="tables")

    play(practice, tables=Tables.CREATED)
    assert {table.stage for table in list_tables(contest)} == {"new"}
    play(practice, tables=Tables.HALF)
    assert {table.stage for table in list_tables(contest)} == {"playing"}
    play(practice, tables=Tables.FINISHED)

    assert {table.stage for table in list_tables(contest)} == {"finished"}
    assert not ReviewItem.objects.exists()
    assert not read_rolls(practice)


def test_starting_over_ends_the_phones_and_keeps_the_ride(ride: Ride, practice: Event, alice: User) -> None:
    member = CrewMember.objects.get(group__event=practice, name="Rita")
    device, _token = create_device(member)
    own, _token = create_device(ride.rita)

    again = restart_practice(practice, alice)

    assert again != practice
    assert not type(device).objects.filter(pk=device.pk).exists()
    assert type(own).objects.filter(pk=own.pk).exists()
    assert Event.objects.filter(practice_of=ride.event).count() == 1


def test_a_practice_without_a_ride_cannot_be_started_over(event: Event, alice: User) -> None:
    Event.objects.filter(pk=event.pk).update(is_practice=True)
    event.refresh_from_db()

    with pytest.raises(NoRideToPractise):
        restart_practice(event, alice)


def test_deleting_a_crew_member_of_the_ride_leaves_the_practice_alone(ride: Ride, practice: Event) -> None:
    ride.sue.delete()

    assert CrewMember.objects.get(group__event=practice, name="Sue").mirrors is None


def test_the_ride_can_be_deleted_with_its_practice_and_without(ride: Ride, practice: Event) -> None:
    Event.objects.filter(pk=practice.pk).update(practice_of=None)

    delete_event(ride.event)

    assert set(Event.objects.all()) == {practice}
    assert CrewMember.objects.get(name="Rita").mirrors is None
