"""/b/<code>/: where the code on a bike redirects to."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.bikes.codes import make_code
from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import CrewMember, Group
from scorekeeper.events.models import Contest, Event
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.page_checks import get_page_text, get_visible_text


def address(bike: Bike) -> str:
    """The URL in the code on the bike."""
    return reverse("scorecards:scanned", args=[make_code(bike.pk)])


def public_page(ride: Ride, bike: Bike) -> str:
    """The public page of a bike."""
    return reverse("results:bike", args=[ride.event.slug, ride.contest.slug, bike.pk])


def test_the_crew_are_redirected_to_the_bikes_card(ride: Ride, crew_client: CrewClient) -> None:
    phone = crew_client(ride.rita)

    answer = phone.get(address(ride.bikes[2]))

    card = f"{reverse('scorecards:card', args=[ride.bikes[2].pk])}?contest={ride.contest.pk}"
    assert answer.headers["Location"] == card
    assert "no-store" in answer.headers["Cache-Control"]
    assert "Cookie" in answer.headers["Vary"]
    assert "Ben and Zoe" in get_visible_text(phone.get(card))


def test_the_phones_contest_and_stop_are_kept(ride: Ride, crew_client: CrewClient) -> None:
    more = {"event": ride.event, "game_key": "rock-yahtzee", "rules_version": 1}
    evening = Contest.objects.create(name="Evening", slug="evening", ordinal=2, **more)
    there = {"contest": str(evening.pk), "stop": str(ride.stops[1].pk)}
    phone = crew_client(ride.tom)

    known = phone.get(address(ride.bikes[2]), there).headers["Location"]
    odd = phone.get(address(ride.bikes[2]), {"contest": "7", "stop": "8"}).headers["Location"]

    assert known.endswith(f"?contest={evening.pk}&stop={ride.stops[1].pk}")
    assert odd.endswith(f"?contest={ride.contest.pk}")


def test_another_groups_bike_follows_the_take_over_rules(ride: Ride, crew_client: CrewClient) -> None:
    page = crew_client(ride.tom).get(address(ride.bikes[5]), follow=True)

    assert page.status_code == 403
    assert "Another group’s bike" in get_page_text(page)


def test_the_crew_are_redirected_to_the_tables_if_there_are_no_turns_at_stops(
    ride: Ride, crew_client: CrewClient
) -> None:
    Contest.objects.update(game_key="rogue", options={})

    assert crew_client(ride.rita).get(address(ride.bikes[2])).headers["Location"] == reverse("tables:list")


def test_everyone_else_is_redirected_to_the_public_page(
    ride: Ride, organiser_of_another: Client, abroad: Client
) -> None:
    for client in (Client(), organiser_of_another, abroad):
        answer = client.get(address(ride.bikes[2]))
        assert answer.headers["Location"] == public_page(ride, ride.bikes[2])
        assert client.get(answer.headers["Location"]).status_code == 200


def test_without_a_contest_for_bikes_it_redirects_to_the_ride(ride: Ride) -> None:
    Contest.objects.update(seats_are=Contest.SeatsAre.PLAYERS)

    assert Client().get(address(ride.bikes[2])).headers["Location"] == reverse("results:event", args=[ride.event.slug])


def test_a_merged_bike_leads_to_the_remaining_bike(ride: Ride, crew_client: CrewClient) -> None:
    alias = Bike.objects.create(event=ride.event, number=9, merged_into=ride.bikes[1])

    assert str(ride.bikes[1].pk) in crew_client(ride.rita).get(address(alias)).headers["Location"]
    assert Client().get(address(alias)).headers["Location"] == public_page(ride, ride.bikes[1])


@pytest.mark.parametrize("how", ["altered", "unknown", "id", "nonsense", "draft"])
def test_an_unknown_code_is_not_found_and_says_what_to_do(ride: Ride, crew_client: CrewClient, how: str) -> None:
    code = make_code(ride.bikes[2].pk)
    codes = {
        "altered": code[:-1] + ("a" if code[-1] != "a" else "b"),
        "unknown": make_code(uuid4()),
        "id": str(ride.bikes[2].pk),
        "nonsense": "ü" * 40,
        "draft": code,
    }
    url = reverse("scorecards:scanned", args=[codes[how]])
    if how == "draft":
        Event.objects.update(state=Event.State.DRAFT)

    public = Client().get(url)
    assert public.status_code == 404
    assert "We don’t know this bike" in get_page_text(public)
    assert "Ben" not in get_page_text(public)
    if how != "draft":
        crew = crew_client(ride.rita).get(url)
        assert crew.status_code == 404
        assert f'href="{reverse("scorecards:group")}#q"' in get_page_text(crew)


@pytest.fixture
def abroad(other_event: Event, crew_client: CrewClient) -> Client:
    """The phone of a crew member of another ride."""
    group = Group.objects.create(event=other_event, name="Theirs", ordinal=1)
    return crew_client(CrewMember.objects.create(group=group, name="Al", role=CrewMember.Role.ROAD_CAPTAIN))


@pytest.fixture
def organiser_of_another(charlie, other_event: Event, sign_in) -> Client:
    """Charlie's browser."""
    return sign_in(charlie)
