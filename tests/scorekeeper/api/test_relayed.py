"""Entries of one phone that another relays: they count as their own phone's, once, and only if unaltered."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.api.forms import envelopes
from scorekeeper.crew.models import CrewMember, Device, Group
from scorekeeper.crew.phones import count_phones
from scorekeeper.crew.services.devices import create_device, record_phone_report, revoke_device, sign_out_device
from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Operation, ReviewItem
from scorekeeper.players.models import Player
from scorekeeper.scorecards.services.review import decide_review
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.api.conftest import list_outcomes, post
from tests.scorekeeper.api.signing_phone import SigningPhone, encode_base64url, make_key, sign
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import list_bike_turns

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def relay(ride: Ride) -> SigningPhone:
    """Tom's phone, which relays."""
    return SigningPhone.make_for(ride.tom)


def resign(phone: SigningPhone, envelope: dict[str, Any], text: str) -> dict[str, Any]:
    """Return an envelope with another text, signed by the phone."""
    return {**envelope, "operations_json": text, "signature": sign(phone.key, text)}


def test_a_relayed_entry_is_recorded_as_its_own_phones(ride: Ride, phone, relay, turn_operation) -> None:
    one, two = turn_operation(1, 1, "aces", 3), turn_operation(1, 2, "chance", 20)

    receipts = relay.deliver(phone.make_envelope(one), phone.make_envelope(two))

    assert list_outcomes(receipts) == ["recorded", "recorded"]
    assert [receipt["id"] for receipt in receipts] == [one["id"], two["id"]]
    assert list_bike_turns(ride, 1) == [(1, "aces", 3), (2, "chance", 20)]
    kept = Operation.objects.get(pk=one["id"])
    assert (kept.actor_id, kept.device_id) == (ride.rita.pk, phone.device.pk)


def test_permissions_are_the_recorders_not_the_relays(ride: Ride, phone, relay, turn_operation) -> None:
    """Bike 5 is in group two: neither Rita, without taking it over, nor her relay may record a turn for it."""
    supervisor = SigningPhone.make_for(ride.tom)
    supervisor.register_key()

    receipts = phone.deliver(
        supervisor.make_envelope(turn_operation(5, 1, "aces", 3, takes_over=True)),
        phone.make_envelope(turn_operation(5, 1, "aces", 3)),
    )

    assert list_outcomes(receipts) == ["not_yours", "not_yours"]


@pytest.mark.parametrize("first", ["phone", "relay"])
def test_whichever_phone_delivers_first_the_receipt_is_the_same(
    ride: Ride, phone: SigningPhone, relay: SigningPhone, turn_operation, first: str
) -> None:
    operations = [turn_operation(1, 1, "aces", 3), turn_operation(2, 1, "twos", 4)]
    envelopes = [phone.make_envelope(one) for one in operations]

    def send_herself() -> Any:
        return post(phone.client, {"operations": operations}).json()["receipts"]

    ways: list[Callable[[], Any]] = [send_herself, lambda: relay.deliver(*envelopes)]
    one, two = (way() for way in (ways if first == "phone" else reversed(ways)))

    assert one == two
    assert list_outcomes(one) == ["recorded", "recorded"]
    assert relay.deliver(*envelopes) == one
    assert Operation.objects.count() == 2


def test_an_altered_text_is_forged_and_blocks_no_other(ride: Ride, phone, relay, turn_operation) -> None:
    bad = phone.make_envelope(turn_operation(1, 1, "aces", 3))
    bad["operations_json"] = bad["operations_json"].replace('"points": 3', '"points": 5')
    good = phone.make_envelope(turn_operation(2, 1, "aces", 3))

    receipts = relay.deliver(bad, good)

    assert list_outcomes(receipts) == ["forged", "recorded"]
    assert receipts[0]["problems"][0]["message"].startswith("This entry does not match the signature")
    assert receipts[0]["problems"][0]["clause"] is receipts[0]["problems"][0]["field"] is None
    assert list_bike_turns(ride, 1) == []


def test_changed_whitespace_is_forged(phone, relay, turn_operation) -> None:
    """The exact text is signed; it is not serialized again."""
    one = phone.make_envelope(turn_operation(1, 1, "aces", 3))
    one["operations_json"] += " "
    assert list_outcomes(relay.deliver(one)) == ["forged"]


def test_one_phones_signature_is_not_anothers(ride: Ride, phone, relay, turn_operation) -> None:
    relay.register_key()
    in_ritas_name = {**relay.make_envelope(turn_operation(1, 1, "aces", 3)), "device": str(phone.device.pk)}
    by_tom = relay.make_envelope(turn_operation(1, 1, "aces", 3), device=str(phone.device.pk))
    as_toms = {**phone.make_envelope(turn_operation(1, 1, "aces", 3)), "device": str(relay.device.pk)}

    assert list_outcomes(relay.deliver(in_ritas_name, by_tom, as_toms)) == ["forged"] * 3
    assert not Operation.objects.exists()


@pytest.mark.parametrize(
    "signature",
    ["", "A", "A" * 86, "ä" * 86, "A" * 10_000, encode_base64url(b"\0" * 64), encode_base64url(b"\xff" * 64)],
    ids=len,
)
def test_an_invalid_signature_is_forged(phone, relay, turn_operation, signature: str) -> None:
    assert list_outcomes(
        relay.deliver({**phone.make_envelope(turn_operation(1, 1, "aces", 3)), "signature": signature})
    ) == ["forged"]


def test_a_signature_with_another_key_is_forged(phone, relay, turn_operation) -> None:
    phone.key = make_key()
    assert list_outcomes(relay.deliver(phone.make_envelope(turn_operation(1, 1, "aces", 3)))) == ["forged"]


def test_text_that_cannot_be_encoded_is_forged(phone, relay, turn_operation) -> None:
    one = phone.make_envelope(turn_operation(1, 1, "aces", 3, reason="word"))
    one["operations_json"] = one["operations_json"].replace("word", "\ud800")
    assert list_outcomes(relay.deliver(one)) == ["forged"]


def test_entries_of_a_phone_without_a_key_stay_with_the_relay(ride: Ride, relay, turn_operation) -> None:
    keyless = SigningPhone.make_for(ride.rita)
    one = keyless.make_envelope(turn_operation(1, 1, "aces", 3))

    assert list_outcomes(relay.deliver(one)) == ["not_yet"]
    keyless.register_key()
    assert list_outcomes(relay.deliver(one)) == ["recorded"]


@pytest.mark.parametrize("end", ["revoked", "expired"])
def test_entries_of_a_revoked_phone_go_to_review_from_any_relay(
    ride: Ride, phone, relay, desk: Actor, turn_operation, end: str
) -> None:
    """They may have been rolled before the phone was revoked, but nobody can tell, so none counts automatically."""
    one, two, walk_up = turn_operation(1, 1, "aces", 3), turn_operation(1, 2, "twos", 4), make_walk_up()
    third = {**turn_operation(1, 1, "aces", 3), "bike": walk_up["bike"]}
    sealed = [phone.make_envelope(operation) for operation in (one, two, walk_up, third)]
    _end(phone, end)

    assert post(phone.client, {"operations": [one]}).status_code == 401
    receipts = [*phone.deliver(*sealed[:1]), *relay.deliver(*sealed[1:])]

    assert list_outcomes(receipts) == ["review", "review", "recorded", "review"]
    assert receipts[0]["problems"][0]["code"] == "phone_ended"
    assert list_outcomes(phone.deliver(*sealed)) == list_outcomes(receipts)
    assert list_bike_turns(ride, 1) == []
    assert not Player.objects.filter(bike_id=walk_up["bike"]).exists()
    items = ReviewItem.objects.order_by("opened_at")
    assert [item.reason for item in items] == ["revoked"] * 3
    assert list(list_damage(ride.event)) == []

    decide_review(desk, uuid4(), items[0].pk, "apply", "I saw the dice")
    decide_review(desk, uuid4(), items[1].pk, "keep", "nobody saw it")
    assert list_bike_turns(ride, 1) == [(1, "aces", 3)]
    assert list(list_damage(ride.event)) == []


def test_a_revoked_phone_may_do_nothing_else(ride: Ride, phone, turn_operation, monkeypatch) -> None:
    addresses = ["/crew/", "/api/v1/ride", "/api/v1/ride/parts", f"/crew/bikes/{ride.bikes[1].pk}/"]
    stranger = SigningPhone.make_for(ride.tom)
    stranger.client.cookies.clear()
    revoke_device(phone.device)

    assert [phone.client.get(address).status_code for address in addresses] == [401] * len(addresses)
    assert phone.register_key().status_code == 401
    assert stranger.send([phone.make_envelope(turn_operation(1, 1, "aces", 3))]).status_code == 401
    assert list_outcomes(
        phone.deliver({**phone.make_envelope(turn_operation(1, 1, "aces", 3)), "signature": "A" * 86})
    ) == ["forged"]

    monkeypatch.setattr(envelopes, "MAX_QUARANTINED", 1)
    assert list_outcomes(phone.deliver(phone.make_envelope(turn_operation(1, 1, "aces", 3)))) == ["review"]
    assert list_outcomes(phone.deliver(phone.make_envelope(turn_operation(1, 2, "twos", 4)))) == ["not_yours"]


def make_walk_up() -> dict[str, Any]:
    """An operation that registers a walk-up."""
    who = {"number": 77, "rider": "Somebody", "passenger": "", "make": "", "model": ""}
    return {"id": str(uuid4()), "kind": "register_bike", "bike": str(uuid4()), **who}


def _end(phone: SigningPhone, how: str) -> None:
    if how == "revoked":
        revoke_device(phone.device)
    else:
        Device.objects.filter(pk=phone.device.pk).update(expires_at=timezone.now() - timedelta(days=1))


def test_entries_from_before_signing_out_or_a_new_owner_are_recorded(ride: Ride, phone, relay, turn_operation) -> None:
    """The owner ended the sign-in, so there is no sign that the phone is in the wrong hands."""
    other = SigningPhone.make_for(ride.tom)
    other.register_key()
    phone.client.post("/crew/sign-out/")
    other.client.post(reverse("crew:join", args=[create_invitation(ride.rita)[1]]), {"mine": "yes"})
    phone.device.refresh_from_db()
    other.device.refresh_from_db()
    assert [phone.device.is_valid(), other.device.is_valid()] == [False, False]

    receipts = relay.deliver(
        phone.make_envelope(turn_operation(1, 1, "aces", 3)), other.make_envelope(turn_operation(2, 1, "aces", 3))
    )

    assert list_outcomes(receipts) == ["recorded", "recorded"]
    kept = Operation.objects.in_bulk([receipt["id"] for receipt in receipts]).values()
    assert {one.actor_id for one in kept} == {ride.rita.pk, ride.tom.pk}
    assert {one.device_id for one in kept} == {phone.device.pk, other.device.pk}


def test_a_signed_out_phone_is_not_trusted_once_it_is_revoked(phone, relay, turn_operation) -> None:
    sign_out_device(phone.device)
    ended = Device.objects.get(pk=phone.device.pk).revoked_at

    revoke_device(phone.device)
    sign_out_device(phone.device)  # signing out does not undo the revocation

    assert list_outcomes(relay.deliver(phone.make_envelope(turn_operation(1, 1, "aces", 3)))) == ["review"]
    assert Device.objects.get(pk=phone.device.pk).revoked_at == ended


@pytest.mark.parametrize("end", ["left", "expired"])
def test_entries_are_refused_if_the_phone_can_no_longer_register_its_key(
    ride: Ride, relay, turn_operation, end: str
) -> None:
    keyless = SigningPhone.make_for(ride.rita)
    if end == "left":
        sign_out_device(keyless.device)
    else:
        Device.objects.filter(pk=keyless.device.pk).update(expires_at=timezone.now())

    (receipt,) = relay.deliver(keyless.make_envelope(turn_operation(1, 1, "aces", 3)))

    assert receipt["outcome"] == "not_yours"
    assert "never registered its key" in receipt["problems"][0]["message"]


def test_a_phone_of_another_ride_cannot_relay(ride: Ride, other_event: Event, phone, turn_operation) -> None:
    group = Group.objects.create(event=other_event, name="Theirs", ordinal=1)
    zoe = CrewMember.objects.create(group=group, name="Zoe", role=CrewMember.Role.TAIL_GUNNER)

    receipts = SigningPhone.make_for(zoe).deliver(phone.make_envelope(turn_operation(1, 1, "aces", 3)))

    assert list_outcomes(receipts) == ["not_yours"]
    assert not Operation.objects.exists()


def test_an_unknown_phone_is_refused(phone, relay, turn_operation) -> None:
    phone.device.pk = uuid4()
    assert list_outcomes(relay.deliver(phone.make_envelope(turn_operation(1, 1, "aces", 3)))) == ["not_yours"]


def test_entries_of_a_phone_are_recorded_in_its_order(ride: Ride, phone, relay, turn_operation) -> None:
    """The first of two turns in one slot counts; a relay may send them in any order."""
    first, second = (
        phone.make_envelope(turn_operation(1, 1, "aces", 3)),
        phone.make_envelope(turn_operation(1, 1, "aces", 5)),
    )

    assert list_outcomes(relay.deliver(second, first)) == ["conflict", "recorded"]
    assert list_bike_turns(ride, 1) == [(1, "aces", 3)]


def test_entries_of_several_phones_arrive_together(ride: Ride, phone, relay, turn_operation) -> None:
    relay.register_key()
    envelopes = [
        one.make_envelope(turn_operation(bike, 1, "aces", 3)) for bike, one in ((1, phone), (2, relay), (3, phone))
    ]

    receipts = relay.deliver(*envelopes)

    assert list_outcomes(receipts) == ["recorded"] * 3
    assert [json.loads(one["operations_json"])["operation"]["id"] for one in envelopes] == [
        one["id"] for one in receipts
    ]


@pytest.mark.parametrize(
    "bad",
    [
        None,
        7,
        "text",
        [],
        {},
        {"device": "x", "operations_json": "{}", "signature": ""},
        {"device": str(uuid4()), "operations_json": "{", "signature": ""},
        {"device": str(uuid4()), "operations_json": "[]", "signature": ""},
        {"device": str(uuid4()), "operations_json": "[" * 90_000, "signature": ""},
        {"device": str(uuid4()), "operations_json": "{}", "signature": "", "more": ""},
        {"device": str(uuid4()), "operations_json": {}, "signature": ""},
        {"device": None, "operations_json": "{}", "signature": ""},
    ],
)
def test_a_malformed_envelope_is_unreadable_and_blocks_no_other(phone, relay, turn_operation, bad: Any) -> None:
    assert list_outcomes(relay.deliver(bad, phone.make_envelope(turn_operation(1, 1, "aces", 3)))) == [
        "unreadable",
        "recorded",
    ]


@pytest.mark.parametrize(
    "changes",
    [{"sequence": -1}, {"sequence": 1.5}, {"sequence": True}, {"sequence": 2**60}, {"noted": None}, {"more": 1}],
)
def test_the_signed_text_is_parsed_strictly(phone, relay, turn_operation, changes: dict[str, Any]) -> None:
    assert list_outcomes(relay.deliver(phone.make_envelope(turn_operation(1, 1, "aces", 3), **changes))) == [
        "unreadable"
    ]


@pytest.mark.parametrize("operation", [None, [], {}, {"id": "7"}, {"id": str(uuid4()), "kind": "dance"}])
def test_a_malformed_operation_is_unreadable(phone, relay, turn_operation, operation: Any) -> None:
    receipts = relay.deliver(phone.make_envelope(operation), phone.make_envelope(turn_operation(1, 1, "aces", 3)))
    assert list_outcomes(receipts) == ["unreadable", "recorded"]


@pytest.mark.parametrize("body", ["[]", "{}", '{"carried": {}}', '{"carried": [], "report": {}}'])
def test_a_malformed_body_is_refused(relay, body: str) -> None:
    response = relay.client.post(reverse("api:carried"), body, content_type="application/json")
    assert (response.status_code, response.json()["error"]["code"]) == (422, "no_batch")


def test_at_most_five_hundred_are_accepted_at_once(phone, relay, turn_operation) -> None:
    envelope = phone.make_envelope(turn_operation(1, 1, "aces", 3))
    assert list_outcomes(relay.deliver(*[envelope] * 500)) == ["recorded"] * 500
    assert relay.send([envelope] * 501).status_code == 422


def test_only_a_phone_of_an_open_ride_can_relay(ride: Ride, phone, relay, turn_operation) -> None:
    envelope = phone.make_envelope(turn_operation(1, 1, "aces", 3))
    stranger = Client().post(reverse("api:carried"), {"carried": [envelope]}, content_type="application/json")
    assert stranger.status_code == 401
    ride.event.state = Event.State.DRAFT
    ride.event.save()
    assert relay.send([envelope]).status_code == 409
    assert not Operation.objects.exists()


def left(phone: SigningPhone) -> int:
    return Device.objects.get(pk=phone.device.pk).unsent


def test_a_phone_whose_entries_were_relayed_is_synced(ride: Ride, phone, relay, turn_operation) -> None:
    record_phone_report(phone.device, unsent=3, attention=0)
    record_phone_report(relay.device, unsent=0, attention=0)
    envelopes = [phone.make_envelope(turn_operation(bike, 1, "aces", 3)) for bike in (1, 2, 3)]

    relay.deliver(*envelopes[:2], envelopes[0])
    assert left(phone) == 1
    relay.deliver(*envelopes[:2])  # sent before
    assert left(phone) == 1
    assert not count_phones(ride.event).all_synced

    relay.deliver(*envelopes)
    assert left(phone) == 0
    assert count_phones(ride.event).all_synced


def test_the_number_of_unsent_entries_never_falls_below_zero(phone, relay, turn_operation) -> None:
    record_phone_report(phone.device, unsent=1, attention=0)
    relay.deliver(*(phone.make_envelope(turn_operation(bike, 1, "aces", 3)) for bike in (1, 2)))
    assert left(phone) == 0


def test_entries_that_were_not_recorded_are_still_on_their_phone(phone, relay, turn_operation) -> None:
    record_phone_report(phone.device, unsent=2, attention=0)
    unknown = phone.make_envelope({**turn_operation(1, 1, "aces", 3), "bike": str(uuid4())})

    assert list_outcomes(relay.deliver(unknown, phone.make_envelope(turn_operation(5, 1, "aces", 3)))) == [
        "not_yet",
        "not_yours",
    ]
    assert left(phone) == 2


def test_checking_hundreds_takes_no_more_statements(
    phone, relay, turn_operation, django_assert_max_num_queries
) -> None:
    some = [phone.make_envelope(turn_operation(1, 1, "aces", 3))] * 400
    relay.deliver(some[0])
    with django_assert_max_num_queries(20):
        relay.deliver(*some)


def test_a_member_with_two_phones_signs_on_each(ride: Ride, phone, relay, turn_operation) -> None:
    other = SigningPhone.make_for(ride.rita)
    other.register_key()
    assert (
        list_outcomes(
            relay.deliver(
                phone.make_envelope(turn_operation(1, 1, "aces", 3)),
                other.make_envelope(turn_operation(2, 1, "aces", 3)),
            )
        )
        == ["recorded"] * 2
    )
    assert create_device(ride.rita)[0].public_key == ""
