"""Options: what a rule book lets a contest choose, declared so that a form can be made of them.

A declaration knows its default, its range and how to read a JSON value. `read_options` gives every option a
value; what was not given keeps its default, and an option nobody declared is malformed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from games.core.problems import Malformed
from games.core.reading import check_fields, read_list, read_object, read_whole_number
from games.core.text import Text, gettext_noop

WRONG_LENGTH = gettext_noop("This must be a list of %(low)s to %(high)s entries.")


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
    """A whole number from `low` to `high`; no upper bound when `high` is None."""

    name: str
    label: Text
    help: Text
    default: int
    low: int = 0
    high: int | None = None

    def read(self, value: object, path: str) -> int:
        return read_whole_number(value, path, self.low, self.high)


@dataclass(frozen=True, slots=True)
class NumbersOption:
    """A list of whole numbers, each from `low` on, of a length within `lengths`."""

    name: str
    label: Text
    help: Text
    default: tuple[int, ...]
    low: int
    lengths: tuple[int, int]

    def read(self, value: object, path: str) -> tuple[int, ...]:
        given = read_list(value, path)
        shortest, longest = self.lengths
        if not shortest <= len(given) <= longest:
            raise Malformed(path, WRONG_LENGTH, {"low": shortest, "high": longest})
        return tuple(read_whole_number(number, f"{path}[{index}]", self.low) for index, number in enumerate(given))


@dataclass(frozen=True, slots=True)
class RecordOption:
    """Several numbers that belong together; all of them are given or none."""

    name: str
    label: Text
    help: Text
    fields: tuple[NumberOption, ...]

    @property
    def default(self) -> Mapping[str, int]:
        return {field.name: field.default for field in self.fields}

    def read(self, value: object, path: str) -> Mapping[str, int]:
        given = read_object(value, path)
        names = [field.name for field in self.fields]
        check_fields(given, path, names, names)
        return {field.name: field.read(given[field.name], f"{path}.{field.name}") for field in self.fields}


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
