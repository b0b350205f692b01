"""`manage.py demo`: loads the demo ride, at any stage of the day, and prints how to open it.

Loading never deletes anything: every call creates a new ride. With --if-empty, nothing is loaded if an event already
exists. Otherwise it creates three rides: one in progress, last year's, which is official and has no tables, and a poker
run with a dice run beside it, which is at its second stop.
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
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from scorekeeper.crew.selectors import list_groups_with_crew
from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.desk.demo.poker_ride import load_poker_ride
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
POKER_RUN = "poker-run"
ONE_YEAR = dt.timedelta(days=364)


class Command(BaseCommand):
    help = "Loads the demo and prints how to sign in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--until", choices=STAGES, default="bbq", help="how far the demo has got")
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
            load_poker_ride(organiser)
        else:
            open_event = _list_open_events(organiser).exclude(contests__game_key=POKER_RUN).first()
            if open_event is None:
                return
            event = open_event
        self._print_links(event, password)
        if if_empty and (poker_ride := _list_open_events(organiser).filter(contests__game_key=POKER_RUN).first()):
            self._print_poker_links(poker_ride)

    def _print_links(self, event: Event, password: str | None) -> None:
        contest = event.contests.first()
        assert contest is not None
        board = reverse("results:leaderboard", args=[event.slug, contest.slug])
        password_hint = _("the password you set; to change it: manage.py changepassword %(name)s") % {"name": ORGANISER}
        signed_in = f"{ORGANISER} / {password or password_hint}"
        self._print_link(_("Organiser"), reverse("desk:event", args=[event.slug]), signed_in)
        self._print_crew_link(_("Crew"), event)
        table = _find_table_in_play(event)
        if table is not None:
            hint = _("on that phone, after it has joined: %(names)s") % {"names": table.name}
            self._print_link(_("Table"), reverse("tables:table", args=[table.id]), hint)
        self._print_link(_("Leaderboard"), board)

    def _print_poker_links(self, event: Event) -> None:
        screen = reverse("live:preview", args=[event.slug])
        hint = _("after you have signed in as %(name)s") % {"name": ORGANISER}
        self._print_link(_("Poker run"), reverse("results:event", args=[event.slug]))
        self._print_crew_link(_("Poker crew"), event)
        self._print_link(_("Day screen"), f"{screen}?theme=day", hint)
        self._print_link(_("Night screen"), f"{screen}?theme=night", hint)

    def _print_crew_link(self, name: str, event: Event) -> None:
        member = next((member for group in list_groups_with_crew(event) for member in group.crew.all()), None)
        if member is not None:
            _invitation, token = create_invitation(member)
            hint = _("works once, on one phone: %(name)s of %(group)s") % {
                "name": member.name,
                "group": member.group.name,
            }
            self._print_link(name, reverse("crew:join", args=[token]), hint)

    def _print_link(self, name: str, path: str, hint: str = "") -> None:
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


def _list_open_events(organiser: User) -> QuerySet[Event]:
    return Event.objects.filter(organisers__user=organiser, state=Event.State.OPEN)


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
