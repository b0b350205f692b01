"""`manage.py export_event ADDRESS`: writes the bundle of an event into a file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any, cast

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from games.core.bundle.layout import ROSTERS
from scorekeeper.bundles.roster_names import Roster
from scorekeeper.bundles.services import StandingsWithheld, make_bundle
from scorekeeper.common.data_folder_check import DATA_CHECKS
from scorekeeper.events.models import Event


class Command(BaseCommand):
    requires_system_checks = DATA_CHECKS
    help = (
        "Writes an event into one file, a bundle, which python -m games verify checks and manage.py import_event "
        "restores. Prints the file's name and its SHA-256."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", help="the event's address")
        parser.add_argument("--file", help="the file to write; by default its name says the event and the roster")
        parser.add_argument(
            "--roster",
            choices=ROSTERS,
            default="full",
            help="full: everything, names and reasons too; public: what the event's public pages show",
        )

    def handle(self, *args: Any, event: str, file: str | None, roster: str, **options: Any) -> None:
        found = Event.objects.filter(slug=event).first()
        if found is None:
            raise CommandError(_("There is no event with the address “%(event)s”.") % {"event": event})
        try:
            bundle = make_bundle(found, cast(Roster, roster))
        except StandingsWithheld:
            text = _("The standings of “%(event)s” are frozen, and a bundle says who leads. Lift the freeze first.")
            raise CommandError(text % {"event": found.name}) from None
        path = Path(file or bundle.name)
        try:
            with bundle, path.open("xb") as written:
                written.writelines(bundle.read_chunks())
        except OSError as error:
            text = _("%(file)s cannot be written: %(why)s.")
            raise CommandError(text % {"file": path, "why": error.strerror}) from error
        self.stdout.write(f"{path} {bundle.digest}")
