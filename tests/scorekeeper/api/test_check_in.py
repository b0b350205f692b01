"""Ticks of the check-in list and marks of bikes that did not start, as phones send them."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from scorekeeper.check_in.models import BikeCheck, CheckItem
from scorekeeper.check_in.services import add_item
from scorekeeper.scorecards.selectors.non_starters import list_non_starters
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.api.conftest import Send, list_outcomes
from tests.scorekeeper.api.signing_phone import SigningPhone
from tests.scorekeeper.conftest import Ride

pytestmark = pytest.mark.django_db


@pytest.fixture
def paid(ride: Ride) -> CheckItem:
    return add_item(ride.event, "Paid")


def make_check(ride: Ride, number: int, item: CheckItem, **more: Any) -> dict[str, Any]:
    ids = {"id": str(uuid4()), "bike": str(ride.bikes[number].pk), "item": str(item.pk)}
    return {"kind": "check", **ids, "checked": True, **more}


def make_mark(ride: Ride, number: int, **more: Any) -> dict[str, Any]:
    return {"kind": "did_not_start", "id": str(uuid4()), "bike": str(ride.bikes[number].pk), "value": True, **more}


def test_a_queue_of_ticks_turns_and_marks_is_recorded_in_order(
    ride: Ride, paid: CheckItem, send: Send, turn_operation
) -> None:
    tick = make_check(ride, 1, paid)
    sent = [
        tick,
        make_mark(ride, 2, reason="a flat tyre"),
        turn_operation(1, 1, "chance", 20),
        tick,
        make_check(ride, 1, paid),
        make_check(ride, 1, paid, checked=False),
        make_mark(ride, 1),
    ]
    receipts = send(*sent)

    assert list_outcomes(receipts) == ["recorded", "recorded", "recorded", "recorded", "merged", "recorded", "merged"]
    assert receipts[3]["entries"] == receipts[0]["entries"], "a duplicate gets the first receipt"
    assert receipts[6]["data"] == {"has_turns": True}
    assert not BikeCheck.objects.exists()
    assert list_non_starters(ride.event) == {ride.bikes[2].pk}
    assert list(list_damage(ride.event)) == []


def test_what_is_not_allowed_or_unreadable_blocks_nothing_else(ride: Ride, paid: CheckItem, send: Send) -> None:
    missing, unreadable = make_check(ride, 1, paid), make_check(ride, 1, paid, checked="yes")
    del missing["checked"]
    receipts = send(
        make_check(ride, 5, paid),
        make_mark(ride, 1),
        missing,
        unreadable,
        make_check(ride, 1, paid, bike=str(uuid4())),
        make_mark(ride, 1, reason="x" * 201),
        make_check(ride, 1, paid),
        by=ride.tom,
    )
    refused = ["not_yours", "not_yours", "unreadable", "unreadable", "not_yet", "unreadable"]
    assert list_outcomes(receipts) == [*refused, "recorded"]


def test_another_phone_delivers_ticks_but_not_those_of_a_revoked_phone(ride: Ride, paid: CheckItem) -> None:
    toms, relay = SigningPhone.make_for(ride.tom), SigningPhone.make_for(ride.rita)
    toms.register_key()
    delivered = relay.deliver(toms.make_envelope(make_check(ride, 1, paid)))
    assert list_outcomes(delivered) == ["recorded"]

    toms.device.revoked_at = toms.device.created_at
    toms.device.save()
    delivered = relay.deliver(toms.make_envelope(make_check(ride, 2, paid)))
    assert list_outcomes(delivered) == ["not_yours"], "nobody would decide on it, so it stays on the phone"
    assert BikeCheck.objects.count() == 1
