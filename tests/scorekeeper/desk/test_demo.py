"""`manage.py demo`: the scripted ride ends with the results that were worked out by hand."""

from __future__ import annotations

from io import StringIO
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from scorekeeper.crew.models import Group
from scorekeeper.desk.demo.ride_script import parse_turn, read_ride_script
from scorekeeper.desk.selectors.worth_a_look import compute_warnings
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Entry, Operation, ReviewItem
from scorekeeper.scorecards.models import Turn
from scorekeeper.standings.models import Revision, StandingsRow

# Worked out by hand, turn by turn, from the entries in ride.toml: the five turns of each bike, and their sum.
WORKED_OUT = {
    3: ((21, 7, 30, 6, 6), 70),
    8: ((30, 14, 40, 27, 15), 126),
    12: ((27, 40, 14, 30, 14), 125),
    17: ((30, 40, 20, 10, 23), 123),
    21: ((40, 16, 25, 30, 23), 134),
    26: ((23, 13, 25, 10, 30), 101),
    30: ((30, 18, 12, 27, 17), 104),
    34: ((25, 30, 40, 14, 12), 121),
    41: ((26, 30, 13, 10, 8), 87),
    44: ((28, 13, 23, 8, 30), 102),
    47: ((40, 50, 23, 30, 25), 168),
    52: ((25, 25, 18, 12, 18), 98),
    57: ((30, 22, 25, 9, 40), 126),
    58: ((40, 30, 12, 21, 6), 109),
    59: ((0, 18, 16, 18, 30), 82),
    63: ((20, 40, 30, 29, 18), 137),
    66: ((30, 26, 18, 14, 3), 91),
    71: ((15, 10, 30, 40, 9), 104),
    75: ((40, 50, 30, 16, 22), 158),
    79: ((40, 12, 9, 25, 30), 116),
    82: ((14, 12, 25, 26, 6), 83),
    88: ((12, 25, 23, 30, 6), 96),
    90: ((16, 40, 25, 30, 6), 117),
    94: ((50, 40, 50, 22, 6), 168),
    97: ((23, 30, 14, 18, 6), 91),
}

pytestmark = pytest.mark.django_db


def load(until: str) -> Event:
    call_command("demo", until=until, stdout=StringIO())
    return Event.objects.get()


def test_the_finished_ride_has_the_results_worked_out_by_hand() -> None:
    load("published")

    points: dict[int, list[int]] = {}
    for number, scored in Turn.objects.order_by("slot__ordinal").values_list("card__seats__bike__number", "points"):
        points.setdefault(number, []).append(scored)
    totals = dict(StandingsRow.objects.values_list("bike__number", "total"))

    assert {number: (tuple(scored), totals[number]) for number, scored in points.items()} == WORKED_OUT
    assert all(sum(turns) == total for turns, total in WORKED_OUT.values())


def test_the_tie_for_first_place_is_cut_twice_and_the_second_cut_decides() -> None:
    """ROCK-27: two queens are tied and cut again."""
    event = load("published")

    rows = StandingsRow.objects.filter(contest__event=event, contest__slug="rock-yahtzee")
    first = rows.order_by("-order_key", "tie_key").values_list("bike__number", "total")[:2]

    assert list(first) == [(94, 168), (47, 168)]
    assert Entry.objects.filter(kind="cut").count() == 2
    assert Revision.objects.get().number == 1


def test_the_groups_are_compared_as_worked_out_by_hand_and_the_first_one_wins_the_ham() -> None:
    """The best five of each group, from the totals above."""
    load("published")

    revision = Revision.objects.get()
    names = dict(Group.objects.values_list("pk", "name"))
    rows = revision.standings["groups"]["rows"]
    assert [(names[UUID(row["group"])], row["points"]) for row in rows] == [
        ("Coffee Stop Crew", 158 + 104 + 116 + 117 + 168),
        ("Main Pack", 168 + 126 + 109 + 137 + 102),
        ("Early Birds", 126 + 125 + 123 + 134 + 121),
    ]
    (ham,) = (award for award in revision.awards or () if award["rule"] == "best_group")
    assert [winner["id"] for winner in ham["winners"]] == [rows[0]["group"]]


def test_the_ride_includes_everything_that_happens_at_a_real_one() -> None:
    load("published")

    outcomes = set(Operation.objects.values_list("outcome", flat=True))
    assert {"recorded", "merged", "conflict"} <= outcomes
    assert set(Turn.objects.values_list("how", flat=True)) == {"rolls", "final", "paper", "missed"}
    kinds = set(Entry.objects.values_list("kind", flat=True))
    assert {"record", "amend", "settle", "register_bike", "renumber_bike", "close", "cut", "publish"} <= kinds
    assert not ReviewItem.objects.filter(settled_at=None).exists()


@pytest.mark.parametrize(
    ("until", "turns"), [("setup", 0), ("ozwelds", 24), ("parks", 50), ("bbq", 75), ("finale", 125)]
)
def test_the_ride_can_be_loaded_at_any_stage(until: str, turns: int) -> None:
    load(until)

    assert Turn.objects.count() == turns


def test_loading_prints_what_to_open_and_it_opens(client: Client) -> None:
    out = StringIO()
    call_command("demo", stdout=out)
    home = "http://127.0.0.1:8000"
    desk, link, table, board = (word.removeprefix(home) for word in out.getvalue().split() if word.startswith(home))

    client.force_login(User.objects.get(username="organiser"))
    for path in (desk, link, board):
        assert client.get(path).status_code == 200
    phone = Client()
    phone.post(link)
    assert "Gwen R." in phone.get(table).content.decode()


def test_an_empty_database_gets_a_ride_in_progress_and_an_official_one() -> None:
    """The ride in progress has R.O.C.K. and a contest of each game at the tables, last year's had R.O.C.K. alone."""
    call_command("demo", if_empty=True, stdout=StringIO())
    call_command("demo", if_empty=True, stdout=StringIO())

    statuses = Event.objects.values_list("contests__status", flat=True)
    assert sorted(statuses) == ["official", *["open"] * 5]


def test_a_random_password_replaces_the_public_one() -> None:
    call_command("demo", until="setup", stdout=StringIO())
    out = StringIO()
    call_command("demo", if_empty=True, random_password=True, stdout=out)

    organiser = User.objects.get(username="organiser")
    printed = next(line.partition(" / ")[2] for line in out.getvalue().splitlines() if " / " in line)
    assert organiser.check_password(printed)
    assert printed != "leave no roll behind"


def test_the_worked_turns_of_the_source_are_part_of_the_ride() -> None:
    """ROCK-28."""
    worked = [step.actions for part in read_ride_script().steps.values() for step in part if step.bike == "57"][:3]

    assert worked == [
        parse_turn("roll 31155, keep 55 roll 341, keep 3455 roll 2 > small_straight"),
        parse_turn("roll 64442, keep 444 roll 41, keep 4444 roll 6 > four_of_a_kind"),
        parse_turn("roll 13444, keep 444 roll 66 > full_house"),
    ]


@pytest.mark.parametrize("until", ["parks", "bbq", "published"])
def test_the_demo_ride_raises_no_warning(until: str) -> None:
    assert compute_warnings(load(until)) == []
