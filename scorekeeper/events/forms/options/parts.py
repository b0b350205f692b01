"""Declarations and a draft, laid out as the parts of a form.

A *leaf* is one field, a *group* is a record in a fieldset, *rows* are a list of groups; each knows the template that
shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext as _

from games.core.options import Option, RecordOption, RowsOption
from scorekeeper.common.rules import say
from scorekeeper.events.forms.options.draft import ROOT, is_default, list_keys


class Place(NamedTuple):
    """Where a part stands.

    Attributes:
        name: of its fields, `options.course.segments.3`.
        path: of faults as the rules report them, `options.course.segments[2]`.
        heading: what messages say before a label there, "Segments, Segment 3".
        is_in_row: whether it is inside a row of a list.
    """

    name: str
    path: str
    heading: str = ""
    is_in_row: bool = False

    @property
    def beginnings(self) -> tuple[str, str]:
        """How the path of anything here begins, with a dot at its end."""
        return f"{self.path}.", f"{self.path}["

    def of(self, option: Option) -> Place:
        """Return the place of an option that stands here."""
        return self._replace(name=f"{self.name}.{option.name}", path=f"{self.path}.{option.name}")

    def under(self, label: str) -> Place:
        """Return the place for what is inside a record. Inside a row the row is named, which tells more."""
        return self if self.is_in_row else self._replace(heading=label)

    def row(self, key: str, number: int, heading: str) -> Place:
        """Return the place of a row, the first of which has number 1."""
        return Place(f"{self.name}.{key}", f"{self.path}[{number - 1}]", heading, is_in_row=True)


@dataclass(frozen=True)
class Part:
    """One declared option at its place."""

    option: Option
    place: Place
    inner: tuple[Part, ...] = ()

    template: ClassVar[str]

    @property
    def name(self) -> str:
        """The name of its field, or the beginning of the names of its fields."""
        return self.place.name

    @property
    def label(self) -> str:
        """What the page calls it."""
        return say(self.option.label)

    @property
    def help(self) -> str:
        """What the page says of it."""
        return say(self.option.help)

    @property
    def title(self) -> str:
        """What messages call it, wherever on the page they stand."""
        heading = self.place.heading
        return _("%(heading)s, %(label)s") % {"heading": heading, "label": self.label} if heading else self.label

    def gather(self, cleaned: Mapping[str, Any]) -> Any:
        """Return the value as JSON holds it, out of what the fields made of the draft."""
        raise NotImplementedError


class Leaf(Part):
    """One field."""

    template = "events/options/leaf.html"

    def gather(self, cleaned: Mapping[str, Any]) -> Any:
        return cleaned[self.name]


class Group(Part):
    """A record."""

    template = "events/options/group.html"

    def gather(self, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        return {part.option.name: part.gather(cleaned) for part in self.inner}


@dataclass(frozen=True)
class Row(Group):
    """A record in a list; `number` is its place in it, from 1."""

    key: str = ""
    number: int = 1

    @property
    def label(self) -> str:
        return _name_row(self.option, self.number)

    @property
    def title(self) -> str:
        return self.place.heading


@dataclass(frozen=True)
class Rows(Part):
    """A list of records. It is folded away while it is what the rule book says."""

    option: RowsOption
    is_default: bool = True

    template = "events/options/rows.html"

    @property
    def keys(self) -> list[str]:
        """The keys of its rows, in their order."""
        return [row.key for row in self.inner if isinstance(row, Row)]

    @property
    def is_full(self) -> bool:
        """Whether no row can be added."""
        return len(self.inner) >= self.option.lengths[1]

    @property
    def is_short(self) -> bool:
        """Whether no row can be removed."""
        return len(self.inner) <= self.option.lengths[0]

    def gather(self, cleaned: Mapping[str, Any]) -> list[Any]:
        return [row.gather(cleaned) for row in self.inner]


def lay_out(declared: Iterable[Option], draft: QueryDict) -> tuple[Part, ...]:
    """Return the parts of a form for these options, with as many rows as the draft has."""
    root = Place(ROOT, ROOT)
    return tuple(_lay_out(option, root.of(option), draft) for option in declared)


def _lay_out(option: Option, place: Place, draft: QueryDict) -> Part:
    match option:
        case RecordOption():
            return Group(option, place, _lay_out_fields(option, place.under(say(option.label)), draft))
        case RowsOption():
            rows = tuple(
                _lay_out_row(option, place, key, number, draft)
                for number, key in enumerate(list_keys(draft, place.name), 1)
            )
            return Rows(option, place, rows, is_default(draft, option, place.name))
        case _:
            return Leaf(option, place)


def _lay_out_row(option: RowsOption, place: Place, key: str, number: int, draft: QueryDict) -> Row:
    heading = _("%(heading)s, %(label)s") % {"heading": say(option.label), "label": _name_row(option.row, number)}
    row_place = place.row(key, number, heading)
    return Row(option.row, row_place, _lay_out_fields(option.row, row_place, draft), key, number)


def _name_row(option: Option, number: int) -> str:
    return _("%(label)s %(number)s") % {"label": say(option.label), "number": number}


def _lay_out_fields(option: RecordOption, place: Place, draft: QueryDict) -> tuple[Part, ...]:
    return tuple(_lay_out(field, place.of(field), draft) for field in option.fields)


def walk(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield the parts and all parts inside them, as they follow each other on the page."""
    for part in parts:
        yield part
        yield from walk(part.inner)
