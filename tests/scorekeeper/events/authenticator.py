"""A security key in software, and the browser that talks to it: real keys, real signatures, any origin.

A browser never lies about the origin of a page; this one does when a test asks for it.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping
from html import unescape
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.auth.models import User
from fido2 import cbor
from fido2.cose import ES256
from fido2.utils import sha256, websafe_decode, websafe_encode
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData

from scorekeeper.events.models import Passkey
from tests.scorekeeper.page_checks import PageResponse

SITE = "https://rides.example.org"
HOST = "rides.example.org"
PRESENT_AND_VERIFIED = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV


class SecurityKey:
    """An authenticator with one credential.

    Attributes:
        origin: what the browser says it is showing.
        host: the relying party that it signs for.
        count: how often it says that it has signed; None for one that does not count.
    """

    def __init__(self, origin: str = SITE, host: str = HOST, count: int | None = 0) -> None:
        self.origin = origin
        self.host = host
        self.count = count
        self.credential_id = secrets.token_bytes(32)
        self._key = ec.generate_private_key(ec.SECP256R1())

    @property
    def public_key(self) -> ES256:
        """Its public key."""
        return ES256.from_cryptography_key(self._key.public_key())

    def create(self, options: Mapping[str, Any], **flags: AuthenticatorData.FLAG) -> dict[str, Any]:
        """Return the response to the options of a new passkey."""
        credential = AttestedCredentialData.create(Aaguid.NONE, self.credential_id, self.public_key)
        flag = flags.get("flag", PRESENT_AND_VERIFIED) | AuthenticatorData.FLAG.AT
        data = AuthenticatorData.create(sha256(self.host.encode()), flag, self._advance(), credential)
        client_data = self._describe("webauthn.create", options)
        attestation = AttestationObject.create("none", data, {})
        return self._respond({"clientDataJSON": client_data, "attestationObject": attestation})

    def sign(self, options: Mapping[str, Any], **flags: AuthenticatorData.FLAG) -> dict[str, Any]:
        """Return the response to the options of a sign-in."""
        flag = flags.get("flag", PRESENT_AND_VERIFIED)
        data = AuthenticatorData.create(sha256(self.host.encode()), flag, self._advance())
        client_data = self._describe("webauthn.get", options)
        signature = self._key.sign(data + client_data.hash, ec.ECDSA(hashes.SHA256()))
        return self._respond({"clientDataJSON": client_data, "authenticatorData": data, "signature": signature})

    def _advance(self) -> int:
        if self.count is None:
            return 0
        self.count += 1
        return self.count

    def _describe(self, kind: str, options: Mapping[str, Any]) -> CollectedClientData:
        return CollectedClientData.create(kind, websafe_decode(options["challenge"]), self.origin)

    def _respond(self, parts: Mapping[str, bytes]) -> dict[str, Any]:
        credential_id = websafe_encode(self.credential_id)
        response = {name: websafe_encode(part) for name, part in parts.items()}
        return {"id": credential_id, "rawId": credential_id, "type": "public-key", "response": response}


def store_passkey(user: User, key: SecurityKey, name: str = "My phone") -> Passkey:
    """Return the passkey of an account, as it is stored after it was added."""
    return Passkey.objects.create(
        user=user,
        name=name,
        host=key.host,
        credential_id=key.credential_id,
        public_key=cbor.encode(key.public_key),
        sign_count=key.count or 0,
    )


def read_options(page: PageResponse) -> dict[str, Any]:
    """Return the options that the page gives to the browser."""
    found = re.search(r'data-options="([^"]*)"', page.content.decode())
    assert found, page.content.decode()
    options: dict[str, Any] = json.loads(unescape(found[1]))
    return options
