"""The wording of certificates, with placeholders for what differs on each."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

PLACEHOLDERS = ("place", "name", "total", "contest", "event")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def needs_place(wording: str) -> bool:
    """Return whether a wording names the place or the total, which somebody who is not in the ranking has not."""
    return not {"place", "total"}.isdisjoint(name.strip() for name in _PLACEHOLDER.findall(wording))


def list_unknown_placeholders(wording: str) -> list[str]:
    """Return what is in braces in a wording and is no placeholder, as it is written."""
    return [f"{{{name}}}" for name in _PLACEHOLDER.findall(wording) if name.strip() not in PLACEHOLDERS]


def check_wording(text: str) -> str:
    """Return a wording on one line.

    Raises:
        ValidationError: something in braces is not one of the placeholders.
    """
    wording = " ".join(text.split())
    unknown = list_unknown_placeholders(wording)
    if unknown:
        refusal = _("%(unknown)s cannot be filled in. Use only %(known)s.")
        known = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
        raise ValidationError(refusal % {"unknown": ", ".join(unknown), "known": known})
    return wording


def fill_wording(wording: str, values: Mapping[str, str]) -> str:
    """Return a wording with its placeholders filled in. Braces in a value stay as they are."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1].strip(), found[0]), wording)
