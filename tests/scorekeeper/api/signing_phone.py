"""A crew phone with a key: it signs its entries as static/js/phone/swap/signing.js does."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.test import Client
from django.urls import reverse

from scorekeeper.crew.access import DEVICE_COOKIE
from scorekeeper.crew.models import CrewMember, Device
from scorekeeper.crew.services.devices import create_device

Data = dict[str, Any]
RECORDED_AT = "2026-06-20T18:00:00.000Z"


def encode_base64url(data: bytes) -> str:
    """Return bytes in base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def make_key(curve: ec.EllipticCurve | None = None) -> ec.EllipticCurvePrivateKey:
    """Return a key pair, by default on P-256."""
    return ec.generate_private_key(curve or ec.SECP256R1())


def encode_public_key(key: ec.EllipticCurvePrivateKey) -> str:
    """Return the public key as a phone sends it."""
    return encode_base64url(key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))


def sign(key: ec.EllipticCurvePrivateKey, text: str) -> str:
    """Return the signature of a text, as WebCrypto makes it."""
    r, s = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(SHA256())))
    return encode_base64url(r.to_bytes(32) + s.to_bytes(32))


@dataclass
class SigningPhone:
    """A phone."""

    device: Device
    client: Client
    key: ec.EllipticCurvePrivateKey = field(default_factory=make_key)
    sequence: int = 0

    @classmethod
    def make_for(cls, member: CrewMember) -> SigningPhone:
        """Return a new phone of the member, whose key is not registered yet."""
        device, token = create_device(member)
        client = Client()
        client.cookies[DEVICE_COOKIE] = token
        return cls(device, client)

    def register_key(self, key: str | None = None) -> Any:
        """Register the key, or another text instead; return the response."""
        body = {"public_key": encode_public_key(self.key) if key is None else key}
        return self.client.post(reverse("api:key"), body, content_type="application/json")

    def make_envelope(self, operation: Any, **changes: Any) -> Data:
        """Return the envelope of an operation recorded on this phone."""
        self.sequence += 1
        content = {
            "device": str(self.device.pk),
            "sequence": self.sequence,
            "noted": RECORDED_AT,
            "operation": operation,
        }
        text = json.dumps({**content, **changes})
        return {"device": str(self.device.pk), "operations_json": text, "signature": sign(self.key, text)}

    def deliver(self, *envelopes: Any) -> list[Data]:
        """Relay envelopes and return the receipts."""
        response = self.send(envelopes)
        assert response.status_code == 200, response.content
        receipts: list[Data] = response.json()["receipts"]
        assert len(receipts) == len(envelopes)
        return receipts

    def send(self, envelopes: Any) -> Any:
        """Relay envelopes and return the response."""
        body = json.dumps({"carried": list(envelopes)})
        return self.client.post(reverse("api:carried"), body, content_type="application/json")
