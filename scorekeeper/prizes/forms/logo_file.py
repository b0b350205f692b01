"""A logo that was sent with a form."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.common.pictures import MAX_UPLOAD_BYTES, Picture, make_picture


class LogoField(forms.FileField):
    """An optional picture. Its value is the picture as it is stored; None if none was sent."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            required=False,
            help_text=gettext_lazy(
                "A PNG, JPEG or WebP file of up to 10 MB. A photo from a phone is fine: it is made smaller."
            ),
            widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
            error_messages={"empty": gettext_lazy("This file is empty. Choose a PNG, JPEG or WebP file.")},
            **options,
        )

    def clean(self, data: Any, initial: Any = None) -> Picture | None:
        """Return the picture.

        Raises:
            ValidationError: it is too large, or not accepted.
        """
        upload = super().clean(data)  # the initial value is which logo is stored, and not a file
        if not upload:
            return None
        if upload.size > MAX_UPLOAD_BYTES:
            text = _("The picture is larger than %(most)s MB. Choose a smaller one.")
            raise ValidationError(text % {"most": MAX_UPLOAD_BYTES // 2**20})
        upload.seek(0)  # the form may be made again
        return make_picture(upload.read())
