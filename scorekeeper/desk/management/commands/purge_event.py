"""`manage.py purge_event SLUG`: removes an event for good, even if it has official results."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import ProgrammingError
from django.utils.translation import gettext as _

from scorekeeper.desk.forms import is_name_of
from scorekeeper.desk.services.event_deletion import purge_event
from scorekeeper.events.models import DeletedEvent, Event


class Command(BaseCommand):
    """Asks for the event's name, and prints the last hash of every chain, which is kept too."""

    help = (
        "Removes an event with everything that belongs to it, official results too. What is left, and printed, is the "
        "last hash of every chain. On PostgreSQL, run it as the owner of the tables."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", help="the event's address")
        parser.add_argument("--yes", action="store_true", help="do not ask for the event's name")

    def handle(self, *args: Any, event: str, yes: bool, **options: Any) -> None:
        found = Event.objects.filter(slug=event).first()
        if found is None:
            raise CommandError(_("There is no event with the address “%(event)s”.") % {"event": event})
        if not yes and not is_name_of(found, self._ask_name(found)):
            raise CommandError(_("That is not its name. Nothing was removed."))
        try:
            left = purge_event(found)
        except ProgrammingError as error:
            if getattr(error.__cause__, "sqlstate", "") != "42501":  # insufficient privilege
                raise
            raise CommandError(
                _("Another role owns the tables. Run this with the DATABASE_URL of their owner. Nothing was removed.")
            ) from error
        self._print_heads(left)

    def _ask_name(self, event: Event) -> str:
        question = _("This removes “%(event)s” with its results for good. Type its name to continue: ")
        try:
            return input(question % {"event": event})
        except EOFError:
            return ""

    def _print_heads(self, left: DeletedEvent) -> None:
        self.stdout.write(_("“%(event)s” was removed. The last hash of each of its chains:") % {"event": left.name})
        for chain, head in sorted(left.heads.items()):
            self.stdout.write(f"{chain} {head}")
