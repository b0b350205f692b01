"""If someone uses the id of another's operation first, the other's operation is recorded all the same."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Operation, ReviewItem
from scorekeeper.ledger.services.recording import derive_own_id
from tests.faults.figures import Figures
from tests.faults.scale import scaled
from tests.scorekeeper.api.conftest import list_outcomes
from tests.scorekeeper.api.signing_phone import SigningPhone
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import list_bike_turns

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def relay(ride: Ride) -> SigningPhone:
    """Tom's phone, which relays entries and knows their ids."""
    phone = SigningPhone.make_for(ride.tom)
    assert phone.register_key().status_code == 200
    return phone


def test_an_entry_counts_even_if_its_relay_has_used_its_id(ride: Ride, send, phone, relay, turn_operation) -> None:
    one = turn_operation(1, 1, "aces", 3)
    junk = turn_operation(2, 2, "chance", 20, id=one["id"])
    assert list_outcomes(send(junk, by=ride.tom)) == ["recorded"]

    (receipt,) = relay.deliver(phone.make_envelope(one))

    assert (receipt["id"], receipt["outcome"]) == (one["id"], "recorded")
    assert list_bike_turns(ride, 1) == [(1, "aces", 3)]
    assert list_bike_turns(ride, 2) == [(2, "chance", 20)]
    own = Operation.objects.get(pk=receipt["operation"])
    assert (own.actor_id, own.device_id) == (ride.rita.pk, phone.device.pk)
    assert Operation.objects.get(pk=one["id"]).actor_id == ride.tom.pk


def test_it_counts_once_however_often_and_from_whichever_phone_it_arrives(
    ride: Ride, send, phone, relay, turn_operation
) -> None:
    one, other = turn_operation(1, 1, "aces", 3), turn_operation(3, 1, "twos", 4)
    send(
        turn_operation(2, 2, "chance", 20, id=one["id"]), turn_operation(2, 3, "threes", 9, id=other["id"]), by=ride.tom
    )

    receipts = [
        send(one, other),
        relay.deliver(phone.make_envelope(one), phone.make_envelope(other)),
        send(one),
        send(other),
    ]

    assert [list_outcomes(batch) for batch in receipts] == [
        ["recorded"] * 2,
        ["recorded"] * 2,
        ["recorded"],
        ["recorded"],
    ]
    assert receipts[0] == receipts[1] == [*receipts[2], *receipts[3]]
    assert Operation.objects.count() == 4
    assert (list_bike_turns(ride, 1), list_bike_turns(ride, 3)) == ([(1, "aces", 3)], [(1, "twos", 4)])


def test_both_may_arrive_in_one_request(ride: Ride, phone, relay, turn_operation) -> None:
    one = turn_operation(1, 1, "aces", 3)
    junk, after = turn_operation(1, 2, "chance", 20, id=one["id"]), turn_operation(1, 3, "threes", 9)

    receipts = relay.deliver(relay.make_envelope(junk), phone.make_envelope(one), phone.make_envelope(after))

    assert list_outcomes(receipts) == ["recorded"] * 3
    assert list_bike_turns(ride, 1) == [(1, "aces", 3), (2, "chance", 20), (3, "threes", 9)]


def test_a_relayed_entry_for_an_occupied_slot_goes_to_review(ride: Ride, send, phone, relay, turn_operation) -> None:
    one = turn_operation(1, 1, "aces", 3)
    send(turn_operation(1, 1, "chance", 5, id=one["id"]), by=ride.tom)

    (receipt,) = relay.deliver(phone.make_envelope(one))

    assert receipt["outcome"] == "conflict"
    assert ReviewItem.objects.get().operation.actor_id == ride.rita.pk


def test_another_body_under_ones_own_id_is_refused(ride: Ride, send, turn_operation) -> None:
    one = turn_operation(1, 1, "aces", 3)
    send(turn_operation(2, 2, "chance", 20, id=one["id"]), by=ride.tom)
    send(one)

    assert list_outcomes(send({**one, "reason": "late"})) == ["other_body"]


def test_nobody_can_use_an_id_derived_for_someone_else(ride: Ride, send, turn_operation) -> None:
    one = turn_operation(1, 1, "aces", 3)
    own = derive_own_id(Actor.from_device(SigningPhone.make_for(ride.rita).device), UUID(one["id"]))

    assert list_outcomes(send(turn_operation(2, 2, "chance", 20, id=str(own)), by=ride.tom)) == ["unreadable"]


def test_a_walk_up_is_registered_even_if_the_bikes_id_is_in_use(ride: Ride, send) -> None:
    def register(number: int, rider: str, bike: str) -> dict[str, Any]:
        return {"id": str(uuid4()), "kind": "register_bike", "bike": bike, "number": number, "rider": rider}

    taken = str(uuid4())
    send(register(99, "Nobody", taken), by=ride.tom)
    mine = register(57, "Ida", taken)

    assert list_outcomes(send(mine, {**mine, "id": str(uuid4())}, mine)) == ["recorded", "merged", "recorded"]
    bikes = Bike.objects.filter(is_walk_up=True).order_by("number")
    assert [(bike.number, [one.name for one in bike.players.all()]) for bike in bikes] == [
        (57, ["Ida"]),
        (99, ["Nobody"]),
    ]
    assert list_outcomes(send(register(58, "Ida", taken))) == ["other_body"]


def test_an_id_used_at_another_ride_is_free_here(ride: Ride, other_event: Event, send, turn_operation) -> None:
    one = turn_operation(1, 1, "aces", 3)
    Operation.objects.create(
        id=one["id"],
        event=other_event,
        kind="turn",
        actor_id=uuid4(),
        digest="0" * 64,
        body={},
        outcome="recorded",
        receipt={},
        received_at=timezone.now(),
    )

    assert list_outcomes(send(one)) == ["recorded"]


def test_of_many_ids_that_others_used_first_each_counts_once_for_its_owner(
    ride: Ride, send, other_event: Event, figures: Figures
) -> None:
    """Half of the ids were used by another crew member, the other half at another ride."""
    ids = [str(uuid4()) for _ in range(scaled(500, 20))]

    def register(number: int, id_: str) -> dict[str, Any]:
        return {"id": id_, "kind": "register_bike", "bike": str(uuid4()), "number": number, "rider": f"Rider {number}"}

    half = len(ids) // 2
    theirs = [register(10_000 + place, one) for place, one in enumerate(ids[:half])]
    assert set(list_outcomes(send(*theirs, by=ride.tom))) == {"recorded"}
    Operation.objects.bulk_create(
        Operation(
            id=one,
            event=other_event,
            kind="register_bike",
            actor_id=uuid4(),
            digest="0" * 64,
            body={},
            outcome="recorded",
            receipt={},
            received_at=timezone.now(),
        )
        for one in ids[half:]
    )
    mine = [register(20_000 + place, one) for place, one in enumerate(ids)]

    first, again = send(*mine), send(*mine)

    assert set(list_outcomes(first)) == {"recorded"}
    assert first == again
    registered = Bike.objects.filter(event=ride.event, number__gte=20_000)
    assert sorted(registered.values_list("number", flat=True)) == [one["number"] for one in mine]
    assert Bike.objects.filter(event=ride.event, number__range=(10_000, 19_999)).count() == half
    figures.add(
        "32 · ids that someone else had used first",
        f"{len(ids)} ids, {half} of them another member's, {len(ids) - half} another ride's: all {len(mine)} entries "
        "of the owner recorded, each once although sent twice, and the others' unchanged",
    )
