"""A phone registers its key once."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.test import Client
from django.urls import reverse

from scorekeeper.crew.models import Device
from scorekeeper.events.models import Event
from tests.scorekeeper.api.signing_phone import SigningPhone, encode_base64url, encode_public_key, make_key
from tests.scorekeeper.conftest import Ride

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone(ride: Ride) -> SigningPhone:
    return SigningPhone.make_for(ride.rita)


def get_stored_key(phone: SigningPhone) -> str:
    return Device.objects.get(pk=phone.device.pk).public_key


def test_the_key_is_stored_and_the_response_names_the_device(phone: SigningPhone) -> None:
    response = phone.register_key()

    assert (response.status_code, response.json()) == (200, {"device": str(phone.device.pk)})
    assert get_stored_key(phone) == encode_public_key(phone.key)
    assert response.headers["Cache-Control"] == "private, no-store"


def test_the_same_key_again_is_fine_and_another_is_refused(phone: SigningPhone) -> None:
    phone.register_key()

    assert phone.register_key().status_code == 200
    response = phone.register_key(encode_public_key(make_key()))

    assert (response.status_code, response.json()["error"]["code"]) == (409, "other_key")
    assert get_stored_key(phone) == encode_public_key(phone.key)


def test_a_phone_can_ask_which_key_is_registered(phone: SigningPhone) -> None:
    def ask() -> Any:
        return phone.client.get(reverse("api:key"))

    assert ask().json() == {"device": str(phone.device.pk), "public_key": ""}
    phone.register_key()
    assert ask().json() == {"device": str(phone.device.pk), "public_key": encode_public_key(phone.key)}
    assert ask().headers["Cache-Control"] == "private, no-store"
    assert Client().get(reverse("api:key")).status_code == 401


@pytest.mark.parametrize(("site", "status"), [("same-origin", 200), ("same-site", 403), ("cross-site", 403)])
def test_only_our_own_pages_can_ask(phone: SigningPhone, site: str, status: int) -> None:
    # Browsers send no Origin when a page reads from its own site.
    assert phone.client.get(reverse("api:key"), headers={"Sec-Fetch-Site": site}).status_code == status


def test_a_new_link_creates_a_new_device_with_its_own_key(ride: Ride, phone: SigningPhone) -> None:
    phone.register_key()
    assert SigningPhone.make_for(ride.rita).register_key().status_code == 200


def test_a_key_can_be_registered_before_the_ride_is_open(ride: Ride, phone: SigningPhone) -> None:
    ride.event.state = Event.State.DRAFT
    ride.event.save()

    assert phone.register_key().status_code == 200


def _other_kind() -> bytes:
    return (
        ed25519.Ed25519PrivateKey.generate().public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    )


def _compressed() -> bytes:
    """The same kind of key in another encoding."""
    point = make_key().public_key().public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
    return bytes.fromhex("3039301306072a8648ce3d020106082a8648ce3d030107032200") + point


def _off_the_curve() -> bytes:
    raw = bytearray(base64.urlsafe_b64decode(encode_public_key(make_key()) + "=="))
    raw[-1] ^= 1
    return bytes(raw)


@pytest.mark.parametrize(
    "key",
    [
        "",
        "key",
        "ä" * 20,
        "A" * 5000,
        encode_public_key(make_key(ec.SECP384R1())),
        encode_public_key(make_key(ec.SECP256K1())),
        encode_base64url(_other_kind()),
        encode_base64url(_compressed()),
        encode_base64url(_off_the_curve()),
        encode_public_key(make_key()) + "==",
        encode_public_key(make_key()) + "AAAA",
        " " + encode_public_key(make_key()),
    ],
    ids=[
        *("empty", "word", "no-letters", "long", "p-384", "another-p-256", "another-kind", "compressed"),
        *("off-the-curve", "padded", "longer", "with-a-blank"),
    ],
)
def test_only_a_canonically_encoded_point_on_the_curve_is_a_key(phone: SigningPhone, key: str) -> None:
    response = phone.register_key(key)

    assert (response.status_code, response.json()["error"]["code"]) == (422, "no_key")
    assert get_stored_key(phone) == ""


@pytest.mark.parametrize("body", [[], {}, 7, {"public_key": 7}, {"public_key": None}, {"public_key": "x", "more": 1}])
def test_a_malformed_body_is_refused(phone: SigningPhone, body: Any) -> None:
    response = phone.client.post(reverse("api:key"), body, content_type="application/json")

    assert (response.status_code, response.json()["error"]["code"]) == (422, "no_key")


def test_a_key_needs_a_device_and_one_of_our_pages(phone: SigningPhone) -> None:
    body = {"public_key": encode_public_key(phone.key)}
    stranger = Client().post(reverse("api:key"), body, content_type="application/json")
    foreign = phone.client.post(
        reverse("api:key"), body, content_type="application/json", headers={"Origin": "https://evil.example"}
    )

    assert (stranger.status_code, foreign.status_code) == (401, 403)
    assert get_stored_key(phone) == ""
