"""A logo that was sent with a form."""

from __future__ import annotations

from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.prizes.logo_files import MAX_LOGO_BYTES, find_media_type


class LogoFile(NamedTuple):
    """A picture that was sent."""

    media_type: str
    content: bytes


class LogoField(forms.FileField):
    """An optional picture; `read_logo` reads what was sent."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            required=False,
            help_text=gettext_lazy("A picture as PNG, JPEG or WebP, of up to 200 KB."),
            widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
            error_messages={"empty": gettext_lazy("This file is empty. Choose a PNG, JPEG or WebP file.")},
            **options,
        )


def read_logo(upload: UploadedFile[Any] | None) -> LogoFile | None:
    """Return the picture, whose kind is read from its first bytes and not from its name; None if none was sent.

    Raises:
        ValidationError: it is too large, or no picture of these kinds.
    """
    if upload is None:
        return None
    if (upload.size or 0) > MAX_LOGO_BYTES:
        raise ValidationError(_("The picture is larger than 200 KB. Choose a smaller one."))
    content = upload.read()
    media_type = find_media_type(content)
    if media_type is None:
        raise ValidationError(_("This is not a PNG, JPEG or WebP file. Choose another one."))
    return LogoFile(media_type, content)
