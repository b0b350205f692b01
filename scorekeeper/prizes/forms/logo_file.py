"""A logo that was sent with a form."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from scorekeeper.prizes.models import PrizeLogo

MAX_LOGO_BYTES = 200 * 1024
SIGNATURES = {
    PrizeLogo.MediaType.PNG: rb"\x89PNG\r\n\x1a\n",
    PrizeLogo.MediaType.JPEG: rb"\xff\xd8\xff",
    PrizeLogo.MediaType.WEBP: rb"RIFF.{4}WEBP",
}


class LogoFile(NamedTuple):
    """A picture that was sent."""

    media_type: str
    content: bytes


def read_logo(upload: UploadedFile[Any] | None) -> LogoFile | None:
    """Return the picture, whose kind is read from its first bytes and not from its name; None if none was sent.

    Raises:
        ValidationError: it is too large, or no picture of these kinds. An SVG could contain scripts.
    """
    if upload is None:
        return None
    if (upload.size or 0) > MAX_LOGO_BYTES:
        raise ValidationError(_("The picture is larger than 200 KB. Choose a smaller one."))
    content = upload.read()
    for media_type, pattern in SIGNATURES.items():
        if re.match(pattern, content, re.DOTALL):
            return LogoFile(media_type, content)
    raise ValidationError(_("This is no PNG, JPEG or WebP file. Choose another one."))
