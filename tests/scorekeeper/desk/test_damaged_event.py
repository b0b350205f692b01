"""An event whose log does not verify, or whose set-up leads to another event: copying, exporting and deleting it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import CrewMember, Group
from scorekeeper.desk.selectors.event_contents import get_event_contents
from scorekeeper.desk.services.event_copy import copy_event_with_omissions
from scorekeeper.events.models import Contest, DeletedEvent, Event
from scorekeeper.ledger.models import Entry
from scorekeeper.players.models import Player
from scorekeeper.results.exports.writers import ORGANISER_FILES, PUBLIC_FILES
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.stops.models import Slot, Stop
from tests import guards
from tests.scorekeeper.api.conftest import rollback_at_end
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.damaged_entries import UNREADABLE_BODIES, choose_for_walks
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.conftest import get_bike_card, make_actor, make_paper_turn

pytestmark = pytest.mark.database

Damage = Callable[[Ride], object]


def find_entry(ride: Ride) -> Entry:
    """Return the second of three entries of bike 1's card."""
    return Entry.objects.get(chain=get_bike_card(ride, ride.bikes[1]).chain, seq=2)


def make_unreadable(how: str) -> Damage:
    def damage(ride: Ride) -> None:
        entry = find_entry(ride)
        Entry.objects.filter(pk=entry.pk).update(body=UNREADABLE_BODIES[how](entry))

    return damage


DAMAGES: dict[str, Damage] = {
    **{how: make_unreadable(how) for how in UNREADABLE_BODIES},
    "wrong hash": lambda ride: Entry.objects.filter(pk=find_entry(ride).pk).update(hash="0" * 64),
    "missing entry": lambda ride: find_entry(ride).delete(),
    "no entries": lambda ride: Entry.objects.filter(chain__event=ride.event).delete(),
}


def verify(event: Event) -> None:
    call_command("verify", event.slug, stdout=io.StringIO())


@pytest.fixture(params=choose_for_walks(DAMAGES))
def damaged_ride(
    request: pytest.FixtureRequest, ride: Ride, add_turn: Callable[..., Any], without_guards: None
) -> Ride:
    """The ride with turns of two bikes and a conflict, and with a log that is damaged at bike 1."""
    add_turn(1, 1, make_paper_turn("chance", 21))
    add_turn(1, 2, make_paper_turn("fives", 15))
    add_turn(1, 3, make_paper_turn("sixes", 18))
    add_turn(2, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 22), by=make_actor(ride.tom))
    verify(ride.event)
    DAMAGES[request.param](ride)
    connection.check_constraints()  # PostgreSQL changes no table with pending checks
    guards.install_guards()  # and removes no log without them
    refresh_standings(ride.contest.pk)
    with pytest.raises(CommandError, match="found"):
        verify(ride.event)
    return ride


@pytest.mark.slow
def test_it_is_copied_practised_downloaded_and_deleted(
    request: pytest.FixtureRequest, damaged_ride: Ride, other_event: Event, organiser: Client
) -> None:
    """Each of these with the same damaged ride, as it was before the others."""
    with rollback_at_end():
        check_that_a_copy_is_whole_and_sound(damaged_ride, organiser)
    with rollback_at_end():
        check_that_it_can_be_practised_and_the_practice_starts_over(damaged_ride, organiser)
    with rollback_at_end():
        damage = request.node.callspec.params["damaged_ride"]
        check_that_every_file_can_be_downloaded_and_counts_what_can_be_read(damaged_ride, organiser, damage)
    check_that_it_is_deleted_and_the_other_events_still_verify(damaged_ride, organiser)


def check_that_a_copy_is_whole_and_sound(damaged_ride: Ride, organiser: Client) -> None:
    source = damaged_ride.event
    form = {"source": str(source.pk), "name": "Next year", "date": "2027-06-19", "with_roster": "on"}

    response = organiser.post(reverse("desk:copy"), form, follow=True)

    copy = Event.objects.get(name="Next year")
    assert response.redirect_chain == [(reverse("desk:copied", args=[copy.slug]), 302)]
    assert "8 bikes, 9 people" in get_visible_text(response)
    before, after = get_event_contents(source), get_event_contents(copy)
    set_up = ("stops", "contests", "turns", "groups", "crew", "dice_sets", "bikes", "people")
    assert [getattr(after, part) for part in set_up] == [getattr(before, part) for part in set_up]
    assert (after.entries, after.in_review) == (0, 0)
    verify(copy)


def check_that_it_can_be_practised_and_the_practice_starts_over(damaged_ride: Ride, organiser: Client) -> None:
    organiser.post(reverse("desk:practice", args=[damaged_ride.event.slug]))
    first = Event.objects.get(practice_of=damaged_ride.event)

    organiser.post(reverse("desk:practice_restart", args=[first.slug]))

    practice = Event.objects.get(practice_of=damaged_ride.event)
    assert practice.pk != first.pk
    verify(practice)


def check_that_every_file_can_be_downloaded_and_counts_what_can_be_read(
    damaged_ride: Ride, organiser: Client, damage: str
) -> None:
    Contest.objects.filter(pk=damaged_ride.contest.pk).update(groups_by=Contest.GroupsBy.MEAN)
    place = [damaged_ride.event.slug, damaged_ride.contest.slug]
    public, own = (
        {file: organiser.get(reverse(page, args=[*place, file])) for file in files}
        for page, files in (("results:export", PUBLIC_FILES), ("results:desk_export", ORGANISER_FILES))
    )

    # Luck is told only once a contest is closed.
    luck = [files.pop(file) for files in (public, own) for file in ("luck.csv", "luck-semicolons.csv")]
    assert {file.status_code for file in luck} == {404}
    assert {response.status_code for response in [*public.values(), *own.values()]} == {200}
    data = json.loads(b"".join(own["export.json"]) if own["export.json"].streaming else own["export.json"].content)
    totals = {row["number"]: row["total"] for row in data["standings"]}
    has_entries = Entry.objects.filter(chain__event=damaged_ride.event).exists()
    assert totals["2"] == (20 if has_entries else 0)
    # The review list is the event's; it has one entry, the conflict.
    recorded = Entry.objects.filter(chain__event=damaged_ride.event).exclude(kind="review")
    assert [row["hash"] for row in data["log"]] == list(recorded.order_by("at").values_list("hash", flat=True))
    # A scorecard that cannot be read is not counted, and its page says so; one that can be read is.
    readable = {"wrong hash": 54, "missing entry": 39}
    assert totals["1"] == readable.get(damage, 0)


def check_that_it_is_deleted_and_the_other_events_still_verify(damaged_ride: Ride, organiser: Client) -> None:
    event = damaged_ride.event
    address = reverse("desk:delete", args=[event.slug])
    heads = dict(Entry.objects.filter(chain__event=event).order_by("chain", "seq").values_list("chain_id", "hash"))
    assert organiser.get(address).status_code == 200

    response = organiser.post(address, {"name": event.name}, follow=True)

    assert f"{event.name} has been deleted." in get_visible_text(response)
    assert not Event.objects.filter(pk=event.pk).exists()
    assert DeletedEvent.objects.get(pk=event.pk).heads == {str(chain): head for chain, head in heads.items()}
    call_command("verify", stdout=io.StringIO())


def test_what_leads_to_another_event_is_left_out_of_a_copy_and_named(
    ride: Ride, other_event: Event, alice: User
) -> None:
    group = Group.objects.create(event=other_event, name="Strangers", ordinal=1)
    stop = Stop.objects.create(event=other_event, name="Elsewhere", ordinal=1)
    bike = Bike.objects.create(event=other_event, number=99)
    Bike.objects.filter(pk=ride.bikes[7].pk).update(group=group)
    Player.objects.filter(bike=ride.bikes[1]).update(bike=bike)
    Slot.objects.filter(pk=ride.slots[4].pk).update(stop=stop)
    ride.gus.any_bike_at.add(stop)

    copy = copy_event_with_omissions(ride.event, alice, name="Copy", date=ride.event.date, with_roster=True)

    assert sorted(copy.omissions) == [
        "1 turn of “R.O.C.K. Yahtzee” was left out: its stop belongs to another event.",
        "A stop at which Gus may record for any bike was left out: it belongs to another event.",
        "Ann has no bike here, because that bike belongs to another event.",
        "Bike 7 has no group here, because its group belongs to another event.",
    ]
    contents = get_event_contents(copy.event)
    assert (contents.bikes, contents.people, contents.turns, contents.stops) == (8, 9, 4, 4)
    assert copy.event.bikes.get(number=7).group is None
    assert not CrewMember.any_bike_at.through.objects.filter(crewmember__group__event=copy.event).exists()
