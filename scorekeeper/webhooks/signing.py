"""Signing messages as Standard Webhooks 1.0 says (standardwebhooks.com).

A secret is `whsec_` and the key in Base64. The signature is the HMAC-SHA256 of id, time and body, joined by full stops.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable

SECRET_PREFIX = "whsec_"  # noqa: S105 - tells people, and programs that look for leaked secrets, what it is
KEY_BYTES = 32


def make_secret() -> str:
    """Return a new secret."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a message, such as `v1,K5oZf…`.

    Args:
        timestamp: of the attempt, in seconds since 1970.
    """
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = b".".join((message_id.encode(), str(timestamp).encode(), body))
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def make_signature_headers(
    secrets_in_use: Iterable[str], message_id: str, timestamp: int, body: bytes
) -> dict[str, str]:
    """Return the headers that identify and sign a message. While a secret is being replaced, both sign."""
    signatures = (sign(secret, message_id, timestamp, body) for secret in secrets_in_use)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signatures),
    }
