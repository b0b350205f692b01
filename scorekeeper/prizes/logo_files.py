"""The kinds of picture that a sponsor's logo can be."""

from __future__ import annotations

import re

from scorekeeper.prizes.models import PrizeLogo

MAX_LOGO_BYTES = 200 * 1024
SIGNATURES = {
    PrizeLogo.MediaType.PNG: rb"\x89PNG\r\n\x1a\n",
    PrizeLogo.MediaType.JPEG: rb"\xff\xd8\xff",
    PrizeLogo.MediaType.WEBP: rb"RIFF.{4}WEBP",
}


def find_media_type(content: bytes) -> PrizeLogo.MediaType | None:
    """Return the kind of a picture by its first bytes; None if it is none of these. An SVG could contain scripts."""
    found = (media_type for media_type, pattern in SIGNATURES.items() if re.match(pattern, content, re.DOTALL))
    return next(found, None)
