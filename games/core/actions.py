"""Actions: everything that a rule book says can happen, as frozen dataclasses.

Terms: an *action type* says how an action is written in a transcript: its name, whether it has a seat, and a reader
for each field. A game lists its types; this module converts JSON objects to actions and back.

Invariant: a missing field takes the dataclass default, and writing omits a field that has its default value. Reading
and writing are therefore inverse operations.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import MISSING, dataclass, fields
from functools import cached_property
from typing import Any, ClassVar

from games.core.problems import Malformed
from games.core.reading import MISSING_FIELD, Reader, abbreviate, check_fields, read_object, read_whole_number
from games.core.text import gettext_noop

UNKNOWN_TYPE = gettext_noop("This game has no action type “%(type)s”. Use one of these: %(known)s.")
NO_SUCH_SEAT = gettext_noop("There is no seat %(seat)s: the seats are numbered from 0 to %(last)s.")


@dataclass(frozen=True, slots=True)
class Action:
    """The base class of actions. `seat` is None for an action of the table as a whole."""

    type: ClassVar[str] = ""
    seat: int | None


@dataclass(frozen=True, slots=True)
class Retire(Action):
    """The seat leaves and takes no further part (TABLE-3)."""

    type: ClassVar[str] = "retire"


@dataclass(frozen=True)
class ActionType:
    """How one kind of action is written.

    Attributes:
        record: the frozen dataclass of the action.
        fields: a reader for each field except `seat`; a field without a default in the record is required.
        has_seat: whether the action names a seat.
    """

    record: type[Action]
    fields: Mapping[str, Reader[Any]]
    has_seat: bool = True

    @cached_property
    def defaults(self) -> Mapping[str, object]:
        """The default of each field that has one."""
        return {f.name: f.default for f in fields(self.record) if f.default is not MISSING}

    @cached_property
    def field_names(self) -> tuple[str, ...]:
        """Every field that a transcript can give."""
        return (*(("seat",) if self.has_seat else ()), "type", *self.fields)

    @cached_property
    def _allowed(self) -> Set[str]:
        return frozenset(self.field_names)

    @cached_property
    def _required(self) -> Set[str]:
        # In field order, so that the error names the first of several missing fields.
        return dict.fromkeys(name for name in self.fields if name not in self.defaults).keys()

    def read(self, data: Mapping[str, object], seats: int, path: str) -> Action:
        """Return the action, or raise `Malformed` with the path of the first error."""
        prefix = f"{path}." if path else ""
        if not self._required <= data.keys() <= self._allowed:
            check_fields(data, path, self.field_names, self._required)
        seat = self._read_seat(data, seats, prefix) if self.has_seat else None
        values = {name: self.fields[name].read(data[name], prefix + name) for name in self.fields if name in data}
        return self.record(seat, **values)

    def _read_seat(self, data: Mapping[str, object], seats: int, prefix: str) -> int:
        if "seat" not in data:
            if seats == 1:
                return 0
            raise Malformed(f"{prefix}seat", MISSING_FIELD, {"name": "seat"})
        seat = read_whole_number(data["seat"], f"{prefix}seat")
        if not 0 <= seat < seats:
            raise Malformed(f"{prefix}seat", NO_SUCH_SEAT, {"seat": abbreviate(seat), "last": seats - 1})
        return seat

    def write(self, action: Action) -> dict[str, Any]:
        """Return the action as a JSON object."""
        data: dict[str, Any] = {"seat": action.seat} if self.has_seat else {}
        data["type"] = action.type
        for name in self.fields:
            value = getattr(action, name)
            if name not in self.defaults or value != self.defaults[name]:
                data[name] = _to_json(value)
        return data


RETIRE = ActionType(Retire, {})


def action_types(*types: ActionType) -> Mapping[str, ActionType]:
    """Return the types by name, including `retire`, which every game has (TABLE-3)."""
    return {kind.record.type: kind for kind in (*types, RETIRE)}


def read_action(types: Mapping[str, ActionType], data: object, seats: int, path: str = "") -> Action:
    """Read one action of a transcript.

    Args:
        types: the game's action types.
        data: the plain JSON value.
        seats: how many seats there are.
        path: the path of the value, for the error: ``"actions[3]"``.

    Raises:
        Malformed: it is not an action of this game.
    """
    given = read_object(data, path)
    prefix = f"{path}." if path else ""
    if "type" not in given:
        raise Malformed(f"{prefix}type", MISSING_FIELD, {"name": "type"})
    word = given["type"]
    if not isinstance(word, str) or word not in types:
        raise Malformed(f"{prefix}type", UNKNOWN_TYPE, {"type": abbreviate(word), "known": ", ".join(types)})
    return types[word].read(given, seats, path)


def write_action(types: Mapping[str, ActionType], action: Action) -> dict[str, Any]:
    """Return the action as a JSON object; `read_action` turns it back into the same action."""
    return types[action.type].write(action)


def _to_json(value: object) -> object:
    if isinstance(value, (tuple, list)):
        return [_to_json(part) for part in value]
    if isinstance(value, Mapping):
        return {str(key): _to_json(part) for key, part in value.items()}
    return value
