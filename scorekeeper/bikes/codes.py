"""The code of a bike, which its printed QR code has in its URL, `/b/<code>/`.

Terms: a *code* is the bike's id followed by a checksum, 25 bytes in lower-case base 32: 40 letters and digits. The
checksum tells a real code from one that was misread or altered.

Invariants:
- A code is not secret. It only says which bike it is, and a phone can read it offline.
- A bike has one code, and each code can be written in only one way.
"""

from __future__ import annotations

import base64
import hashlib
from uuid import UUID

CHECK_BYTES = 9  # bytes: together with the 16 of an id they fill exactly 40 characters
CODE_LENGTH = 40
_PURPOSE = b"tailgunner bike "


def make_code(bike_id: UUID) -> str:
    """Return the code of a bike."""
    check = hashlib.sha256(_PURPOSE + bike_id.bytes).digest()[:CHECK_BYTES]
    return base64.b32encode(bike_id.bytes + check).decode().lower()


def read_code(code: str) -> UUID | None:
    """Return the bike id in the code, whether or not such a bike exists; None if this is not a bike's code."""
    if len(code) != CODE_LENGTH or not code.isascii():
        return None
    try:
        bike_id = UUID(bytes=base64.b32decode(code.upper())[:-CHECK_BYTES])
    except ValueError:
        return None
    return bike_id if make_code(bike_id) == code else None
