"""A ride with spectators, and a push service of our own: it checks who sends, and its browsers decrypt what they get.

The browser's side of RFC 8291 is written here again, from its text and with the standard library's HMAC, so that a
mistake of the program is not made twice.
"""

from __future__ import annotations

import base64
import datetime as dt
import hmac
import json
import os
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.push.models import PushNews, PushSubscription
from scorekeeper.push.selectors import list_due
from scorekeeper.push.sending import send_batch
from scorekeeper.push.services import notice_news
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import get_bike_card
from tests.scorekeeper.standings.conftest import add_turn, close, desk, update_standings
from tests.scorekeeper.table_fixtures import (
    add_action,
    add_game_table,
    add_table,
    fetch_table,
    people,
    phone,
    pig_contest,
    pig_table,
)
from tests.scorekeeper.webhooks.conftest import Receiver, run_receiver

__all__ = [
    "add_action",
    "add_game_table",
    "add_table",
    "add_turn",
    "close",
    "desk",
    "fetch_table",
    "people",
    "phone",
    "pig_contest",
    "pig_table",
    "update_standings",
]
CONTACT = "mailto:club@example.org"


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encode_point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """Return what HKDF (RFC 5869) with SHA-256 derives, up to 32 bytes."""
    pseudorandom = hmac.digest(salt, secret, "sha256")
    return hmac.digest(pseudorandom, info + b"\1", "sha256")[:length]


def decrypt(body: bytes, key: ec.EllipticCurvePrivateKey, secret: bytes) -> bytes:
    """Return the plaintext of a message in one record, as a browser with this key and secret reads it."""
    salt, (size, length) = body[:16], struct.unpack("!LB", body[16:21])
    sender, record = body[21 : 21 + length], body[21 + length :]
    assert len(record) <= size <= 4096
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
    info = b"WebPush: info\0" + encode_point(key.public_key()) + sender
    seed = derive(secret, shared, info, 32)
    content_key, nonce = (
        derive(salt, seed, b"Content-Encoding: " + name + b"\0", length)
        for name, length in ((b"aes128gcm", 16), (b"nonce", 12))
    )
    padded = AESGCM(content_key).decrypt(nonce, record, None)
    plaintext, delimiter, padding = padded.rpartition(b"\2")
    assert delimiter
    assert not padding.strip(b"\0")
    return plaintext


@dataclass
class Browser:
    """A browser that has subscribed at a push service.

    Attributes:
        endpoint: its address there.
    """

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def description(self) -> dict[str, Any]:
        """What `PushSubscription.toJSON()` returns in it."""
        keys = {"p256dh": encode(encode_point(self.key.public_key())), "auth": encode(self.secret)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def ask(self, client: Client, what: str, **data: Any) -> Any:
        """Return the response to a request of its page."""
        return client.post(f"/push/{what}", {"endpoint": self.endpoint, **data}, content_type="application/json")

    def follow(self, client: Client, ride: Ride, number: int | None = 1, **data: Any) -> Any:
        """Return the response to its switch on the page of a bike; None for the page of the event."""
        subject = {"event": ride.event.slug}
        if number is not None:
            subject |= {"contest": ride.contest.slug, "entrant": str(ride.bikes[number].pk)}
        return client.post("/push/follow", {**self.description, **subject, **data}, content_type="application/json")


@dataclass
class PushService:
    """A push service, whose browsers are told apart by the paths of their endpoints."""

    receiver: Receiver
    browsers: dict[str, Browser] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.receiver.port}"

    def add_browser(self) -> Browser:
        path = f"/send/{uuid4().hex}"
        self.browsers[path] = Browser(f"{self.url}{path}")
        return self.browsers[path]

    def get_notifications(self, browser: Browser) -> list[dict[str, str]]:
        """Return what a browser got, after checking each message as a push service and a browser do."""
        found = []
        for path, headers, body in self.receiver.received:
            self.check_sender(headers)
            assert headers["content-encoding"] == "aes128gcm"
            assert 0 < int(headers["ttl"]) <= 2 * 60 * 60
            assert len(body) <= 4096
            assert len(headers["topic"]) <= 32
            plaintext = decrypt(body, self.browsers[path].key, self.browsers[path].secret)
            if self.browsers[path] is browser:
                found.append(json.loads(plaintext))
        return found

    def check_sender(self, headers: dict[str, str]) -> dict[str, Any]:
        """Return the claims of a message's token, after checking it by RFC 8292."""
        scheme, _space, parameters = headers["authorization"].partition(" ")
        values = dict(part.strip().split("=", 1) for part in parameters.split(","))
        signed, _dot, signature = values["t"].rpartition(".")
        head, claims = (json.loads(decode(part)) for part in signed.split("."))
        numbers = decode(signature)
        r, s = (int.from_bytes(numbers[start : start + 32], "big") for start in (0, 32))
        sender = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(values["k"]))
        sender.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))
        assert (scheme, head["alg"]) == ("vapid", "ES256")
        assert claims["aud"] == self.url
        assert time.time() < claims["exp"] <= time.time() + 24 * 60 * 60
        return {**claims, "k": values["k"]}


@pytest.fixture(autouse=True)
def _set_up(settings: Settings) -> None:
    """This installation has a contact, and this machine may be sent messages."""
    settings.PUSH_CONTACT, settings.WEBHOOKS_TO_LOOPBACK = CONTACT, True


@pytest.fixture
def service() -> Iterator[PushService]:
    with run_receiver() as receiver:
        yield PushService(receiver)


@pytest.fixture
def browser(service: PushService) -> Browser:
    """A spectator's browser."""
    return service.add_browser()


@pytest.fixture
def correct(ride: Ride, desk: Actor) -> Callable[..., Receipt]:
    """Correct a turn: `correct(1, slot, actions)`; None for the actions voids it."""

    def amend(number: int, slot: int, actions: list[dict[str, Any]] | None) -> Receipt:
        bike = ride.bikes[number]
        turn = Turn.objects.get(card=get_bike_card(ride, bike), slot=ride.slots[slot - 1])
        targets = [CorrectionTarget(turn.pk, turn.seq, actions)]
        return amend_turns(desk, uuid4(), ride.contest.pk, bike.pk, targets, "read wrongly")

    return amend


def send_due() -> int:
    """Notice what is new, and send whatever is due, as the sweeper and the workers do; return how many attempts."""
    notice_news()
    by_receiver: dict[str, list[Any]] = {}
    for receiver, pk in list_due(timezone.now()).values_list("receiver", "pk"):
        by_receiver.setdefault(receiver, []).append(pk)
    return sum(len(send_batch(ids)) for ids in by_receiver.values())


def make_all_due() -> None:
    """Let the time pass until every subscription may be tried again."""
    PushSubscription.objects.update(next_attempt_at=None)


def let_news_age(seconds: float) -> None:
    """Let the time pass for what is new."""
    for item in PushNews.objects.all():
        PushNews.objects.filter(pk=item.pk).update(created_at=item.created_at - dt.timedelta(seconds=seconds))


@pytest.fixture
def publish_results(ride: Ride, desk: Actor, close: Callable[[], Receipt]) -> Callable[[], None]:
    """Close the contest and publish its results."""

    def make() -> None:
        close()
        publish(ride, desk)

    return make


def publish(ride: Ride, desk: Actor) -> None:
    publish_contest(desk, uuid4(), ride.contest.pk, "nobody else comes")
