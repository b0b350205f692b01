"""Agreed cards, as phones send them."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from scorekeeper.agreements.models import Agreement
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.agreements.conftest import get_agreement, get_digest
from tests.scorekeeper.api.conftest import Send, list_outcomes
from tests.scorekeeper.api.signing_phone import SigningPhone
from tests.scorekeeper.conftest import Ride

pytestmark = pytest.mark.django_db


def make_agreement(ride: Ride, number: int, digest: object = "a" * 64, **more: Any) -> dict[str, Any]:
    ids = {"id": str(uuid4()), "contest": str(ride.contest.pk), "bike": str(ride.bikes[number].pk)}
    return {"kind": "agree", **ids, "digest": digest, "agreed": True, **more}


def test_a_queue_of_turns_and_agreements_is_recorded_in_order(ride: Ride, send: Send, turn_operation) -> None:
    turn = turn_operation(1, 1, "chance", 20)
    send(turn)
    sent = make_agreement(ride, 1, get_digest(ride, 1))
    receipts = send(
        turn,
        sent,
        sent,
        make_agreement(ride, 1, get_digest(ride, 1), by="captain"),
        make_agreement(ride, 2, agreed=False),
        turn_operation(1, 2, "aces", 3),
    )

    assert list_outcomes(receipts) == ["recorded", "recorded", "recorded", "merged", "merged", "recorded"]
    assert receipts[2]["entries"] == receipts[1]["entries"], "a duplicate gets the first receipt"
    assert get_agreement(ride, 1).current is None
    assert get_agreement(ride, 1).earlier is not None
    assert list(list_damage(ride.event)) == []


def test_what_is_not_allowed_or_unreadable_blocks_nothing_else(ride: Ride, send: Send) -> None:
    missing = make_agreement(ride, 1)
    del missing["agreed"]
    receipts = send(
        make_agreement(ride, 5),
        make_agreement(ride, 1, by="captain"),
        make_agreement(ride, 1, by="nobody"),
        make_agreement(ride, 1, "A" * 64),
        make_agreement(ride, 1, "a" * 63),
        make_agreement(ride, 1, 7),
        missing,
        make_agreement(ride, 1, bike=str(uuid4())),
        make_agreement(ride, 1, contest=str(uuid4())),
        make_agreement(ride, 1),
        by=ride.tom,
    )
    refused = ["not_yours", "not_yours", *["unreadable"] * 5, "not_yet", "not_yet"]
    assert list_outcomes(receipts) == [*refused, "recorded"]


def test_another_phone_delivers_agreements_but_not_those_of_a_revoked_phone(ride: Ride) -> None:
    toms, relay = SigningPhone.make_for(ride.tom), SigningPhone.make_for(ride.rita)
    toms.register_key()
    assert list_outcomes(relay.deliver(toms.make_envelope(make_agreement(ride, 1)))) == ["recorded"]

    toms.device.revoked_at = toms.device.created_at
    toms.device.save()
    delivered = relay.deliver(toms.make_envelope(make_agreement(ride, 2)))
    assert list_outcomes(delivered) == ["not_yours"], "nobody would decide on it, so it stays on the phone"
    assert Agreement.objects.count() == 1
