"""Labels before what they label, with the colon of the reader's language: French has a space before it."""

from __future__ import annotations

from django.utils.translation import gettext as _


def with_colon(label: object) -> str:
    """Return the label with a colon: "Rider:"."""
    return _("%(label)s:") % {"label": label}


def label_value(label: object, value: object) -> str:
    """Return a value behind its label: "Rider: Ann"."""
    return _("%(label)s: %(value)s") % {"label": label, "value": value}
