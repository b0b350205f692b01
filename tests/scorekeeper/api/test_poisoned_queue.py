"""One entry that no server can accept, at any place of a queue, costs none of the others: figure 31.

What makes the whole request unacceptable is left out here: such a queue is sent again in halves, as
`tests/browser/phone/test_sending.py` shows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import cycle
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from scorekeeper.api.json_parser import MAX_BODY_BYTES
from scorekeeper.ledger.models import Operation as RecordedOperation
from tests.faults.figures import Figures
from tests.faults.scale import FULL, scaled
from tests.scorekeeper.api.conftest import Operation, list_outcomes, post, rollback_at_end
from tests.scorekeeper.api.signing_phone import SigningPhone
from tests.scorekeeper.conftest import CrewClient, Ride

pytestmark = [pytest.mark.django_db, pytest.mark.database]

LENGTH = scaled(100, 10)
PLACES = range(LENGTH) if FULL else (0, LENGTH // 2, LENGTH - 1)


def nest(depth: int) -> list[Any]:
    """Return lists within lists."""
    inside: list[Any] = []
    for _ in range(depth):
        inside = [inside]
    return inside


POISONS: Mapping[str, Callable[[Operation], Any]] = {
    "text that cannot be encoded": lambda one: one | {"rider": "\ud800"},
    "a megabyte of text": lambda one: one | {"rider": "x" * 1_000_000},
    "deep nesting": lambda one: one | {"rider": nest(200)},
    "unknown fields": lambda one: one | {f"field {number}": number for number in range(1000)},
}


def make_queue() -> list[Operation]:
    """Return walk-ups, which are accepted in any number."""
    ids = [(str(uuid4()), str(uuid4())) for _ in range(LENGTH)]
    return [
        {"id": one, "kind": "register_bike", "bike": bike, "number": 500 + number, "rider": f"Rider {number}"}
        for number, (one, bike) in enumerate(ids)
    ]


@pytest.mark.timeout(1200)
def test_a_poisoned_entry_or_envelope_at_any_place_costs_no_other(
    ride: Ride, crew_client: CrewClient, figures: Figures
) -> None:
    rita, phone, relay = crew_client(ride.rita), SigningPhone.make_for(ride.rita), SigningPhone.make_for(ride.tom)
    phone.register_key()
    # Each place gets one poison as an entry, and the next one as an envelope.
    poisons = cycle(POISONS.values())
    for place in PLACES:
        queue, relayed = make_queue(), make_queue()
        queue[place] = next(poisons)(queue[place])
        relayed[place] = next(poisons)(relayed[place])
        next(poisons)
        with rollback_at_end():
            response = post(rita, json.dumps({"operations": queue}))
            assert response.status_code == 200
            _expect_all_but(place, response.json()["receipts"])
        with rollback_at_end():
            _expect_all_but(place, relay.deliver(*map(phone.make_envelope, relayed)))

    figures.add(
        "31 · one poisoned entry or envelope in a queue",
        f"{', '.join(POISONS)}: at each of {len(PLACES)} places among {LENGTH} one of them as an entry, and one as an "
        f"envelope; each time the other {LENGTH - 1} were recorded, and that one refused with its reason",
    )


def _expect_all_but(place: int, receipts: list[dict[str, Any]]) -> None:
    outcomes = list_outcomes(receipts)
    assert outcomes[:place] + outcomes[place + 1 :] == ["recorded"] * (LENGTH - 1)
    assert outcomes[place] in ("unreadable", "refused")
    assert receipts[place]["problems"][0]["message"]


@pytest.mark.parametrize("address", ["operations", "carried"])
def test_ten_megabytes_are_refused_as_a_whole_unread(
    ride: Ride, crew_client: CrewClient, figures: Figures, address: str
) -> None:
    body = json.dumps({"operations": [], "carried": [], "rest": "x" * 5 * MAX_BODY_BYTES})

    response = crew_client(ride.rita).post(reverse(f"api:{address}"), body, content_type="application/json")

    assert response.status_code == 413
    assert response.json()["error"]["code"] == "too_large"
    assert not RecordedOperation.objects.exists()

    figures.add(
        "31 · a request of many megabytes",
        f"{len(body) // 1_000_000} MB to each of the two addresses for entries: refused as too large, nothing recorded",
    )
