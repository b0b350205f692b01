"""Finds the records of a person in an event, and reads everything that is stored about them."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from scorekeeper.common.database_snapshot import consistent_snapshot
from scorekeeper.common.names import fold_name
from scorekeeper.crew.models import CrewMember
from scorekeeper.event_page.models import EventPage
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import CutWitness, UncheckedPeople
from scorekeeper.personal_data.crew_sections import list_crew_sections, list_text_sections
from scorekeeper.personal_data.log_sections import list_log_sections
from scorekeeper.personal_data.person_record import DataSubject, PersonRecord, PersonSection, RecordKey, RecordKind
from scorekeeper.personal_data.rider_sections import Holdings, list_rider_sections

FORMAT, VERSION = "tailgunner-personal-data", 1


def find_records(event: Event, name: str) -> list[PersonRecord]:
    """Return the records with a name, ignoring case."""
    wanted = _fold(name)
    return [record for record in _list_records(event) if _fold(record.name) == wanted]


def has_ambiguous_kinds(records: Collection[PersonRecord]) -> bool:
    """Whether there may be two people among the records: two on the roster, two of the crew, and so on."""
    kinds = [record.key.kind for record in records if record.key.kind is not RecordKind.WITNESS]
    return len(kinds) > len(set(kinds))


def list_candidates(event: Event, keys: Iterable[RecordKey]) -> list[PersonRecord]:
    """Return the records with these keys, and all others with one of their names."""
    records, wanted = list(_list_records(event)), set(keys)
    names = {_fold(record.name) for record in records if record.key in wanted}
    return [record for record in records if _fold(record.name) in names]


def get_subject(event: Event, keys: Iterable[RecordKey]) -> DataSubject | None:
    """Return the person with these records; None if the event does not have all of them."""
    records, wanted = list(_list_records(event)), set(keys)
    own = tuple(record for record in records if record.key in wanted)
    if not own or len(own) != len(wanted):
        return None
    names = {_fold(record.name) for record in own}
    rest = [record for record in records if record.key not in wanted]
    namesakes = tuple(record for record in rest if _fold(record.name) in names)
    return DataSubject(event, own, namesakes, {record.name for record in rest})


def _fold(name: str) -> str:
    return fold_name(name)


def _list_records(event: Event) -> Iterator[PersonRecord]:
    """Return everyone whose name the event has."""
    yield from _list_players(event)
    yield from _list_crew(event)
    yield from _list_sign_ups(event)
    yield from _list_unchecked(event)
    witnesses = CutWitness.objects.filter(operation__event=event).order_by("operation__received_at")
    yield from (PersonRecord(RecordKey(RecordKind.WITNESS, witness.pk), witness.name) for witness in witnesses)
    pages = EventPage.objects.filter(event=event).exclude(contact_name="")
    yield from (PersonRecord(RecordKey(RecordKind.CONTACT, page.pk), page.contact_name) for page in pages)
    organisers = event.organisers.select_related("user").order_by("pk")
    yield from (PersonRecord(RecordKey(RecordKind.ORGANISER, one.pk), str(one)) for one in organisers)
    former = event.former_organisers.select_related("user").order_by("pk")
    yield from (PersonRecord(RecordKey(RecordKind.FORMER_ORGANISER, one.pk), str(one)) for one in former)


def _list_players(event: Event) -> Iterator[PersonRecord]:
    for player in event.players.select_related("bike"):
        bike = "" if player.bike is None else _("Bike %(number)s") % {"number": player.bike}
        details = ", ".join(filter(None, (bike, str(player.get_role_display()))))
        yield PersonRecord(RecordKey(RecordKind.PLAYER, player.pk), player.name, details)


def _list_crew(event: Event) -> Iterator[PersonRecord]:
    for member in CrewMember.objects.filter(group__event=event).select_related("group").order_by("pk"):
        details = f"{member.get_role_display()}, {member.group}"
        yield PersonRecord(RecordKey(RecordKind.CREW, member.pk), member.name, details)


def _list_sign_ups(event: Event) -> Iterator[PersonRecord]:
    for row in event.sign_ups.all():
        machine = " ".join(filter(None, (row.make, row.model)))
        yield PersonRecord(RecordKey(RecordKind.SIGN_UP_RIDER, row.pk), row.rider, machine)
        if row.passenger:
            yield PersonRecord(RecordKey(RecordKind.SIGN_UP_PASSENGER, row.pk), row.passenger, machine)


def _list_unchecked(event: Event) -> Iterator[PersonRecord]:
    rows = UncheckedPeople.objects.filter(operation__event=event).select_related("bike").order_by("pk")
    for row in rows:
        bike = _("Bike %(number)s") % {"number": row.bike}
        if row.rider:
            yield PersonRecord(RecordKey(RecordKind.WALK_UP_RIDER, row.pk), row.rider, bike)
        if row.passenger:
            yield PersonRecord(RecordKey(RecordKind.WALK_UP_PASSENGER, row.pk), row.passenger, bike)


@dataclass(frozen=True)
class PersonExport:
    """What is stored about a person at one moment."""

    subject: DataSubject
    made_at: dt.datetime
    sections: Sequence[PersonSection]

    @property
    def about(self) -> str:
        """What the file is, in a few sentences."""
        return _(
            "Everything that this installation holds about one person of one event. Each section says what it is. "
            "Names of other people are left out, and of those who recorded something only the role "
            "is said. Not in here: the server’s own log files and backups."
        )

    @property
    def file_name(self) -> str:
        """Under which browsers save the file."""
        event = self.subject.event
        practice = "practice-" if event.is_practice else ""
        name = slugify(self.subject.names[0]) or "person"
        return f"{practice}{event.slug}-personal-data-{name}.json"

    def to_data(self) -> dict[str, Any]:
        """Return the content of the file."""
        event = self.subject.event
        return {
            "format": FORMAT,
            "version": VERSION,
            "about": self.about,
            "times": "UTC",
            "made_at": self.made_at.astimezone(dt.UTC).isoformat(timespec="seconds"),
            "event": {
                "name": event.name,
                "address": event.slug,
                "date": event.date.isoformat(),
                "time_zone": event.time_zone,
                "is_practice": event.is_practice,
            },
            "names": self.subject.names,
            "records": [
                {"kind": record.key.kind.value, "id": str(record.key.id), "details": record.details}
                for record in self.subject.records
            ],
            "sections": {section.key: section.to_data() for section in self.sections},
        }

    def to_json(self) -> str:
        """Return the file, to be read by people too."""
        return json.dumps(self.to_data(), ensure_ascii=False, indent=2) + "\n"


def make_person_export(subject: DataSubject) -> PersonExport:
    """Collect everything about a person, as it is at one moment."""
    own = Holdings(subject)
    with consistent_snapshot():
        sections = (
            *list_rider_sections(own),
            *list_log_sections(own),
            *list_text_sections(own),
            *list_crew_sections(subject),
        )
    return PersonExport(subject, timezone.now(), sections)
