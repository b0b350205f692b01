"""`manage.py erase EVENT NAME`: permanently erases a person's name from an event."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scorekeeper.events.models import Event
from scorekeeper.scorecards.selectors.name_search import NameMatches, find_name
from scorekeeper.scorecards.services.erasure import erase_name


class Command(BaseCommand):
    """Lists where the name occurs. Erases it only with --yes, since that cannot be undone."""

    help = (
        "Erase a person's name, and every reason, witness of a cut and message in which it occurs, from an event. "
        "Scores are kept."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", help="the event's address")
        parser.add_argument("name", help="the name as it was entered; capital letters do not matter")
        parser.add_argument("--yes", action="store_true", help="erase it; without this, only list where it is found")

    def handle(self, *args: Any, event: str, name: str, yes: bool, **options: Any) -> None:
        found = Event.objects.filter(slug=event).first()
        if found is None:
            raise CommandError(_("There is no event with the address “%(event)s”.") % {"event": event})
        if not name.strip():
            raise CommandError(_("Enter the name to erase."))
        if found.organisers.filter(user__username__iexact=name.strip()).exists():
            text = _(
                "“%(name)s” is an organiser of %(event)s. Remove them from its organisers first, then erase the name."
            )
            raise CommandError(text % {"name": name, "event": found})
        matches = find_name(found, name)
        if not matches:
            raise CommandError(_("“%(name)s” was not found in %(event)s.") % {"name": name, "event": found})
        for line in self._list(matches):
            self.stdout.write(line)
        if yes:
            erase_name(found, name)
        self.stdout.write(_("Erased.") if yes else _("Nothing was erased yet: add --yes to erase all of it."))

    def _list(self, matches: NameMatches) -> list[str]:
        return [
            *(_("Person: %(name)s") % {"name": player.name} for player in matches.players),
            *(_("Crew: %(name)s") % {"name": member.name} for member in matches.crew),
            *(_("Former organiser: %(name)s") % {"name": organiser} for organiser in matches.former_organisers),
            *(
                _("Name sent with bike %(number)s: %(names)s") % {"number": row.bike, "names": row}
                for row in matches.unchecked_people
            ),
            *(_("Sign-up: %(name)s") % {"name": row} for row in matches.sign_ups),
            *(_("Reason: %(text)s") % {"text": reason.text} for reason in matches.reasons),
            *(_("Witness of a cut: %(name)s") % {"name": witness.name} for witness in matches.witnesses),
            *(_("Message: %(text)s") % {"text": message.text} for message in matches.messages),
            *(_("Reason: %(text)s") % {"text": dismissal.reason} for dismissal in matches.dismissals),
        ]
