"""A person as the installation holds them: the rows of an event that are that person, and the sections about them.

Terms: a *person record* is one row that has the person's name: an entry of the roster, a member of the crew, a sign-up,
a name on a walk-up that is not checked yet, a witness of a cut, an organiser. Somebody who rides and is in the crew
has two. A *data subject* is the person: the records that an organiser says are one person.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.request_data import parse_uuid
from scorekeeper.events.models import Event

Row = Mapping[str, Any]
MAX_COLUMNS = 7


@dataclass(frozen=True, slots=True)
class PersonSection:
    """Rows about the person.

    Attributes:
        key: the section's name in the file.
        about: what the rows are, and why they are stored.
        headings: the heading of each column, by the column's name in the file.
        rows: times and plain data: texts, numbers, booleans, None, and lists and objects of these.
    """

    key: str
    title: str
    about: str
    headings: Mapping[str, str]
    rows: Sequence[Row]

    @property
    def is_wide(self) -> bool:
        """Whether it has more columns than fit on a page."""
        return len(self.headings) > MAX_COLUMNS

    def to_data(self) -> dict[str, Any]:
        """Return the section as the file has it, with times as texts."""
        rows = [{name: _write_time(row.get(name)) for name in self.headings} for row in self.rows]
        return {"about": self.about, "columns": dict(self.headings), "rows": rows}


def _write_time(value: Any) -> Any:
    return value.astimezone(dt.UTC).isoformat(timespec="seconds") if isinstance(value, dt.datetime) else value


class RecordKind(StrEnum):
    """What a record is. The values are in URLs."""

    PLAYER = "player"
    CREW = "crew"
    SIGN_UP_RIDER = "sign-up-rider"
    SIGN_UP_PASSENGER = "sign-up-passenger"
    WALK_UP_RIDER = "walk-up-rider"
    WALK_UP_PASSENGER = "walk-up-passenger"
    WITNESS = "witness"
    CONTACT = "contact"
    ORGANISER = "organiser"
    FORMER_ORGANISER = "former-organiser"

    @property
    def label(self) -> str | Promise:
        """The kind in words."""
        return _LABELS[self]


_LABELS: dict[RecordKind, str | Promise] = {
    RecordKind.PLAYER: _("On the roster"),
    RecordKind.CREW: _("Crew"),
    RecordKind.SIGN_UP_RIDER: _("Sign-up, as the rider"),
    RecordKind.SIGN_UP_PASSENGER: _("Sign-up, as the passenger"),
    RecordKind.WALK_UP_RIDER: _("Names to check, as the rider"),
    RecordKind.WALK_UP_PASSENGER: _("Names to check, as the passenger"),
    RecordKind.WITNESS: _("Witness of a cut"),
    RecordKind.CONTACT: _("Contact of the event"),
    RecordKind.ORGANISER: _("Organiser"),
    RecordKind.FORMER_ORGANISER: _("Former organiser"),
}


@dataclass(frozen=True, slots=True)
class RecordKey:
    """Which row a record is, as URLs name it: `player:…`."""

    kind: RecordKind
    id: UUID

    def __str__(self) -> str:
        return f"{self.kind.value}:{self.id}"

    @classmethod
    def parse(cls, text: str) -> RecordKey | None:
        """Return the key in a text; None if it is none."""
        kind, _colon, rest = text.partition(":")
        row_id = parse_uuid(rest)
        if kind not in list(RecordKind) or row_id is None:
            return None
        return cls(RecordKind(kind), row_id)


@dataclass(frozen=True, slots=True)
class PersonRecord:
    """A record.

    Attributes:
        details: what tells it from others of the same name: "Bike 12, rider".
    """

    key: RecordKey
    name: str
    details: str = ""


@dataclass(frozen=True)
class DataSubject:
    """One person of an event.

    Attributes:
        records: the records that are this person.
        namesakes: records with one of the same names that are not; a text with the name may be about them.
        others: the names of everyone else at the event.
    """

    event: Event
    records: tuple[PersonRecord, ...]
    namesakes: tuple[PersonRecord, ...]
    others: Collection[str]

    @cached_property
    def names(self) -> list[str]:
        """The names of the person, each once."""
        return list(dict.fromkeys(record.name.strip() for record in self.records))

    def list_ids(self, *kinds: RecordKind) -> list[UUID]:
        """Return the ids of the rows of these kinds."""
        return [record.key.id for record in self.records if record.key.kind in kinds]
