"""While the standings are frozen, a phone gets what its crew needs for recording, and no newer figures of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.audience.services import freeze_standings, lift_freeze
from scorekeeper.crew.models import CrewMember
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.offline.conftest import MakeOfflinePhone
from tests.scorekeeper.offline.ride_copy import RideCopy
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.conftest import get_bike_card, make_actor, make_paper_turn

AddTurn = Callable[..., Any]
STANDING = reverse("scorecards:standing")


def list_turns(client: Client) -> dict[UUID, list[tuple[str | None, int, list[Any]]]]:
    """Return the box, the points and the dice of each turn on a phone, by scorecard."""
    table = client.get("/api/v1/ride").json()["tables"]["scorecards.Turn"]
    found: dict[UUID, list[tuple[str | None, int, list[Any]]]] = {}
    for row in table["rows"]:
        turn = dict(zip(table["columns"], row, strict=True))
        found.setdefault(UUID(turn["card_id"]), []).append((turn["line"], turn["points"], turn["dice"]))
    return {card: sorted(turns, key=str) for card, turns in found.items()}


@pytest.fixture
def frozen_ride(ride: Ride, add_turn: AddTurn) -> Ride:
    """Bikes 1 and 5, of two groups, have rolled before the freeze and after it; bikes 2 and 6 only before it."""
    gus = make_actor(ride.gus)
    for number, by in ((1, None), (2, None), (5, gus), (6, gus)):
        add_turn(number, 1, make_paper_turn("chance", 10 + number), by=by)
    freeze_standings(ride.event)
    add_turn(1, 2, make_paper_turn("sixes", 24))
    add_turn(5, 2, make_paper_turn("sixes", 18), by=gus)
    return ride


def test_a_tail_gunners_phone_gets_others_turns_without_figures(frozen_ride: Ride, crew_client: CrewClient) -> None:
    phone = crew_client(frozen_ride.tom)
    cards = {number: get_bike_card(frozen_ride, frozen_ride.bikes[number]).pk for number in (1, 5, 6)}

    turns = list_turns(phone)

    assert turns[cards[1]] == [("chance", 11, []), ("sixes", 24, [])], "its own group's scorecards go on"
    assert turns[cards[5]] == [("", 0, []), ("", 0, [])]
    assert turns[cards[6]] == [("chance", 16, [])], "nothing is newer than the freeze"
    lift_freeze(frozen_ride.event)
    assert list_turns(phone)[cards[5]] == [("chance", 15, []), ("sixes", 18, [])]


def test_a_phone_that_is_up_to_date_fetches_the_figures_once_the_freeze_is_lifted(
    frozen_ride: Ride, crew_client: CrewClient
) -> None:
    copy, key = RideCopy(crew_client(frozen_ride.tom)), f"card:{get_bike_card(frozen_ride, frozen_ride.bikes[5]).pk}"
    assert "sixes" not in str(copy.contents[key])
    assert copy.contents["events.Freeze"]["events.Freeze"]

    lift_freeze(frozen_ride.event)
    copy.refresh()

    assert "sixes" in str(copy.contents[key])
    assert not copy.contents["events.Freeze"]["events.Freeze"]


def test_a_road_captains_phone_gets_all_turns_because_it_may_open_every_scorecard(
    frozen_ride: Ride, crew_client: CrewClient
) -> None:
    turns = list_turns(crew_client(frozen_ride.rita))

    assert turns[get_bike_card(frozen_ride, frozen_ride.bikes[5]).pk] == [("chance", 15, []), ("sixes", 18, [])]


@pytest.mark.parametrize(("name", "is_named"), [("tom", False), ("rita", True)])
def test_the_result_of_a_found_bike_is_named_only_for_those_who_may_open_its_card(
    frozen_ride: Ride, crew_client: CrewClient, name: str, is_named: bool
) -> None:
    member: CrewMember = getattr(frozen_ride, name)
    page = get_visible_text(crew_client(member).get(f"/crew/?q=5&stop={frozen_ride.stops[1].pk}"))

    assert ("Sixes: 18" in page) is is_named
    assert ("Played" in page) is not is_named
    lift_freeze(frozen_ride.event)
    assert "Sixes: 18" in get_visible_text(crew_client(member).get(f"/crew/?q=5&stop={frozen_ride.stops[1].pk}"))


def test_the_groups_own_standings_are_those_of_the_freeze(frozen_ride: Ride, crew_client: CrewClient) -> None:
    page = get_visible_text(crew_client(frozen_ride.tom).get(STANDING))

    assert "the result is announced at the finale" in page
    assert "1 2 Ben and Zoe 1/5 12 2 1 Ann 1/5 11 – 3 Cleo 0/5 –" in page
    lift_freeze(frozen_ride.event)
    page = get_visible_text(crew_client(frozen_ride.tom).get(STANDING))
    assert "announced" not in page
    assert "1 1 Ann 2/5 35 2 2 Ben and Zoe 1/5 12" in page


@pytest.mark.node
def test_without_signal_the_pages_are_the_same(frozen_ride: Ride, make_offline_phone: MakeOfflinePhone) -> None:
    for member in (frozen_ride.tom, frozen_ride.rita):
        phone = make_offline_phone(member)
        for address in (STANDING, f"/crew/?q=5&stop={frozen_ride.stops[1].pk}"):
            assert phone.get(address).status_code == 200  # and the same as the server's page
