"""`manage.py demo`: the scripted ride ends with the results that were worked out by hand."""

from __future__ import annotations

from uuid import UUID

import pytest

from scorekeeper.crew.models import Group
from scorekeeper.desk.demo.ride_script import parse_turn, read_ride_script
from scorekeeper.desk.selectors.worth_a_look import compute_warnings
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Entry, Operation, ReviewItem
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.table_summaries import list_tables
from scorekeeper.standings.models import Revision, StandingsRow
from tests.scorekeeper.desk.demo_rides import load_ride

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


@pytest.fixture
def event(db: None) -> Event:
    """The ride when its results are published."""
    return load_ride("published").event


@pytest.mark.slow
def test_the_finished_ride_has_the_results_worked_out_by_hand(event: Event) -> None:
    points: dict[int, list[int]] = {}
    for number, scored in Turn.objects.order_by("slot__ordinal").values_list("card__seats__bike__number", "points"):
        points.setdefault(number, []).append(scored)
    totals = dict(StandingsRow.objects.values_list("bike__number", "total"))

    assert {number: (tuple(scored), totals[number]) for number, scored in points.items()} == WORKED_OUT
    assert all(sum(turns) == total for turns, total in WORKED_OUT.values())


def test_the_tie_for_first_place_is_cut_twice_and_the_second_cut_decides(event: Event) -> None:
    """ROCK-27: two queens are tied and cut again."""
    rows = StandingsRow.objects.filter(contest__event=event, contest__slug="rock-yahtzee")
    first = rows.order_by("-order_key", "tie_key").values_list("bike__number", "total")[:2]

    assert list(first) == [(94, 168), (47, 168)]
    assert Entry.objects.filter(kind="cut").count() == 2
    assert Revision.objects.get().number == 1


def test_the_groups_are_compared_as_worked_out_by_hand_and_the_first_one_wins_the_ham(event: Event) -> None:
    """The best five of each group, from the totals above."""
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


def test_the_ride_includes_everything_that_happens_at_a_real_one(event: Event) -> None:
    outcomes = set(Operation.objects.values_list("outcome", flat=True))
    assert {"recorded", "merged", "conflict"} <= outcomes
    assert set(Turn.objects.values_list("how", flat=True)) == {"rolls", "final", "paper", "missed"}
    kinds = set(Entry.objects.values_list("kind", flat=True))
    assert {"record", "amend", "settle", "register_bike", "renumber_bike", "close", "cut", "publish"} <= kinds
    assert not ReviewItem.objects.filter(settled_at=None).exists()


def test_the_worked_turns_of_the_source_are_part_of_the_ride() -> None:
    """ROCK-28."""
    worked = [step.actions for part in read_ride_script().steps.values() for step in part if step.bike == "57"][:3]

    assert worked == [
        parse_turn("roll 31155, keep 55 roll 341, keep 3455 roll 2 > small_straight"),
        parse_turn("roll 64442, keep 444 roll 41, keep 4444 roll 6 > four_of_a_kind"),
        parse_turn("roll 13444, keep 444 roll 66 > full_house"),
    ]


def test_the_demo_ride_raises_no_warning(event: Event) -> None:
    assert compute_warnings(event) == []


def test_the_tables_are_still_open_when_the_turns_are_published(event: Event) -> None:
    contests = event.contests.exclude(slug="rock-yahtzee")

    assert [len(list_tables(contest)) for contest in contests] == [2, 3, 3, 6]
    assert {contest.status for contest in contests} == {"open"}
