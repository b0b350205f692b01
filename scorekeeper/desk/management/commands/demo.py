"""`manage.py demo`: loads the demo ride, at any stage of the day, and prints how to open it.

Loading never deletes anything: every call creates a new ride. With --if-empty, nothing is loaded if an event already
exists. Otherwise it creates two rides: one in progress, and last year's, which is official and has no tables.
"""

from __future__ import annotations

import datetime as dt
from argparse import ArgumentParser
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from scorekeeper.crew.selectors import list_groups_with_crew
from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.desk.demo.ride_player import STAGES, play_ride
from scorekeeper.desk.demo.ride_script import read_ride_script
from scorekeeper.desk.demo.ride_setup import set_up_ride
from scorekeeper.desk.demo.table_player import add_demo_contests, play_tables
from scorekeeper.desk.demo.table_script import read_contest_scripts
from scorekeeper.events.models import Event
from scorekeeper.events.services.accounts import create_account, generate_password
from scorekeeper.scorecards.selectors.table_summaries import TableSummary, list_tables
from scorekeeper.scorecards.selectors.tables import list_table_contests

ORGANISER = "organiser"
# The README contains it, so it must only protect a demo that nobody but this machine can reach.
PASSWORD = "leave no roll behind"  # noqa: S105
ONE_YEAR = dt.timedelta(days=364)


class Command(BaseCommand):
    help = "Loads the demo ride and prints how to sign in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--until", choices=STAGES, default="bbq", help="how far the ride has got")
        parser.add_argument("--if-empty", action="store_true", help="load nothing if there is already an event")
        parser.add_argument(
            "--random-password",
            action="store_true",
            help="set a new password for the demo's organiser and print it once",
        )

    def handle(self, *args: Any, until: str, if_empty: bool, random_password: bool, **options: Any) -> None:
        organiser, password = _get_organiser(random_password)
        if not if_empty:
            event = _load_ride(organiser, until)
        elif not Event.objects.exists():
            _load_ride(organiser, "published", ONE_YEAR)
            event = _load_ride(organiser, until)
        else:
            open_event = Event.objects.filter(organisers__user=organiser, state=Event.State.OPEN).first()
            if open_event is None:
                return
            event = open_event
        self._print_links(event, password)

    def _print_links(self, event: Event, password: str | None) -> None:
        contest = event.contests.first()
        assert contest is not None
        board = reverse("results:leaderboard", args=[event.slug, contest.slug])
        password_hint = _("the password you set; to change it: manage.py changepassword %(name)s") % {"name": ORGANISER}
        lines = [
            (_("Organiser"), reverse("desk:event", args=[event.slug]), f"{ORGANISER} / {password or password_hint}"),
            (_("Leaderboard"), board, ""),
        ]
        member = next((member for group in list_groups_with_crew(event) for member in group.crew.all()), None)
        if member is not None:
            _invitation, token = create_invitation(member)
            hint = _("works once, on one phone: %(name)s of %(group)s") % {
                "name": member.name,
                "group": member.group.name,
            }
            lines.insert(1, (_("Crew"), reverse("crew:join", args=[token]), hint))
        table = _find_table_in_play(event)
        if table is not None:
            hint = _("on that phone, after it has joined: %(names)s") % {"names": table.name}
            lines.insert(2, (_("Table"), reverse("tables:table", args=[table.id]), hint))
        for name, path, hint in lines:
            self.stdout.write(f"{name:<12} {settings.BASE_URL}{path}" + (f"\n{'':<12} {hint}" if hint else ""))


def _load_ride(organiser: User, until: str, ago: dt.timedelta = dt.timedelta()) -> Event:
    script = read_ride_script()
    date = timezone.localdate(timezone=ZoneInfo(script.event["time_zone"])) - ago
    name = f"{script.event['name']} {date.year}" if ago else script.event["name"]
    with transaction.atomic():
        ride = set_up_ride(script, organiser, name, date)
        at_tables = [] if ago else add_demo_contests(ride.event, read_contest_scripts())
    play_ride(ride, script, until)
    play_tables(ride, at_tables, until)
    return ride.event


def _find_table_in_play(event: Event) -> TableSummary | None:
    tables = (table for contest in list_table_contests(event) for table in list_tables(contest))
    return next((table for table in tables if table.stage == "playing"), None)


def _get_organiser(random_password: bool) -> tuple[User, str | None]:
    """Return the demo's organiser, and the password if it is known."""
    organiser = User.objects.filter(username=ORGANISER).first()
    password = generate_password() if random_password else PASSWORD
    if organiser is None:
        return create_account(ORGANISER, password), password
    if random_password:
        organiser.set_password(password)
        organiser.save(update_fields=["password"])
        return organiser, password
    return organiser, PASSWORD if organiser.check_password(PASSWORD) else None
