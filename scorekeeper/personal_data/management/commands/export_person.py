"""`manage.py export_person EVENT NAME`: writes everything that is stored about a person of an event into a file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scorekeeper.events.models import Event
from scorekeeper.personal_data.person_record import PersonRecord, RecordKey
from scorekeeper.personal_data.selectors import find_records, get_subject, has_ambiguous_kinds, make_person_export


class Command(BaseCommand):
    """Lists the records with the name, and writes the file with `--file`. Several people of a name need `--only`."""

    help = "Write everything that is stored about one person of an event into a JSON file, without other people's data."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", help="the event's address")
        parser.add_argument("name", help="the name as it was entered; capital letters do not matter")
        parser.add_argument("--file", help="the file to write; without this, only list where the name is found")
        parser.add_argument(
            "--only",
            nargs="+",
            default=[],
            metavar="RECORD",
            help="the records that are this person, as they are listed",
        )

    def handle(self, *args: Any, event: str, name: str, file: str | None, only: list[str], **options: Any) -> None:
        found = Event.objects.filter(slug=event).first()
        if found is None:
            raise CommandError(_("There is no event with the address “%(event)s”.") % {"event": event})
        if not name.strip():
            raise CommandError(_("Enter the name of the person."))
        records = find_records(found, name)
        if not records:
            raise CommandError(_("“%(name)s” was not found in %(event)s.") % {"name": name, "event": found})
        for record in records:
            self.stdout.write(_describe(record))
        keys = self._choose(records, only)
        if file is None:
            self.stdout.write(_("Nothing was written yet: add --file and the name of a file."))
            return
        subject = get_subject(found, keys)
        if subject is None:  # removed at this very moment
            raise CommandError(_("“%(name)s” was not found in %(event)s.") % {"name": name, "event": found})
        try:
            with Path(file).open("x", encoding="utf-8") as written:
                written.write(make_person_export(subject).to_json())
        except OSError as error:
            text = _("%(file)s cannot be written: %(why)s.")
            raise CommandError(text % {"file": file, "why": error.strerror}) from error
        self.stdout.write(_("Written to %(file)s.") % {"file": file})

    def _choose(self, records: list[PersonRecord], only: list[str]) -> list[RecordKey]:
        keys = {str(record.key): record.key for record in records}
        if unknown := [text for text in only if text not in keys]:
            raise CommandError(_("%(record)s is not one of these records.") % {"record": ", ".join(unknown)})
        if not only and has_ambiguous_kinds(records):
            raise CommandError(_("There may be several people of this name. Say which records are theirs with --only."))
        return [keys[text] for text in only] or list(keys.values())


def _describe(record: PersonRecord) -> str:
    details = f" ({record.details})" if record.details else ""
    return f"{record.key} {record.key.kind.label}: {record.name}{details}"
