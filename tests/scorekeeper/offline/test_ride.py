"""GET /api/v1/ride: a phone fetches what it needs to answer the crew's pages by itself, and nothing beyond that."""

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
from scorekeeper.offline.app_files import list_static_urls
from scorekeeper.players.models import Player
from scorekeeper.scorecards.models import OperationReason
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


def test_it_is_for_phones_of_the_crew_alone(ride: Ride, client: Client, sign_in: SignIn, alice) -> None:
    for stranger in (client, sign_in(alice)):
        answer = stranger.get(URL)

        assert answer.status_code == 401
        assert answer.json()["error"]["code"] == "signed_out"
        assert answer["Cache-Control"] == "private, no-store"
    assert client.post(URL).status_code == 405


def test_it_holds_the_ride_and_what_the_pages_are_made_of(ride: Ride, captain: Client, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 22))

    told = fetch(captain)

    assert told["format"] == 1
    assert told["server_time"]
    assert {one["number"] for one in rows(told, "bikes.Bike")} == set(range(1, 9))
    assert [one["line"] for one in rows(told, "scorecards.Turn")] == ["chance"]
    assert [one["kind"] for one in rows(told, "scorecards.Entry")] == ["record"]
    assert set(told["zones"]) == {"America/Edmonton", "UTC"}
    assert "default-src 'self'" in told["headers"]["content-security-policy"]
    assert set(told["static"].values()) == set(list_static_urls())


def test_who_has_it_already_is_told_so(ride: Ride, captain: Client, add_turn) -> None:
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

    assert {one["text"] for one in rows(fetch(captain), "scorecards.OperationReason")} == {
        "Gus was late",
        "Rita was late",
    }
    told = fetch(gunner)
    assert {one["text"] for one in rows(told, "scorecards.OperationReason")} == {"Rita was late"}
    assert len(rows(told, "scorecards.Entry")) == 1
    assert len(rows(told, "scorecards.Turn")) == 2, "that bike 5 has rolled is shown to whoever looks for its number"
    assert "Gus was late" not in json.dumps(told)


def test_of_what_others_sent_it_tells_that_they_did_and_not_what(ride: Ride, captain: Client, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 22), by=make_actor(ride.tom))

    (operation,) = rows(fetch(captain), "scorecards.Operation")

    assert operation["actor_id"] == str(ride.tom.pk)
    assert (operation["digest"], operation["body"], operation["receipt"]) == ("", {}, {})


def test_organisers_are_named_where_they_did_something(ride: Ride, captain: Client, add_turn, desk) -> None:
    assert rows(fetch(captain), "auth.User") == []
    receipt = add_turn(1, 1, make_paper_turn("chance", 22))
    target = CorrectionTarget(receipt.operation_id, 1, None)
    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "Wrong card")

    assert [one["username"] for one in rows(fetch(captain), "auth.User")] == ["alice"]


def test_another_ride_is_in_none_of_it(ride: Ride, other_event, captain: Client) -> None:
    Bike.objects.create(event=other_event, number=1, make="Elsewhere")
    Player.objects.create(event=other_event, name="Somebody else")

    text = captain.get(URL).content.decode()

    for word in ("Elsewhere", "Somebody else", "Charlie", str(other_event.pk)):
        assert word not in text


def test_its_statements_do_not_grow_with_the_ride(ride: Ride, captain: Client, add_turn) -> None:
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
def test_what_is_noted_while_a_ride_is_read_is_in_all_of_it_or_in_none(ride: Ride) -> None:
    def register() -> None:
        Bike.objects.create(event=ride.event, number=99)
        connection.close()

    with consistent_snapshot():
        before = Bike.objects.count()
        with ThreadPoolExecutor() as pool:
            pool.submit(register).result()
        during = Bike.objects.count()

    assert (during, Bike.objects.count()) == (before, before + 1)


def test_the_static_files_of_the_crews_pages_are_named_and_few(ride: Ride, captain: Client) -> None:
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
    assert len(list_static_urls()) < 100
