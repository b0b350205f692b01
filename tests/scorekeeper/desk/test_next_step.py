"""The way through the set-up of an event: the pages of a draft lead on to what is missing next."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from scorekeeper.bikes.models import Bike
from scorekeeper.common.game_adapter import list_games
from scorekeeper.crew.models import CrewMember
from scorekeeper.crew.services.groups import add_group
from scorekeeper.crew.services.invitations import create_invitations
from scorekeeper.events.models import Event
from scorekeeper.events.services.contests import create_contest
from scorekeeper.players.models import Player
from scorekeeper.stops.services import add_stop, set_slots
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text

STOPS, CONTESTS, GROUPS, ROSTER, SHEET = "stops:list", "events:contests", "crew:groups", "players:roster", "crew:sheet"
PAGES = (STOPS, CONTESTS, GROUPS, ROSTER, SHEET)
NEXT = re.compile(r'<section[^>]* class="[^"]*next-step.*?<a[^>]* href="([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)


def find_next(organiser: Client, event: Event, page: str) -> tuple[str, str] | None:
    """Return the address and the text of the link to the next step on a page; None if it has none."""
    found = NEXT.search(get_page_text(organiser.get(reverse(page, args=[event.slug]))))
    return (found[1], re.sub(r"<svg.*?</svg>|\s+", " ", found[2], flags=re.DOTALL).strip()) if found else None


def assert_next(organiser: Client, event: Event, step_page: str, text: str) -> None:
    """Check that every page leads to that step, save the page of the step itself."""
    address = reverse(step_page, args=[event.slug])
    for page in PAGES:
        assert find_next(organiser, event, page) == (None if page == step_page else (address, text)), page


def test_each_page_leads_to_the_first_thing_that_is_missing(event: Event, organiser: Client) -> None:
    Event.objects.update(state=Event.State.DRAFT)
    assert_next(organiser, event, STOPS, "Add the stops")

    stop = add_stop(event, "Lookout")
    assert_next(organiser, event, CONTESTS, "Add a contest")

    game = list_games()["rock-yahtzee"]
    contest = create_contest(event, game, name="R.O.C.K.", seats_are="bikes", options={})
    assert_next(organiser, event, CONTESTS, "Assign turns to stops")

    set_slots(contest, [(stop, 5)])
    assert_next(organiser, event, GROUPS, "Add the groups")

    group = add_group(event, "Wing 1")
    assert_next(organiser, event, ROSTER, "Add bikes and riders")

    bike = Bike.objects.create(event=event, number=1, group=group)
    assert_next(organiser, event, GROUPS, "Add the crew")

    crew = [CrewMember.objects.create(group=group, name=role, role=role) for role in CrewMember.Role.values]
    assert_next(organiser, event, SHEET, "Print the crew’s links")

    create_invitations(crew)
    for page in PAGES:
        assert find_next(organiser, event, page) == (reverse("desk:event", args=[event.slug]), "Check before you open")

    Player.objects.create(event=event, bike=bike, name="Ann")
    for page in PAGES:
        assert find_next(organiser, event, page) == (reverse("events:open", args=[event.slug]), "Open the event")


def test_the_sheet_that_was_just_printed_leads_on(ride: Ride, organiser: Client) -> None:
    Event.objects.update(state=Event.State.DRAFT)
    Bike.objects.update(group=ride.group_one)

    page = get_page_text(organiser.post(reverse("crew:sheet", args=[ride.event.slug]), {"who": "everyone"}))

    assert (found := NEXT.search(page)) is not None
    assert found[1] == reverse("events:open", args=[ride.event.slug])


@pytest.mark.parametrize("change", [{"state": Event.State.OPEN}, {"state": Event.State.DRAFT, "archived_at": True}])
def test_only_a_draft_leads_on(event: Event, organiser: Client, change: dict[str, object]) -> None:
    if change.get("archived_at"):
        change = {**change, "archived_at": timezone.now()}
    Event.objects.update(**change)

    assert [find_next(organiser, event, page) for page in PAGES] == [None] * len(PAGES)


def test_the_next_step_costs_the_same_statements_for_any_number_of_groups(ride: Ride, organiser: Client) -> None:
    Event.objects.update(state=Event.State.DRAFT)
    address = reverse(STOPS, args=[ride.event.slug])

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            organiser.get(address)
        return len(queries)

    few = count()
    for number in range(10):
        group = add_group(ride.event, f"Wing {number}")
        Bike.objects.create(event=ride.event, number=100 + number, group=group)
        CrewMember.objects.create(group=group, name="Ada", role=CrewMember.Role.ROAD_CAPTAIN)
    assert count() == few
