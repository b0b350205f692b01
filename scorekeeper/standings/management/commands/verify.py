"""`manage.py verify`: reads the log of every event, or of a single one, and names each entry that was tampered with.

For an event whose log is in order, it prints the event's head: two installations with the same head have exactly the
same log. With `--witness`, the log is also compared with the receipts that phones were given for their entries, because
a log that was rewritten from end to end is in order as well.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.common.data_folder_check import DATA_CHECKS
from scorekeeper.common.database_snapshot import consistent_snapshot
from scorekeeper.events.models import DeletedEvent, Event
from scorekeeper.events.selectors import get_deleted_event
from scorekeeper.ledger.models import Chain, Entry
from scorekeeper.ledger.witness import InvalidWitnessFile, parse_witness_file
from scorekeeper.standings.selectors.log_head import compute_event_head, list_chain_heads
from scorekeeper.standings.selectors.verification import (
    LogDamage,
    count_unwitnessed,
    list_damage,
    list_database_damage,
)
from scorekeeper.standings.selectors.witness_check import compare_with_log

# What reading a value of a type that no program stored may raise.
UNREADABLE = (AttributeError, LookupError, TypeError, ValueError)


class Command(BaseCommand):
    requires_system_checks = DATA_CHECKS
    help = (
        "Checks the log, the data built from it, and the official revisions, and prints each event's head: one hash "
        "over its whole log. Exits with 1 if anything is damaged or differs from a phone's receipts."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", nargs="?", help="the event's address; leave it out to check every event")
        parser.add_argument(
            "--witness",
            nargs="+",
            default=[],
            metavar="FILE",
            help="files that phones saved on “Ready for the ride?”; each receipt is compared with the log",
        )

    def handle(self, *args: Any, event: str | None, witness: Sequence[str], **options: Any) -> None:
        events = Event.objects.order_by("date", "slug")
        if event is not None:
            events = events.filter(slug=event)
            if not events and (deleted := get_deleted_event(event)):
                raise CommandError(self._describe_deleted(deleted))
            if not events:
                raise CommandError(_("There is no event with the address “%(event)s”.") % {"event": event})
        # Rows that belong to no event, or that no query finds any more, are found first, in the whole database.
        with consistent_snapshot():
            damaged = sum(self._report(_("database"), damage) for damage in list_database_damage())
        try:
            for checked_event in events:
                with consistent_snapshot():
                    damaged += self._verify_event(checked_event)
            for deleted in DeletedEvent.objects.order_by("deleted_at") if event is None else ():
                self.stdout.write(self._describe_deleted(deleted))
            damaged += sum(self._compare_witness(name, list(events)) for name in witness)
        except UNREADABLE as error:  # a damaged value that was named above
            text = f"it cannot be checked any further ({type(error).__name__}: {error})"
            damaged += self._report(_("database"), LogDamage(_("The events"), text))
        if damaged:
            raise CommandError(
                ngettext("%(count)s fault found.", "%(count)s faults found.", damaged) % {"count": damaged},
                returncode=1,
            )

    def _report(self, subject: str, damage: LogDamage) -> int:
        """Print a fault, the place in the database, and what to do next; return 1."""
        self.stdout.write(f"{subject}: {damage.location}: {damage.description}")
        self.stdout.write(f"    {damage.place}. {damage.advice}" if damage.place else f"    {damage.advice}")
        return 1

    def _describe_deleted(self, deleted: DeletedEvent) -> str:
        params = {"event": deleted.slug, "date": f"{deleted.deleted_at:%Y-%m-%d}", "chains": len(deleted.heads)}
        return _("%(event)s: deleted on %(date)s; the last hashes of its %(chains)s chains are kept") % params

    def _verify_event(self, event: Event) -> int:
        found = 0
        for damage in list_damage(event):
            found += self._report(event.slug, damage)
        if not found:
            entries = Entry.objects.filter(chain__event=event).count()
            chains = Chain.objects.filter(event=event).count()
            head = compute_event_head(list_chain_heads(event.pk, {}))
            params = {"event": event.slug, "entries": entries, "chains": chains, "head": head}
            text = _("%(event)s: %(entries)s entries in %(chains)s chains, all in order, head %(head)s")
            self.stdout.write(text % params)
        unwitnessed = count_unwitnessed(event)
        if any(unwitnessed):
            params = {"event": event.slug, **unwitnessed._asdict()}
            text = _(
                "%(event)s: %(entries)s entries and %(reviews)s review items come from older versions, which "
                "did not store in the log what was sent: what was sent could only be compared with its own "
                "digest"
            )
            self.stdout.write(text % params)
        return found

    def _compare_witness(self, name: str, events: Sequence[Event]) -> int:
        """Compare the log with the receipts of one phone; return how many faults there are."""
        try:
            receipts = parse_witness_file(Path(name).read_text("utf-8"))
        except (OSError, UnicodeDecodeError, InvalidWitnessFile) as error:
            self.stdout.write(_("%(file)s cannot be read: %(why)s") % {"file": name, "why": error})
            return 1
        found = list(compare_with_log(receipts, events))
        for damage in found:
            self.stdout.write(f"{name}: {damage.location}: {damage.description}")
        if not found:
            text = ngettext(
                "%(file)s: %(count)s receipt, matching the log",
                "%(file)s: %(count)s receipts, all matching the log",
                len(receipts),
            )
            self.stdout.write(text % {"file": name, "count": len(receipts)})
        return len(found)
