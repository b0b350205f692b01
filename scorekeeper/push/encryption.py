"""Encrypts a message for one browser, so that its push service cannot read it: RFC 8291, with aes128gcm of RFC 8188.

The primitives are those of `cryptography`. A test compares the result with the example of RFC 8291, byte by byte.
"""

from __future__ import annotations

import base64
import os
import re
import struct

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
POINT_LENGTH, SALT_LENGTH, KEY_LENGTH, NONCE_LENGTH = 65, 16, 16, 12  # bytes
RECORD_SIZE = 4096  # push services accept no larger message
MAX_PLAINTEXT = RECORD_SIZE - SALT_LENGTH - 4 - 1 - POINT_LENGTH - 16 - 1  # header, tag and delimiter take the rest
_LAST_RECORD = b"\x02"
_P256DH, _AUTH = re.compile(r"[\w-]{87}", re.ASCII), re.compile(r"[\w-]{22}", re.ASCII)  # base64url of these lengths


class UnusableKeys(Exception):
    """The keys are not those of a subscription."""


def decode_keys(p256dh: str, auth: str) -> tuple[ec.EllipticCurvePublicKey, bytes]:
    """Return the public key and the secret of a subscription.

    Args:
        p256dh, auth: base64url without padding.

    Raises:
        UnusableKeys: they are malformed, or the point is not on the curve.
    """
    if _P256DH.fullmatch(p256dh) is None or _AUTH.fullmatch(auth) is None:
        raise UnusableKeys
    point, secret = (base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)) for text in (p256dh, auth))
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point), secret
    except ValueError as error:
        raise UnusableKeys from error


def encrypt(
    plaintext: bytes,
    p256dh: str,
    auth: str,
    *,
    salt: bytes | None = None,
    sender: ec.EllipticCurvePrivateKey | None = None,
) -> bytes:
    """Return the body of a push message, one record with its header.

    Args:
        plaintext: at most `MAX_PLAINTEXT` bytes.
        p256dh, auth: those of the subscription.
        salt, sender: new random ones for each message; only a test sets them.

    Raises:
        UnusableKeys: the keys are not those of a subscription.
        ValueError: the plaintext is too long.
    """
    if len(plaintext) > MAX_PLAINTEXT:
        raise ValueError(f"{len(plaintext)} bytes are too long for a push message")
    receiver, secret = decode_keys(p256dh, auth)
    sender, salt = sender or ec.generate_private_key(CURVE), salt or os.urandom(SALT_LENGTH)
    receiver_point, sender_point = _encode_point(receiver), _encode_point(sender.public_key())
    shared = sender.exchange(ec.ECDH(), receiver)
    seed = _derive(shared, secret, b"WebPush: info\0" + receiver_point + sender_point, 32)
    key = _derive(seed, salt, b"Content-Encoding: aes128gcm\0", KEY_LENGTH)
    nonce = _derive(seed, salt, b"Content-Encoding: nonce\0", NONCE_LENGTH)
    header = salt + struct.pack("!LB", RECORD_SIZE, len(sender_point)) + sender_point
    return header + AESGCM(key).encrypt(nonce, plaintext + _LAST_RECORD, None)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


def _encode_point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
