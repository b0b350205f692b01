"""Fixtures that send operations as a phone does, and helpers that make them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from scorekeeper.crew.models import CrewMember
from tests.scorekeeper.api.signing_phone import SigningPhone
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.scorecards.conftest import desk
from tests.scorekeeper.table_fixtures import add_action, add_table, fetch_table, people, pig_contest

__all__ = ["add_action", "add_table", "desk", "fetch_table", "people", "pig_contest"]

Operation = dict[str, Any]
Send = Callable[..., list[dict[str, Any]]]


def post(phone: Client, data: Any, **headers: str) -> Any:
    """Send a body unchanged."""
    return phone.post(reverse("api:operations"), data, content_type="application/json", headers=headers)


@pytest.fixture
def send(ride: Ride, crew_client: CrewClient) -> Send:
    """Send operations from Rita's or another phone, and return the receipts: `send(one, two, by=ride.tom)`."""

    def make(*operations: Any, by: CrewMember = ride.rita) -> list[dict[str, Any]]:
        response = post(crew_client(by), {"operations": list(operations)})
        assert response.status_code == 200, response.content
        receipts: list[dict[str, Any]] = response.json()["receipts"]
        assert len(receipts) == len(operations)
        return receipts

    return make


@pytest.fixture
def turn_operation(ride: Ride) -> Callable[..., Operation]:
    """A turn from a paper card: `turn_operation(1, 2, "chance", 20)` for bike 1 in slot 2."""

    def make(bike: int, slot: int, box: str, points: int, **more: Any) -> Operation:
        actions = [{"type": "paper", "box": box, "points": points}]
        return {
            "id": str(uuid4()),
            "kind": "turn",
            "contest": str(ride.contest.pk),
            "bike": str(ride.bikes[bike].pk),
            "slot": str(ride.slots[slot - 1].pk),
            "actions": actions,
            **more,
        }

    return make


@pytest.fixture
def phone(ride: Ride) -> SigningPhone:
    """Rita's phone, whose entries are relayed; its key is registered."""
    phone = SigningPhone.make_for(ride.rita)
    assert phone.register_key().status_code == 200
    return phone


def list_outcomes(receipts: list[dict[str, Any]]) -> list[str]:
    """Return the outcome of each receipt."""
    return [receipt["outcome"] for receipt in receipts]


@contextmanager
def rollback_at_end() -> Iterator[None]:
    """Roll back all changes to the database at the end."""
    block = transaction.atomic()
    # As in a test's own transaction, durable blocks are allowed inside.
    block._from_testcase = True  # type: ignore[attr-defined]
    with block:
        yield
        transaction.set_rollback(True)
