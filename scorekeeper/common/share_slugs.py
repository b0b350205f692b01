"""Slugs that are part of share links, so that nobody finds by guessing what is not listed."""

from __future__ import annotations

import secrets
import string

from django.utils.text import slugify

_LETTERS = string.ascii_lowercase + string.digits
_RANDOM_LENGTH = 8  # characters
_READABLE_LENGTH = 60


def make_share_slug(name: str, otherwise: str) -> str:
    """Return a slug made of a name and of characters that cannot be guessed.

    Args:
        otherwise: stands for a name of which a slug has nothing.
    """
    readable = slugify(name)[:_READABLE_LENGTH].strip("-") or otherwise
    return f"{readable}-{''.join(secrets.choice(_LETTERS) for _ in range(_RANDOM_LENGTH))}"
