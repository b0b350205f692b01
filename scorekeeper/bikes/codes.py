"""The code on a bike: what its printed QR code leads by, `/b/<code>/`.

Terms: a *code* is the bike's id with a check behind it, 25 bytes in lower case base 32: 40 letters and digits. The
check tells a code that was misread or altered from a real one. It keeps no secret: a code only says which bike it is,
to whoever sees it, and a phone can read it without asking anybody.

Invariant: a bike has one code, and each code is spelled in one way only.
"""

from __future__ import annotations

import base64
import hashlib
from uuid import UUID

CHECK_BYTES = 9  # bytes: with the 16 of an id they fill 40 letters to the last bit
CODE_LENGTH = 40
_PURPOSE = b"tailgunner bike "


def make_code(bike_id: UUID) -> str:
    """Return the code of a bike."""
    check = hashlib.sha256(_PURPOSE + bike_id.bytes).digest()[:CHECK_BYTES]
    return base64.b32encode(bike_id.bytes + check).decode().lower()


def read_code(code: str) -> UUID | None:
    """Return the id of the bike that the code names, whether there is such a bike or not; None for no code of ours."""
    if len(code) != CODE_LENGTH or not code.isascii():
        return None
    try:
        bike_id = UUID(bytes=base64.b32decode(code.upper())[:-CHECK_BYTES])
    except ValueError:
        return None
    return bike_id if make_code(bike_id) == code else None
