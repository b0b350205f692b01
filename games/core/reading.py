"""Readers: convert plain JSON values to typed values, or raise `Malformed` with the path of the error.

A reader never guesses: ``true`` is not a number, ``2.0`` is not a whole number, and an unknown key is an error.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from games.core.problems import Malformed
from games.core.text import Text, gettext_noop

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Face = int | str

UNKNOWN_FIELD = gettext_noop("There is no field “%(name)s” here. Use one of these: %(known)s.")
NO_FIELDS = gettext_noop("There is no field “%(name)s” here. No fields are expected.")
MISSING_FIELD = gettext_noop("The field “%(name)s” is missing.")
NOT_OBJECT = gettext_noop("This must be an object with named fields.")
NOT_LIST = gettext_noop("This must be a list.")
NOT_WHOLE_NUMBER = gettext_noop("This must be a whole number.")
OUT_OF_RANGE = gettext_noop("This must be a whole number from %(low)s to %(high)s.")
TOO_SMALL = gettext_noop("This must be a whole number of %(low)s or more.")
NOT_FLAG = gettext_noop("This must be true or false.")
NOT_TEXT = gettext_noop("This must be text.")
UNKNOWN_FACE = gettext_noop("No die here has the face “%(face)s”. The faces are %(faces)s.")
QUOTED_FACE = gettext_noop("The face %(face)s is a number. Write it without quotation marks.")
UNKNOWN_CHOICE = gettext_noop("“%(value)s” is not allowed here. Use one of these: %(known)s.")

_FACE_TYPES = frozenset((int, str))  # True is not a face, although it equals 1
_MAX_REPEATED = 40  # characters of a faulty value that a message repeats


class Reader(Protocol[T_co]):
    """Reads one kind of value at a path."""

    def read(self, value: object, path: str) -> T_co: ...


def abbreviate(value: object) -> str:
    """Return a faulty value as a message can quote it: short, and without the contents of a list or object."""
    if isinstance(value, (dict, list)):
        return type(value).__name__
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _MAX_REPEATED else text[: _MAX_REPEATED - 1] + "…"


def read_object(value: object, path: str) -> Mapping[str, Any]:
    """Return the value as an object, or raise `Malformed`."""
    if not isinstance(value, dict):
        raise Malformed(path or None, NOT_OBJECT)
    return value


def check_fields(
    value: Mapping[str, object], path: str, known: Collection[str], required: Collection[str] = ()
) -> None:
    """Raise `Malformed` for the first unknown field, or else for the first missing field."""
    prefix = f"{path}." if path else ""
    for name in value:
        if name not in known:
            params = {"name": abbreviate(name), "known": ", ".join(known)}
            raise Malformed(prefix + abbreviate(name), UNKNOWN_FIELD if known else NO_FIELDS, params)
    for name in required:
        if name not in value:
            raise Malformed(prefix + name, MISSING_FIELD, {"name": name})


def read_whole_number(value: object, path: str, low: int | None = None, high: int | None = None) -> int:
    """Return the value as a whole number within the bounds (inclusive), or raise `Malformed`."""
    if type(value) is not int:
        raise Malformed(path, NOT_WHOLE_NUMBER)
    if (low is not None and value < low) or (high is not None and value > high):
        if low is not None and high is not None:
            raise Malformed(path, OUT_OF_RANGE, {"low": low, "high": high})
        raise Malformed(path, TOO_SMALL, {"low": low or 0})
    return value


def read_list(value: object, path: str) -> list[Any]:
    """Return the value as a list, or raise `Malformed`."""
    if not isinstance(value, list):
        raise Malformed(path, NOT_LIST)
    return value


def read_text(value: object, path: str) -> str:
    """Return the value as a string, or raise `Malformed`."""
    if not isinstance(value, str):
        raise Malformed(path, NOT_TEXT)
    return value


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A whole number. The bounds limit what *can be read*; the rules decide what is allowed."""

    low: int | None = None
    high: int | None = None

    def read(self, value: object, path: str) -> int:
        return read_whole_number(value, path, self.low, self.high)


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    def read(self, value: object, path: str) -> bool:
        if not isinstance(value, bool):
            raise Malformed(path, NOT_FLAG)
        return value


@dataclass(frozen=True, slots=True)
class OneFace:
    """The face of one die, from the faces that the die has."""

    faces: tuple[Face, ...]

    def read(self, value: object, path: str) -> Face:
        if type(value) not in (int, str) or value not in self.faces:
            words = [str(face) for face in self.faces]
            text = QUOTED_FACE if value in words else UNKNOWN_FACE
            raise Malformed(path, text, {"face": abbreviate(value), "faces": ", ".join(words)})
        return value


@dataclass(frozen=True)
class Faces:
    """A list of faces. The rules decide how many there must be."""

    faces: tuple[Face, ...]

    @cached_property
    def _set(self) -> frozenset[Face]:
        return frozenset(self.faces)

    def read(self, value: object, path: str) -> tuple[Face, ...]:
        # Nearly every list is valid, and two set comparisons show it. Only an invalid list is checked face by face.
        if type(value) is list and _FACE_TYPES.issuperset(map(type, value)) and self._set.issuperset(value):
            return tuple(value)
        reader = OneFace(self.faces)
        return tuple(reader.read(face, f"{path}[{index}]") for index, face in enumerate(read_list(value, path)))


@dataclass(frozen=True, slots=True)
class OneOf(Generic[T]):
    """A word from a closed list, and the value that it stands for."""

    values: Mapping[str, T]

    def read(self, value: object, path: str) -> T:
        word = read_text(value, path)
        if word not in self.values:
            params: dict[str, int | str | Text] = {"value": abbreviate(word), "known": ", ".join(self.values)}
            raise Malformed(path, UNKNOWN_CHOICE, params)
        return self.values[word]
