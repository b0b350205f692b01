"""Lays out declared options and a draft as the parts of a form.

A `FieldPart` is one field, a `RecordPart` is a record in a fieldset, and a `RowListPart` is a list of records. Each
names the template that renders it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext as _

from games.core.options import Option, RecordOption, RowsOption
from scorekeeper.common.game_adapter import translate
from scorekeeper.events.forms.options.form_data import ROOT, is_default_value, list_row_keys


class OptionLocation(NamedTuple):
    """Where a part is in the form.

    Attributes:
        name: the name of its fields, `options.course.segments.3`.
        path: the path by which the rules report problems there, `options.course.segments[2]`.
        heading: what messages show before a label there, "Segments, Segment 3".
        is_in_row: whether it is inside a row of a list.
    """

    name: str
    path: str
    heading: str = ""
    is_in_row: bool = False

    @property
    def path_prefixes(self) -> tuple[str, str]:
        """The prefixes of the path of anything at this location, if the path ends with a dot."""
        return f"{self.path}.", f"{self.path}["

    def for_option(self, option: Option) -> OptionLocation:
        """Return the location of an option inside this one."""
        return self._replace(name=f"{self.name}.{option.name}", path=f"{self.path}.{option.name}")

    def with_heading(self, label: str) -> OptionLocation:
        """Return the location for the contents of a record. Inside a row the heading stays that of the row."""
        return self if self.is_in_row else self._replace(heading=label)

    def for_row(self, key: str, number: int, heading: str) -> OptionLocation:
        """Return the location of a row; the first row has number 1."""
        return OptionLocation(f"{self.name}.{key}", f"{self.path}[{number - 1}]", heading, is_in_row=True)


@dataclass(frozen=True)
class OptionPart:
    """One declared option at its location."""

    option: Option
    location: OptionLocation
    children: tuple[OptionPart, ...] = ()

    template: ClassVar[str]

    @property
    def name(self) -> str:
        """The name of its field, or the prefix of the names of its fields."""
        return self.location.name

    @property
    def label(self) -> str:
        """Its label on the page."""
        return translate(self.option.label)

    @property
    def help(self) -> str:
        """Its help text on the page."""
        return translate(self.option.help)

    @property
    def title(self) -> str:
        """Its name in messages, clear anywhere on the page."""
        heading = self.location.heading
        return _("%(heading)s, %(label)s") % {"heading": heading, "label": self.label} if heading else self.label

    def get_value(self, cleaned: Mapping[str, Any]) -> Any:
        """Return the value, ready for JSON, from the cleaned data of the fields."""
        raise NotImplementedError


class FieldPart(OptionPart):
    """An option with one field."""

    template = "events/options/leaf.html"

    def get_value(self, cleaned: Mapping[str, Any]) -> Any:
        return cleaned[self.name]


class RecordPart(OptionPart):
    """A record, shown as a fieldset."""

    template = "events/options/group.html"

    def get_value(self, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        return {part.option.name: part.get_value(cleaned) for part in self.children}


@dataclass(frozen=True)
class RowPart(RecordPart):
    """A record in a list; `number` is its position, from 1."""

    key: str = ""
    number: int = 1

    @property
    def label(self) -> str:
        return _name_row(self.option, self.number)

    @property
    def title(self) -> str:
        return self.location.heading


@dataclass(frozen=True)
class RowListPart(OptionPart):
    """A list of records. It is collapsed while it has the rule book's default."""

    option: RowsOption
    is_default: bool = True

    template = "events/options/rows.html"

    @property
    def keys(self) -> list[str]:
        """The keys of its rows, in order."""
        return [row.key for row in self.children if isinstance(row, RowPart)]

    @property
    def is_full(self) -> bool:
        """Whether no row can be added."""
        return len(self.children) >= self.option.lengths[1]

    @property
    def is_at_minimum(self) -> bool:
        """Whether no row can be removed."""
        return len(self.children) <= self.option.lengths[0]

    def get_value(self, cleaned: Mapping[str, Any]) -> list[Any]:
        return [row.get_value(cleaned) for row in self.children]


def build_parts(declared: Iterable[Option], draft: QueryDict) -> tuple[OptionPart, ...]:
    """Return the parts of a form for these options, with as many rows as the draft has."""
    root = OptionLocation(ROOT, ROOT)
    return tuple(_build_part(option, root.for_option(option), draft) for option in declared)


def _build_part(option: Option, location: OptionLocation, draft: QueryDict) -> OptionPart:
    match option:
        case RecordOption():
            inside = location.with_heading(translate(option.label))
            return RecordPart(option, location, _build_children(option, inside, draft))
        case RowsOption():
            rows = tuple(
                _build_row(option, location, key, number, draft)
                for number, key in enumerate(list_row_keys(draft, location.name), 1)
            )
            return RowListPart(option, location, rows, is_default_value(draft, option, location.name))
        case _:
            return FieldPart(option, location)


def _build_row(option: RowsOption, location: OptionLocation, key: str, number: int, draft: QueryDict) -> RowPart:
    heading = _("%(heading)s, %(label)s") % {"heading": translate(option.label), "label": _name_row(option.row, number)}
    row_location = location.for_row(key, number, heading)
    return RowPart(option.row, row_location, _build_children(option.row, row_location, draft), key, number)


def _name_row(option: Option, number: int) -> str:
    return _("%(label)s %(number)s") % {"label": translate(option.label), "number": number}


def _build_children(option: RecordOption, location: OptionLocation, draft: QueryDict) -> tuple[OptionPart, ...]:
    return tuple(_build_part(field, location.for_option(field), draft) for field in option.fields)


def walk_parts(parts: Iterable[OptionPart]) -> Iterator[OptionPart]:
    """Yield the parts and all parts inside them, in the order of the page."""
    for part in parts:
        yield part
        yield from walk_parts(part.children)
