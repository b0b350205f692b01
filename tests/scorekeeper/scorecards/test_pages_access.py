"""For which bikes the crew may open pages. The access rules of each page are tested in `tests/scorekeeper/rights`."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import CrewMember
from scorekeeper.ledger.models import Operation
from scorekeeper.scorecards.models import Turn
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.scorecards.conftest import make_final_turn

OF_THE_BIKE = ("card", "other_turn", "history", "correct", "void", "move")


@pytest.fixture
def lou(ride: Ride, crew_client: CrewClient) -> Client:
    """The phone of group two's tail-gunner."""
    lou = CrewMember.objects.create(group=ride.group_two, name="Lou", role=CrewMember.Role.TAIL_GUNNER)
    return crew_client(lou)


def test_a_tail_gunner_reads_and_changes_no_card_of_another_group(ride: Ride, add_turn, lou: Client) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))
    turn = Turn.objects.get()
    before = Operation.objects.count()

    sent = {"turn": str(turn.pk), "seq": str(turn.seq), "operation": str(uuid4()), "reason": "because"}
    addresses = {
        name: reverse(f"scorecards:{name}", args=[ride.bikes[1].pk]) for name in (*OF_THE_BIKE, "undo", "withdraw")
    }
    read = {f"GET {name}": lou.get(addresses[name], sent) for name in OF_THE_BIKE}
    changed = {f"POST {name}": lou.post(addresses[name], sent) for name in addresses if name != "history"}
    for name, answer in {**read, **changed}.items():
        assert (answer.status_code, b"Chance" in answer.content) == (403, False), name
    assert Operation.objects.count() == before


def test_an_unknown_bike_is_not_found(ride: Ride, crew_client: CrewClient) -> None:
    for name in OF_THE_BIKE:
        assert crew_client(ride.rita).get(reverse(f"scorecards:{name}", args=[uuid4()])).status_code == 404


def test_a_merged_bikes_address_leads_to_the_bike_it_was_merged_into(ride: Ride, crew_client: CrewClient) -> None:
    alias = Bike.objects.create(event=ride.event, number=1, suffix=2, group=ride.group_one, merged_into=ride.bikes[1])

    page = crew_client(ride.tom).get(reverse("scorecards:card", args=[alias.pk]))

    assert "Ann" in page.content.decode()


def test_pages_are_not_cached(ride: Ride, crew_client: CrewClient) -> None:
    answer = crew_client(ride.tom).get(reverse("scorecards:group"))

    assert "no-store" in answer.headers["Cache-Control"]
    assert "Cookie" in answer.headers["Vary"]
