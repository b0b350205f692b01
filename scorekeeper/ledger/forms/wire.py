"""The wire format of operations: the fields of each kind, how to read their values, and their JSON schemas.

- A *field* reads one value and describes it as a JSON schema. A *form* is the fields of one kind of operation.
- Reading is strict: the error names a value of the wrong type, a missing field or an unknown field.
- Invariant: the schema describes exactly what is read, since both come from the same fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from scorekeeper.ledger.canonical import replace_unstorable
from scorekeeper.ledger.services.recording import MalformedOperation

MAX_ITEMS = 100  # actions of one operation
MAX_INTEGER = 2**31 - 1  # the largest that an integer column can store
MAX_REASON_LENGTH = 200
MAX_NAME_LENGTH = 80
MAX_SHOWN_LENGTH = 40  # characters of the name of an unknown field

Schema = dict[str, Any]


class InvalidValue(Exception):
    """The field does not accept the value. The exception says what it accepts."""


class WireField(Protocol):
    """A field: reads one value."""

    @property
    def required(self) -> bool:
        """Whether the value is required."""

    @property
    def default(self) -> Any:
        """The value used if it is missing."""

    def read(self, value: object) -> Any:
        """Return the value, or raise `InvalidValue`."""

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
        return {"type": "string" if self.required else ["string", "null"], "format": "uuid"}


@dataclass(frozen=True)
class IdListField:
    """Up to `most` UUIDs as text; none if missing."""

    most: int
    required: bool = False
    default: tuple[UUID, ...] = ()

    def read(self, value: object) -> tuple[UUID, ...]:
        if not isinstance(value, list) or len(value) > self.most:
            raise InvalidValue(_("a list of at most %(most)s ids") % {"most": self.most})
        return tuple(one for item in value if (one := IdField().read(item)) is not None)

    def describe(self) -> Schema:
        return {"type": "array", "items": IdField().describe(), "maxItems": self.most, "default": []}


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
    """True or false; false if missing."""

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
    """A short text; "" if missing."""

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
    """Actions as in a transcript. The rules judge what is in them."""

    required: bool = True
    default: None = None

    def read(self, value: object) -> tuple[Mapping[str, Any], ...] | None:
        if value is None and not self.required:
            return None
        if isinstance(value, list) and len(value) <= MAX_ITEMS and all(isinstance(item, dict) for item in value):
            return tuple(value)
        raise InvalidValue(_("a list of at most %(most)s objects") % {"most": MAX_ITEMS})

    def describe(self) -> Schema:
        item = {"type": "object", "properties": {"type": {"type": "string"}}, "additionalProperties": True}
        return {"type": "array" if self.required else ["array", "null"], "items": item, "maxItems": MAX_ITEMS}


@dataclass(frozen=True)
class ObjectListField:
    """A list of objects with their own form, 1 to `most` of them."""

    form: ObjectForm
    most: int
    required: bool = True
    default: None = None

    def read(self, value: object) -> list[Mapping[str, Any]]:
        if not isinstance(value, list) or not 1 <= len(value) <= self.most:
            raise InvalidValue(_("a list of 1 to %(most)s objects") % {"most": self.most})
        return [self.form.read(item) for item in value]

    def describe(self) -> Schema:
        return {"type": "array", "items": self.form.describe(), "minItems": 1, "maxItems": self.most}


@dataclass(frozen=True)
class ObjectForm:
    """The fields of an object."""

    fields: Mapping[str, WireField]

    def read(self, data: object) -> Mapping[str, Any]:
        """Return a value for every field.

        Raises:
            MalformedOperation: a field is missing, unknown or of the wrong type. The message names it.
        """
        if not isinstance(data, dict):
            raise MalformedOperation(_("An object is expected."))
        for name in data:
            if name not in self.fields:
                raise MalformedOperation(
                    _("There is no field “%(name)s”.") % {"name": replace_unstorable(name[:MAX_SHOWN_LENGTH])}
                )
        return {name: self._read_field(name, wire_field, data) for name, wire_field in self.fields.items()}

    def _read_field(self, name: str, wire_field: WireField, data: Mapping[str, object]) -> Any:
        if name not in data:
            if wire_field.required:
                raise MalformedOperation(_("The field “%(name)s” is missing.") % {"name": name})
            return wire_field.default
        try:
            return wire_field.read(data[name])
        except InvalidValue as wrong:
            params = {"name": name, "expected": str(wrong)}
            raise MalformedOperation(_("The field “%(name)s” must be %(expected)s.") % params) from None

    def describe(self) -> Schema:
        """Return the JSON schema of the object."""
        return {
            "type": "object",
            "properties": {name: wire_field.describe() for name, wire_field in self.fields.items()},
            "required": [name for name, wire_field in self.fields.items() if wire_field.required],
            "additionalProperties": False,
        }


REASON_FIELD = ShortTextField(MAX_REASON_LENGTH)


@dataclass(frozen=True)
class OperationKind:
    """A kind of operation that a phone may send.

    Attributes:
        label: what it does, for the API description.
        form: its fields, besides the operation's id and kind.
        prepare: builds the operation to record from an actor, an id and the values read.
    """

    label: str | Promise
    form: ObjectForm
    prepare: Callable[..., Any] = field(repr=False)
