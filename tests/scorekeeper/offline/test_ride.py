"""GET /api/v1/ride: a phone fetches what it needs to serve the crew's pages itself, and nothing else."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client

from scorekeeper.bikes.models import Bike
from scorekeeper.common.database_snapshot import consistent_snapshot
from scorekeeper.crew.models import Device
from scorekeeper.ledger.models import OperationReason
from scorekeeper.offline.app_files import list_static_urls
from scorekeeper.players.models import Player
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn
from tests.scorekeeper.statements import count_statements

URL = "/api/v1/ride"


def fetch(client: Client) -> dict[str, Any]:
    answer = client.get(URL)
    assert answer.status_code == 200
    ride: dict[str, Any] = answer.json()
    return ride


def rows(ride: dict[str, Any], name: str) -> list[dict[str, Any]]:
    table = ride["tables"][name]
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


@pytest.fixture
def captain(ride: Ride, crew_client: CrewClient) -> Client:
    """The road captain's phone."""
    return crew_client(ride.rita)


@pytest.fixture
def gunner(ride: Ride, crew_client: CrewClient) -> Client:
    """The tail-gunner's phone."""
    return crew_client(ride.tom)


def test_only_crew_phones_may_fetch_it(ride: Ride, client: Client, sign_in: SignIn, alice) -> None:
    for stranger in (client, sign_in(alice)):
        answer = stranger.get(URL)

        assert answer.status_code == 401
        assert answer.json()["error"]["code"] == "signed_out"
        assert answer["Cache-Control"] == "private, no-store"
    assert client.post(URL).status_code == 405


def test_it_contains_the_ride_and_what_the_pages_need(ride: Ride, captain: Client, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 22))

    ride_data = fetch(captain)

    assert ride_data["format"] == 1
    assert ride_data["server_time"]
    assert {one["number"] for one in rows(ride_data, "bikes.Bike")} == set(range(1, 9))
    assert [one["line"] for one in rows(ride_data, "scorecards.Turn")] == ["chance"]
    assert [one["kind"] for one in rows(ride_data, "scorecards.Entry")] == ["record"]
    assert set(ride_data["zones"]) == {"America/Edmonton", "UTC"}
    assert "default-src 'self'" in ride_data["headers"]["content-security-policy"]
    assert set(ride_data["static"].values()) == set(list_static_urls())


def test_a_phone_with_a_current_copy_gets_304(ride: Ride, captain: Client, add_turn) -> None:
    first = captain.get(URL)

    again = captain.get(URL, headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert first["Cache-Control"] == again["Cache-Control"] == "private, no-cache"
    assert not first["ETag"].startswith("W/")

    add_turn(1, 1, make_paper_turn("chance", 22))
    after = captain.get(URL, headers={"if-none-match": first["ETag"]})
    assert after.status_code == 200
    assert after["ETag"] != first["ETag"]


def test_no_secret_leaves_the_server(ride: Ride, captain: Client, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 22), reason="It rained at Parks")
    salt = OperationReason.objects.get().salt

    text = captain.get(URL).content.decode()

    digests = list(Device.objects.values_list("token_digest", flat=True))
    assert digests
    for secret in (*digests, salt, "password", "token_digest"):
        assert secret not in text


def test_reasons_and_logs_go_to_the_crew_of_the_bike_and_to_road_captains(
    ride: Ride, captain: Client, gunner: Client, add_turn
) -> None:
    gus = make_actor(ride.gus)
    add_turn(5, 1, make_paper_turn("chance", 22), by=gus, reason="Gus was late")
    add_turn(1, 1, make_paper_turn("chance", 19), reason="Rita was late")

    assert {one["text"] for one in rows(fetch(captain), "scorecards.Note")} == {
        "Gus was late",
        "Rita was late",
    }
    ride_data = fetch(gunner)
    assert {one["text"] for one in rows(ride_data, "scorecards.Note")} == {"Rita was late"}
    assert len(rows(ride_data, "scorecards.Entry")) == 1
    assert len(rows(ride_data, "scorecards.Turn")) == 2, "anyone who searches for bike 5 sees that it has rolled"
    assert "Gus was late" not in json.dumps(ride_data)


def test_others_operations_are_listed_without_their_content(ride: Ride, captain: Client, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 22), by=make_actor(ride.tom))

    (operation,) = rows(fetch(captain), "scorecards.Operation")

    assert operation["actor_id"] == str(ride.tom.pk)
    assert (operation["digest"], operation["body"], operation["receipt"]) == ("", {}, {})


def test_organisers_are_named_if_they_made_an_operation(ride: Ride, captain: Client, add_turn, desk) -> None:
    assert rows(fetch(captain), "auth.User") == []
    receipt = add_turn(1, 1, make_paper_turn("chance", 22))
    target = CorrectionTarget(receipt.operation_id, 1, None)
    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "Wrong card")

    assert [one["username"] for one in rows(fetch(captain), "auth.User")] == ["alice"]


def test_it_contains_nothing_of_another_ride(ride: Ride, other_event, captain: Client) -> None:
    Bike.objects.create(event=other_event, number=1, make="Elsewhere")
    Player.objects.create(event=other_event, name="Somebody else")

    text = captain.get(URL).content.decode()

    for word in ("Elsewhere", "Somebody else", "Charlie", str(other_event.pk)):
        assert word not in text


def test_the_number_of_statements_does_not_grow_with_the_ride(ride: Ride, captain: Client, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 22))
    captain.get(URL)
    few = count_statements(captain, URL)
    Bike.objects.bulk_create(
        [Bike(event=ride.event, number=number, group=ride.group_one) for number in range(100, 160)]
    )
    for number, bike in ride.bikes.items():
        if number in (2, 3, 4):
            add_turn(number, 1, make_paper_turn("chance", 22), reason=f"Bike {bike.number}")

    assert count_statements(captain, URL) == few


@pytest.mark.django_db(transaction=True)
def test_a_ride_is_a_consistent_snapshot(ride: Ride) -> None:
    def register() -> None:
        Bike.objects.create(event=ride.event, number=99)
        connection.close()

    with consistent_snapshot():
        before = Bike.objects.count()
        with ThreadPoolExecutor() as pool:
            pool.submit(register).result()
        during = Bike.objects.count()

    assert (during, Bike.objects.count()) == (before, before + 1)


def test_the_crews_static_files_are_listed_and_few(ride: Ride, captain: Client) -> None:
    pages = [
        "/crew/",
        "/crew/walk-up/",
        "/crew/tables/",
        "/rules/",
        "/rules/rogue/",
        f"/crew/bikes/{ride.bikes[1].pk}/",
    ]
    linked = {
        address
        for page in pages
        for address in re.findall(r'(?:href|src)="(/static/[^"]+)"', captain.get(page).content.decode())
    }

    assert len(linked) > 10
    assert linked <= set(list_static_urls())
    assert len(list_static_urls()) <= 120  # a phone loads each of them before it can go without signal
