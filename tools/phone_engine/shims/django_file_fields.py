"""Instead of `django.db.models.fields.files`: none of our models has file fields."""

from __future__ import annotations


class FieldFile:
    """Never used: no row has one."""


class FileField:
    """Never used: no model has one."""


class ImageField(FileField):
    """Never used: no model has one."""
