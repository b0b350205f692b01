"""What the serializers of answers share: they write our own objects, times in UTC, and only what an object has."""

from __future__ import annotations

import datetime as dt
from functools import cached_property
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scorekeeper.common.game_adapter import translate


class ReadSerializer(serializers.Serializer[Any]):
    """Writes an object, and reads nothing.

    A field that is not required is left out where the object has None for it, or does not have it at all.
    """

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the object as plain data."""
        data = super().to_representation(instance)
        optional = self._optional
        return {name: value for name, value in data.items() if value is not None or name not in optional}

    @cached_property
    def _optional(self) -> frozenset[str]:
        """The fields that may be left out."""
        return frozenset(
            name for name, field in self.fields.items() if not (field.required or field.allow_null or field.read_only)
        )


class TimeField(serializers.DateTimeField):
    """A time in UTC, with its offset written out."""

    def to_representation(self, value: Any) -> Any:
        """Return the time."""
        return value.astimezone(dt.UTC).isoformat()


class FigureField(serializers.FloatField):
    """A figure that is written as it is: a whole number has no decimal point."""

    def to_representation(self, value: Any) -> Any:
        """Return the figure."""
        return value


class MarkField(serializers.BooleanField):
    """A field that only some objects have: it is left out unless it is true."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)

    def to_representation(self, value: Any) -> Any:
        """Return true or nothing."""
        return True if value else None


class TextField(serializers.CharField):
    """A text of a game, in the reader's language."""

    def to_representation(self, value: Any) -> Any:
        """Return the text."""
        return translate(value)


class BlankIsNullField(serializers.CharField):
    """A text, and null where there is none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_null=True, **options)

    def to_representation(self, value: Any) -> Any:
        """Return the text."""
        return value or None


class PlainField(serializers.Field[Any, Any, Any, Any]):
    """A value that is plain data already."""

    def to_representation(self, value: Any) -> Any:
        """Return the value."""
        return value


@extend_schema_field({"type": ["integer", "string"]})
class BikeNumberValueField(PlainField):
    """The number of a bike: a whole number, or a text such as "12A"."""


FACE: dict[str, Any] = {"type": ["integer", "string"]}


@extend_schema_field(FACE)
class FaceField(PlainField):
    """The face of a die, or the value of a choice: a number or a word."""


@extend_schema_field({"type": "array", "items": FACE})
class FacesField(serializers.ListField):
    """Faces of dice."""


ANYTHING: dict[str, Any] = {"type": "object", "additionalProperties": True}


@extend_schema_field(ANYTHING)
class AnythingField(PlainField):
    """An object whose fields depend on what it is about."""


@extend_schema_field({"type": "array", "items": ANYTHING})
class AnythingListField(PlainField):
    """Objects whose fields depend on what they are about."""


class ClassSerializer(ReadSerializer):
    """A class that is ranked beside the whole contest, such as ladies."""

    id = serializers.UUIDField()
    name = serializers.CharField()
