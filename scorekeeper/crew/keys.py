"""Public keys of phones. A phone signs its entries, so that another phone can relay them but not change them.

Terms:
- A *key* is the public key of a pair that the phone's browser generated, as SPKI in base64url without padding. The
  private key never leaves the browser.
- A *signature* is ECDSA with SHA-256 in WebCrypto's format: r and s, 32 bytes each.
"""

from __future__ import annotations

import base64
import binascii

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_public_key

MAX_LENGTH = 200  # characters: a key takes 122, a signature 86
INTEGER_BYTES = 32  # bytes of r and of s


class InvalidPhoneKey(Exception):
    """The text is not a valid key of a phone."""


def check_key(text: str) -> None:
    """Check that a text is a point on P-256 in the canonical encoding in which keys are stored.

    Raises:
        InvalidPhoneKey: it is not.
    """
    spki = _read_key(text).public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    if base64.urlsafe_b64encode(spki).rstrip(b"=").decode() != text:
        raise InvalidPhoneKey


def is_signature_valid(text: str, signature: str, key: str) -> bool:
    """Return whether exactly this text was signed with this key; False if the signature is malformed.

    Raises:
        InvalidPhoneKey: the key is malformed.
    """
    public = _read_key(key)
    try:
        signed, raw = text.encode(), _read_bytes(signature)
        if len(raw) != 2 * INTEGER_BYTES:
            return False
        r, s = int.from_bytes(raw[:INTEGER_BYTES]), int.from_bytes(raw[INTEGER_BYTES:])
        public.verify(encode_dss_signature(r, s), signed, ECDSA(SHA256()))
    except (ValueError, InvalidSignature):
        return False
    return True


def _read_key(text: str) -> EllipticCurvePublicKey:
    try:
        key = load_der_public_key(_read_bytes(text))
    except (ValueError, UnsupportedAlgorithm):
        raise InvalidPhoneKey from None
    if not isinstance(key, EllipticCurvePublicKey) or not isinstance(key.curve, SECP256R1):
        raise InvalidPhoneKey
    return key


def _read_bytes(text: str) -> bytes:
    """Decode base64url.

    Raises:
        ValueError: the text is too long, or not base64url.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError
    try:
        return base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), b"-_", validate=True)
    except binascii.Error:
        raise ValueError from None
