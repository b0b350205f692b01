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

from scorekeeper.scorecards.canonical import replace_unstorable
from scorekeeper.scorecards.services.recording import MalformedOperation

MAX_ITEMS = 100  # actions of one operation, and turns that one correction changes
MAX_INTEGER = 2**31 - 1  # what a column of whole numbers holds
MAX_REASON_LENGTH = 200
MAX_NAME_LENGTH = 80
MAX_SHOWN_LENGTH = 40  # characters of a field that nobody knows

Schema = dict[str, Any]


class InvalidValue(Exception):
    """A value is not what the field takes; the exception says what that is."""


class WireField(Protocol):
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
class IdField:
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
        raise InvalidValue(_("an id, such as 0f8fad5b-d9cb-469f-a165-70867728950e"))

    def describe(self) -> Schema:
        return {"type": "string", "format": "uuid", "nullable": not self.required}


@dataclass(frozen=True)
class WholeNumberField:
    """A whole number."""

    low: int = 0
    required: bool = True
    default: None = None

    def read(self, value: object) -> int:
        if type(value) is int and self.low <= value <= MAX_INTEGER:
            return value
        raise InvalidValue(_("a whole number from %(low)s to %(high)s") % {"low": self.low, "high": MAX_INTEGER})

    def describe(self) -> Schema:
        return {"type": "integer", "minimum": self.low, "maximum": MAX_INTEGER}


@dataclass(frozen=True)
class FlagField:
    """True or false; false when left out."""

    required: bool = False
    default: bool = False

    def read(self, value: object) -> bool:
        if isinstance(value, bool):
            return value
        raise InvalidValue(_("true or false"))

    def describe(self) -> Schema:
        return {"type": "boolean", "default": False}


@dataclass(frozen=True)
class ShortTextField:
    """A short text; "" when left out."""

    max_length: int
    required: bool = False
    default: str = ""

    def read(self, value: object) -> str:
        if isinstance(value, str) and len(value) <= self.max_length:
            return value.strip()
        raise InvalidValue(_("text of at most %(longest)s characters") % {"longest": self.max_length})

    def describe(self) -> Schema:
        return {"type": "string", "maxLength": self.max_length, "default": ""}


@dataclass(frozen=True)
class ActionsField:
    """Actions as in a transcript. What is in them is for the rules to say."""

    required: bool = True
    default: None = None

    def read(self, value: object) -> tuple[Mapping[str, Any], ...] | None:
        if value is None and not self.required:
            return None
        if isinstance(value, list) and len(value) <= MAX_ITEMS and all(isinstance(one, dict) for one in value):
            return tuple(value)
        raise InvalidValue(_("a list of at most %(most)s objects") % {"most": MAX_ITEMS})

    def describe(self) -> Schema:
        one = {"type": "object", "properties": {"type": {"type": "string"}}, "additionalProperties": True}
        return {"type": "array", "items": one, "maxItems": MAX_ITEMS, "nullable": not self.required}


@dataclass(frozen=True)
class ObjectListField:
    """A list of objects that have a form of their own."""

    form: ObjectForm
    required: bool = True
    default: None = None

    def read(self, value: object) -> list[Mapping[str, Any]]:
        if not isinstance(value, list) or not 1 <= len(value) <= MAX_ITEMS:
            raise InvalidValue(_("a list of 1 to %(most)s objects") % {"most": MAX_ITEMS})
        return [self.form.read(one) for one in value]

    def describe(self) -> Schema:
        return {"type": "array", "items": self.form.describe(), "minItems": 1, "maxItems": MAX_ITEMS}


@dataclass(frozen=True)
class ObjectForm:
    """The fields of an object."""

    fields: Mapping[str, WireField]

    def read(self, data: object) -> Mapping[str, Any]:
        """Return a value for every field.

        Raises:
            Unreadable: a field is missing, unknown or not of its type; the message names it.
        """
        if not isinstance(data, dict):
            raise MalformedOperation(_("An object is expected."))
        for name in data:
            if name not in self.fields:
                raise MalformedOperation(
                    _("There is no field “%(name)s”.") % {"name": replace_unstorable(name[:MAX_SHOWN_LENGTH])}
                )
        return {name: self._read_field(name, one, data) for name, one in self.fields.items()}

    def _read_field(self, name: str, one: WireField, data: Mapping[str, object]) -> Any:
        if name not in data:
            if one.required:
                raise MalformedOperation(_("The field “%(name)s” is missing.") % {"name": name})
            return one.default
        try:
            return one.read(data[name])
        except InvalidValue as wrong:
            words = {"name": name, "expected": str(wrong)}
            raise MalformedOperation(_("The field “%(name)s” must be %(expected)s.") % words) from None

    def describe(self) -> Schema:
        """Return the JSON schema of the object."""
        return {
            "type": "object",
            "properties": {name: one.describe() for name, one in self.fields.items()},
            "required": [name for name, one in self.fields.items() if one.required],
            "additionalProperties": False,
        }


REASON_FIELD = ShortTextField(MAX_REASON_LENGTH)


@dataclass(frozen=True)
class OperationKind:
    """A kind of operation that a phone may send.

    Attributes:
        label: what it does, for the description of the interface.
        form: its fields, besides the operation's id and kind.
        prepare: makes of an actor, an id and the values read what can be recorded.
    """

    label: str | Promise
    form: ObjectForm
    prepare: Callable[..., Any] = field(repr=False)
