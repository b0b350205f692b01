"""Options: what a contest can choose about a game, declared so that a form can be built from them.

A declaration has a default, a range and a method to read a JSON value. `read_options` returns a value for every
option: the default if none was given. An undeclared option is malformed. `write_options` is the inverse and returns
the values that differ from the defaults.

Invariant: a value that was read and then written as JSON reads back as the same value, so that a form can be filled
from it. If a rule book lets people write the same value in several ways, the game subclasses one of these options and
reads all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from games.core.problems import Malformed
from games.core.reading import (
    UNKNOWN_CHOICE,
    Flag,
    OneOf,
    check_fields,
    read_list,
    read_object,
    read_text,
    read_whole_number,
)
from games.core.text import Text, gettext_noop

WRONG_LENGTH = gettext_noop("This must be a list of %(low)s to %(high)s items.")
EMPTY_TEXT = gettext_noop("This must not be empty.")
TEXT_TOO_LONG = gettext_noop("This must have at most %(high)s characters.")


class Option(Protocol):
    """One declared option."""

    @property
    def name(self) -> str: ...
    @property
    def label(self) -> Text: ...
    @property
    def help(self) -> Text: ...
    @property
    def default(self) -> Any: ...

    def read(self, value: object, path: str) -> Any:
        """Return the value, or raise `Malformed`."""


@dataclass(frozen=True, slots=True)
class NumberOption:
    """A whole number from `low` to `high`, or one of `values` if they are given.

    There is no upper bound if `high` is None. If `nullable`, the value can be None.

    Attributes:
        without: what None stands for, in a summary; None if it is that there is none.
    """

    name: str
    label: Text
    help: Text
    default: int | None
    low: int = 0
    high: int | None = None
    nullable: bool = False
    values: tuple[int, ...] = ()
    without: Text | None = None

    def read(self, value: object, path: str) -> int | None:
        if value is None and self.nullable:
            return None
        number = read_whole_number(value, path, self.low, self.high)
        if self.values and number not in self.values:
            raise Malformed(path, UNKNOWN_CHOICE, {"value": number, "known": ", ".join(map(str, self.values))})
        return number


@dataclass(frozen=True, slots=True)
class NumbersOption:
    """A list of whole numbers from `low` to `high`, with a length within `lengths`."""

    name: str
    label: Text
    help: Text
    default: tuple[int, ...]
    low: int
    lengths: tuple[int, int]
    high: int | None = None

    def read(self, value: object, path: str) -> tuple[int, ...]:
        given = _read_list_of(self.lengths, value, path)
        return tuple(
            read_whole_number(number, f"{path}[{index}]", self.low, self.high) for index, number in enumerate(given)
        )


@dataclass(frozen=True, slots=True)
class TextOption:
    """A short text; never empty."""

    name: str
    label: Text
    help: Text
    default: str
    longest: int = 80

    def read(self, value: object, path: str) -> str:
        text = read_text(value, path)
        if not text.strip():
            raise Malformed(path, EMPTY_TEXT)
        if len(text) > self.longest:
            raise Malformed(path, TEXT_TOO_LONG, {"high": self.longest})
        return text


@dataclass(frozen=True, slots=True)
class FlagOption:
    """Yes or no."""

    name: str
    label: Text
    help: Text
    default: bool = False

    def read(self, value: object, path: str) -> bool:
        return Flag().read(value, path)


@dataclass(frozen=True, slots=True)
class ChoiceOption:
    """One word from a closed list, each with a label."""

    name: str
    label: Text
    help: Text
    default: str
    choices: tuple[tuple[str, Text], ...]

    def read(self, value: object, path: str) -> str:
        return OneOf({word: word for word, _ in self.choices}).read(value, path)


# For rule books that leave it to the contest whether ties are cut (`Game.tie_procedure`).
TIES = ChoiceOption(
    "ties",
    gettext_noop("Ties"),
    gettext_noop("What happens when players are tied at the end."),
    "cut",
    (("cut", gettext_noop("They cut cards")), ("stay", gettext_noop("They share the place"))),
)


@dataclass(frozen=True, slots=True)
class RecordOption:
    """Several values that belong together. All are required, unless `partial`: then missing values are defaults."""

    name: str
    label: Text
    help: Text
    fields: tuple[Option, ...]
    partial: bool = False

    @property
    def default(self) -> Mapping[str, Any]:
        return {field.name: field.default for field in self.fields}

    def read(self, value: object, path: str) -> Mapping[str, Any]:
        given = read_object(value, path)
        names = [field.name for field in self.fields]
        check_fields(given, path, names, () if self.partial else names)
        return {
            field.name: field.read(given[field.name], f"{path}.{field.name}") if field.name in given else field.default
            for field in self.fields
        }


@dataclass(frozen=True, slots=True)
class RowsOption:
    """A list of records of one kind, such as the segments of a course, with a length within `lengths`."""

    name: str
    label: Text
    help: Text
    default: tuple[Mapping[str, Any], ...]
    row: RecordOption
    lengths: tuple[int, int]

    def read(self, value: object, path: str) -> tuple[Mapping[str, Any], ...]:
        given = _read_list_of(self.lengths, value, path)
        return tuple(self.row.read(row, f"{path}[{index}]") for index, row in enumerate(given))


class Preset(NamedTuple):
    """A named set of options that go well together."""

    key: str
    label: Text
    help: Text
    options: Mapping[str, Any]


def make_house_rules(
    declared: Sequence[Option], key: str, label: Text, help_text: Text, changes: Mapping[str, Any]
) -> Preset:
    """Return a preset with a value for every declared option: the default, unless it is changed."""
    defaults = {option.name: _as_json(option.default) for option in declared}
    return Preset(key, label, help_text, {**defaults, **changes})


def _read_list_of(lengths: tuple[int, int], value: object, path: str) -> list[Any]:
    given = read_list(value, path)
    shortest, longest = lengths
    if not shortest <= len(given) <= longest:
        raise Malformed(path, WRONG_LENGTH, {"low": shortest, "high": longest})
    return given


def read_options(declared: Sequence[Option], data: object, path: str = "options") -> dict[str, Any]:
    """Return a value for every declared option.

    Raises:
        Malformed: an option is unknown, or its value is of the wrong type or out of range.
    """
    given = read_object(data, path)
    check_fields(given, path, [option.name for option in declared])
    return {
        option.name: option.read(given[option.name], f"{path}.{option.name}")
        if option.name in given
        else option.default
        for option in declared
    }


def write_options(declared: Sequence[Option], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that differ from the defaults, as JSON; `read_options` turns them back into the same values.

    Args:
        declared: the options to write.
        values: a value for each of them, as it was read.
    """
    return {
        option.name: _write(option, values[option.name])
        for option in declared
        if _as_json(values[option.name]) != _as_json(option.default)
    }


def _write(option: Option, value: Any) -> Any:
    if isinstance(option, RecordOption) and option.partial:
        return write_options(option.fields, value)
    return _as_json(value)


def _as_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _as_json(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_as_json(part) for part in value]
    return value
