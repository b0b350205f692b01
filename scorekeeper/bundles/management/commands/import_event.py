"""`manage.py import_event BUNDLE`: restores an event from a bundle, with the same ids and hashes, or not at all."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_slug
from django.utils.translation import gettext as _

from games.core.bundle.reading import UnreadableBundle
from scorekeeper.bundles.event_import import AddressTaken, EventExists, EventWasDeleted, FaultyBundle, import_bundle
from scorekeeper.common.data_folder_check import DATA_CHECKS
from scorekeeper.events.services.events import is_reserved_slug
from scorekeeper.standings.selectors.log_head import compute_event_head, list_chain_heads

MOST_SHOWN = 100  # sentences about a bundle with faults


class Command(BaseCommand):
    requires_system_checks = DATA_CHECKS
    help = (
        "Restores an event from a bundle: log, roster, contests, standings, revisions and prizes, with the same ids "
        "and hashes. Phones, accounts and links do not come along. If anything is wrong, nothing is restored. Exits "
        "with 1 if the bundle was altered or the event is here already, and with 2 if the file is no bundle."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("bundle", help="the file")
        parser.add_argument(
            "--organiser",
            required=True,
            metavar="NAME",
            help="the account that organises the event in this installation",
        )
        parser.add_argument("--address", help="another address, if an event here has the bundle’s; it changes no hash")

    def handle(self, *args: Any, bundle: str, organiser: str, address: str | None, **options: Any) -> None:
        user = User.objects.filter(username=organiser).first()
        if user is None:
            raise CommandError(
                _("There is no account “%(name)s”. Create it first: manage.py organiser %(name)s") % {"name": organiser}
            )
        if address is not None:
            self._check_address(address)
        try:
            with Path(bundle).open("rb") as file:
                event, report = import_bundle(file, user, address)
        except (OSError, UnreadableBundle) as error:
            why = error.strerror if isinstance(error, OSError) else error
            text = _("%(file)s cannot be imported: %(why)s. Nothing was imported.")
            raise CommandError(text % {"file": bundle, "why": why}, returncode=2) from error
        except FaultyBundle as error:
            for sentence in error.sentences[:MOST_SHOWN]:
                self.stdout.write(sentence)
            text = _("%(file)s is not in order. Nothing was imported.")
            raise CommandError(text % {"file": bundle}, returncode=1) from error
        except (EventExists, EventWasDeleted, AddressTaken) as error:
            raise CommandError(_describe_obstacle(error), returncode=1) from error
        for line in report.list_sentences():
            self.stdout.write(line)
        head = compute_event_head(list_chain_heads(event.pk, {}))
        text = _("Imported as %(address)s, verified again: head %(head)s, as in the bundle.")
        self.stdout.write(text % {"address": event.slug, "head": head})

    def _check_address(self, address: str) -> None:
        try:
            validate_slug(address)
        except ValidationError:
            text = _("“%(address)s” is not a valid address: use letters, digits and hyphens.")
            raise CommandError(text % {"address": address}, returncode=1) from None
        if is_reserved_slug(address):
            text = _("“%(address)s” is the address of another page. Choose another one with --address.")
            raise CommandError(text % {"address": address}, returncode=1)


def _describe_obstacle(error: EventExists | EventWasDeleted | AddressTaken) -> str:
    match error:
        case EventExists():
            text = _(
                "This event is here already: “%(event)s”, at the address %(address)s. Nothing was imported. To compare "
                "the two, run manage.py verify %(address)s, and python -m games verify with this bundle: the same head "
                "means the same log."
            )
            return text % {"event": error.event.name, "address": error.event.slug}
        case EventWasDeleted():
            text = _(
                "This event, “%(event)s”, was deleted here on %(date)s. Nothing was imported. Import it into another "
                "installation."
            )
            return text % {"event": error.event.name, "date": f"{error.event.deleted_at:%Y-%m-%d}"}
        case _:
            text = _(
                "Another event here has the address %(address)s. Nothing was imported. Choose an address for this one "
                "with --address."
            )
            return text % {"address": error.args[0]}
