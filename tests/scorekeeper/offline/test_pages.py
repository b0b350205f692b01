"""The phone answers the crew's pages as the server does, and what it records is what the server records."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from scorekeeper.scorecards.models import Entry, Operation
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.offline.conftest import MakeTwin
from tests.scorekeeper.offline.twin import Twin
from tests.scorekeeper.pages import text_of
from tests.scorekeeper.scorecards.conftest import turns_of
from tests.scorekeeper.scorecards.pages import card_url, crew_url, list_forms, press, tap_dice

pytestmark = pytest.mark.node


@pytest.fixture
def twin(ride: Ride, make_twin: MakeTwin) -> Twin:
    """Rita's phone."""
    return make_twin(ride.rita)


def note_turn(phone: Any, ride: Ride, number: int, slot: int, faces: str, box: str) -> Any:
    page = tap_dice(phone, phone.get(card_url(ride, number, slot)), faces)
    return press(phone, page, choose=f"score:{box}")


def list_log() -> list[tuple[str, Any, str]]:
    """What the log says, without what the server alone gives: times, and the salts of reasons."""
    entries = Entry.objects.order_by("chain", "seq")
    dropped = r'"(at|hash|prev|note)":("[^"]*"|null),?'
    return [(entry.kind, entry.slot_id, re.sub(dropped, "", entry.body)) for entry in entries]


def test_every_page_of_a_fresh_ride_is_the_servers(ride: Ride, twin: Twin) -> None:
    bike = ride.bikes[1]
    for name in ("group", "dice_set", "walk_up"):
        twin.get(reverse(f"scorecards:{name}"))
    for page in ("card", "history", "other_turn", "correct"):
        twin.get(reverse(f"scorecards:{page}", args=[bike.pk]))
    for path in ("/crew/?q=5", "/crew/?q=99", f"/crew/?stop={ride.stops[2].pk}", "/crew/tables/", "/rules/"):
        twin.get(path)
    twin.get(card_url(ride, 5, 1))  # another group's
    twin.get(card_url(ride, 5, 1, takes_over=1))


def test_a_turn_that_is_noted_on_the_phone_is_the_servers_turn(ride: Ride, twin: Twin) -> None:
    answer = note_turn(twin, ride, 2, 2, "34552", "small_straight")

    assert [one["kind"] for one in answer.operations] == ["turn"]
    assert turns_of(ride, 2) == [(2, "small_straight", 30)]
    told = text_of(twin.follow(answer))
    assert "Bike 2, Ben and Zoe: Small straight, 30 points at Parks." in told
    assert "Saved on this phone, waiting to send" in told
    twin.get("/crew/")
    twin.get(crew_url(ride, 2, "history"))


def test_an_undo_on_the_phone_voids_the_turn_on_the_server(ride: Ride, twin: Twin) -> None:
    page = twin.follow(note_turn(twin, ride, 1, 1, "66666", "yahtzee"))

    answer = twin.post(crew_url(ride, 1, "undo"), list_forms(page)[0])

    assert [one["kind"] for one in answer.operations] == ["amend"]
    assert turns_of(ride, 1) == []
    assert "Undone: nothing is noted at Ozweld" in text_of(twin.ask("GET", answer.url))
    twin.get(crew_url(ride, 1, "history"))


def test_what_the_server_says_of_the_log_the_phone_has_written_itself(ride: Ride, twin: Twin) -> None:
    note_turn(twin, ride, 1, 1, "66666", "yahtzee")
    note_turn(twin, ride, 2, 1, "12345", "large_straight")
    sent = twin.sent
    log = list_log()

    assert [one["id"] for one in sent] == [
        str(pk) for pk in Operation.objects.order_by("received_at").values_list("pk", flat=True)
    ]
    assert {kind for kind, _slot, _body in log} == {"record"}
