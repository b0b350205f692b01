"""Whether a picture can be printed."""

from __future__ import annotations

from io import BytesIO

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

MAX_PIXELS = 3000  # wide and high: more than any printer shows, and little enough to unpack


def check_picture(content: bytes) -> None:
    """Check a picture.

    Raises:
        ValidationError: it has too many pixels, or cannot be read.
    """
    from PIL import Image, UnidentifiedImageError  # only here, since few programs check a picture

    try:
        with Image.open(BytesIO(content)) as picture:
            # Its size is read before it is unpacked.
            if max(picture.size) > MAX_PIXELS:
                text = _("The picture has more than %(most)s pixels on one side. Choose a smaller one.")
                raise ValidationError(text % {"most": MAX_PIXELS})
            picture.load()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
        raise ValidationError(_("This picture is damaged. Save it again, or choose another one.")) from None
