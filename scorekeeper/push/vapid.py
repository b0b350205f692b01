"""Identifies this installation to push services (VAPID, RFC 8292), with the library `py-vapid`.

The key is made once and is in the database, so that all machines of an installation have the same one. It is not
`SECRET_KEY`: browsers tie a subscription to it for as long as it lasts, and changing `SECRET_KEY` must not end them.
"""

from __future__ import annotations

import base64
import time
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from py_vapid import Vapid02

from scorekeeper.push.contact import get_subject
from scorekeeper.push.encryption import CURVE
from scorekeeper.push.models import THE_KEY, PushKey
from scorekeeper.webhooks.receiver_url import PORTS

TOKEN_SECONDS = 12 * 60 * 60  # push services accept at most a day


def ensure_key() -> ec.EllipticCurvePrivateKey:
    """Return the private key. The first call of an installation makes it."""
    row = PushKey.objects.filter(pk=THE_KEY).first()
    if row is None:
        pem = ec.generate_private_key(CURVE).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        # If two processes start together, the first key counts.
        row, _is_new = PushKey.objects.get_or_create(pk=THE_KEY, defaults={"private_key": pem.decode("ascii")})
    key = load_pem_private_key(row.private_key.encode("ascii"), None)
    assert isinstance(key, ec.EllipticCurvePrivateKey), "made above"
    return key


def get_public_key() -> str:
    """Return the public key as browsers take it: the point, base64url without padding."""
    point = ensure_key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode("ascii")


def make_authorization(key: ec.EllipticCurvePrivateKey, endpoint: str) -> str:
    """Return the header `Authorization` for a message: a signed token that is good for one push service."""
    address = urlsplit(endpoint)
    port = "" if address.port in (None, PORTS.get(address.scheme)) else f":{address.port}"
    claims = {
        "aud": f"{address.scheme}://{address.hostname}{port}",
        "exp": int(time.time()) + TOKEN_SECONDS,
        "sub": get_subject(),
    }
    return str(Vapid02(key).sign(claims)["Authorization"])
