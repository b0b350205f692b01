"""Instead of `django.db.models.fields.files`: no table of ours holds files."""

from __future__ import annotations


class FieldFile:
    """What no row has."""


class FileField:
    """What no model has."""


class ImageField(FileField):
    """What no model has either."""
