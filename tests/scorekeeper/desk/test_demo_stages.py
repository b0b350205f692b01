"""`manage.py demo`: how far the ride has got at each stage, the ride of an empty database, and the password."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from scorekeeper.desk.selectors.worth_a_look import compute_warnings
from scorekeeper.events.models import Event
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.table_summaries import list_tables
from tests.scorekeeper.desk.demo_rides import load_ride

pytestmark = pytest.mark.django_db


# test_demo_tables.py is about the barbecue, test_demo.py about the published ride.
@pytest.mark.parametrize(
    ("until", "turns", "tables"),
    [("setup", 0, [0] * 4), ("ozwelds", 24, [0] * 4), ("parks", 50, [0] * 4), ("finale", 125, [2, 3, 3, 6])],
)
@pytest.mark.slow
def test_the_ride_can_be_loaded_at_any_stage(until: str, turns: int, tables: list[int]) -> None:
    """There are tables from the barbecue on."""
    event = load_ride(until).event

    assert Turn.objects.count() == turns
    contests = event.contests.exclude(slug="rock-yahtzee")
    assert [len(list_tables(contest)) for contest in contests] == tables
    assert {contest.status for contest in contests} == {"open"}
    if until == "parks":
        assert compute_warnings(event) == []


@pytest.mark.slow
def test_an_empty_database_gets_two_rides_in_progress_and_an_official_one() -> None:
    """One in progress has R.O.C.K. and a contest of each game at the tables, the other a poker run and a dice run.

    Last year's had R.O.C.K. alone.
    """
    call_command("demo", if_empty=True, stdout=StringIO())
    call_command("demo", if_empty=True, stdout=StringIO())

    statuses = Event.objects.values_list("contests__status", flat=True)
    assert sorted(statuses) == ["official", *["open"] * (5 + 2)]


def test_a_random_password_replaces_the_public_one() -> None:
    call_command("demo", until="setup", stdout=StringIO())
    out = StringIO()
    call_command("demo", if_empty=True, random_password=True, stdout=out)

    organiser = User.objects.get(username="organiser")
    printed = next(line.partition(" / ")[2] for line in out.getvalue().splitlines() if " / " in line)
    assert organiser.check_password(printed)
    assert printed != "leave no roll behind"
