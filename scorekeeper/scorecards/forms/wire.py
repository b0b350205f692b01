"""Operations as they come over the wire: which fields each kind has, and how a value of each is read.

Terms: a *field* reads one value and says what it takes as a JSON schema; a *form* is the fields of one kind of
operation. Reading is strict: a value of another type, a field that is missing and one that nobody knows are all named.

Invariant: what is described is what is read, since both come from the same fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from scorekeeper.scorecards.canonical import show_text
from scorekeeper.scorecards.services.recording import Unreadable

MOST_PARTS = 100  # actions of one operation, and turns that one correction changes
HIGHEST = 2**31 - 1  # what a column of whole numbers holds
LONGEST_REASON = 200
LONGEST_NAME = 80
LONGEST_SHOWN = 40  # characters of a field that nobody knows

Schema = dict[str, Any]


class Wrong(Exception):
    """A value is not what the field takes; the exception says what that is."""


class Field(Protocol):
    """How one value is read."""

    @property
    def required(self) -> bool:
        """Whether the value has to be given."""

    @property
    def default(self) -> Any:
        """What is taken where it is not."""

    def read(self, value: object) -> Any:
        """Return the value, or raise `Wrong`."""

    def describe(self) -> Schema:
        """Return the JSON schema of the value."""


@dataclass(frozen=True)
class Id:
    """A UUID as text."""

    required: bool = True
    default: None = None

    def read(self, value: object) -> UUID | None:
        if value is None and not self.required:
            return None
        try:
            if isinstance(value, str) and len(value) == 36:
                return UUID(value)
        except ValueError:
            pass
        raise Wrong(_("an id, such as 0f8fad5b-d9cb-469f-a165-70867728950e"))

    def describe(self) -> Schema:
        return {"type": "string", "format": "uuid", "nullable": not self.required}


@dataclass(frozen=True)
class Whole:
    """A whole number."""

    low: int = 0
    required: bool = True
    default: None = None

    def read(self, value: object) -> int:
        if type(value) is int and self.low <= value <= HIGHEST:
            return value
        raise Wrong(_("a whole number from %(low)s to %(high)s") % {"low": self.low, "high": HIGHEST})

    def describe(self) -> Schema:
        return {"type": "integer", "minimum": self.low, "maximum": HIGHEST}


@dataclass(frozen=True)
class Flag:
    """True or false; false when left out."""

    required: bool = False
    default: bool = False

    def read(self, value: object) -> bool:
        if isinstance(value, bool):
            return value
        raise Wrong(_("true or false"))

    def describe(self) -> Schema:
        return {"type": "boolean", "default": False}


@dataclass(frozen=True)
class Words:
    """A short text; "" when left out."""

    longest: int
    required: bool = False
    default: str = ""

    def read(self, value: object) -> str:
        if isinstance(value, str) and len(value) <= self.longest:
            return value.strip()
        raise Wrong(_("a text of at most %(longest)s characters") % {"longest": self.longest})

    def describe(self) -> Schema:
        return {"type": "string", "maxLength": self.longest, "default": ""}


@dataclass(frozen=True)
class Actions:
    """Actions as in a transcript. What is in them is for the rules to say."""

    required: bool = True
    default: None = None

    def read(self, value: object) -> tuple[Mapping[str, Any], ...] | None:
        if value is None and not self.required:
            return None
        if isinstance(value, list) and len(value) <= MOST_PARTS and all(isinstance(one, dict) for one in value):
            return tuple(value)
        raise Wrong(_("a list of at most %(most)s objects") % {"most": MOST_PARTS})

    def describe(self) -> Schema:
        one = {"type": "object", "properties": {"type": {"type": "string"}}, "additionalProperties": True}
        return {"type": "array", "items": one, "maxItems": MOST_PARTS, "nullable": not self.required}


@dataclass(frozen=True)
class Several:
    """A list of objects that have a form of their own."""

    form: Form
    required: bool = True
    default: None = None

    def read(self, value: object) -> list[Mapping[str, Any]]:
        if not isinstance(value, list) or not 1 <= len(value) <= MOST_PARTS:
            raise Wrong(_("a list of 1 to %(most)s objects") % {"most": MOST_PARTS})
        return [self.form.read(one) for one in value]

    def describe(self) -> Schema:
        return {"type": "array", "items": self.form.describe(), "minItems": 1, "maxItems": MOST_PARTS}


@dataclass(frozen=True)
class Form:
    """The fields of an object."""

    fields: Mapping[str, Field]

    def read(self, data: object) -> Mapping[str, Any]:
        """Return a value for every field.

        Raises:
            Unreadable: a field is missing, unknown or not of its type; the message names it.
        """
        if not isinstance(data, dict):
            raise Unreadable(_("An object is expected."))
        for name in data:
            if name not in self.fields:
                raise Unreadable(_("There is no field “%(name)s”.") % {"name": show_text(name[:LONGEST_SHOWN])})
        return {name: self._read_field(name, one, data) for name, one in self.fields.items()}

    def _read_field(self, name: str, one: Field, data: Mapping[str, object]) -> Any:
        if name not in data:
            if one.required:
                raise Unreadable(_("The field “%(name)s” is missing.") % {"name": name})
            return one.default
        try:
            return one.read(data[name])
        except Wrong as wrong:
            words = {"name": name, "expected": str(wrong)}
            raise Unreadable(_("The field “%(name)s” takes %(expected)s.") % words) from None

    def describe(self) -> Schema:
        """Return the JSON schema of the object."""
        return {
            "type": "object",
            "properties": {name: one.describe() for name, one in self.fields.items()},
            "required": [name for name, one in self.fields.items() if one.required],
            "additionalProperties": False,
        }


REASON = Words(LONGEST_REASON)


@dataclass(frozen=True)
class Kind:
    """A kind of operation that a phone may send.

    Attributes:
        label: what it does, for the description of the interface.
        form: its fields, besides the operation's id and kind.
        prepare: makes of an actor, an id and the values read what can be recorded.
    """

    label: str | Promise
    form: Form
    prepare: Callable[..., Any] = field(repr=False)
