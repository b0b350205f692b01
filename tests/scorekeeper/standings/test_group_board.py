"""The groups of a contest: made from the leaderboard's rows, frozen in a revision, and verified."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scorekeeper.bikes.models import Bike
from scorekeeper.events.group_setting import GroupSetting
from scorekeeper.events.models import Contest
from scorekeeper.events.services.contests import GroupsFixed, rename_contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.ledger.services.operation_context import parse_entry_body
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.standings.group_ranking import GroupRanking, make_group_ranking
from scorekeeper.standings.group_scores import GroupRule
from scorekeeper.standings.leaderboard import LeaderboardRow
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.group_rankings import list_entrants_by_group
from scorekeeper.standings.selectors.leaderboard import get_current_report, get_leaderboard
from scorekeeper.standings.selectors.revisions import compute_standings_digest
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn

Figures = list[tuple[str, str, int, int, int]]

MEAN, BEST_TWO = GroupSetting("mean", 3), GroupSetting("best", 2)


def compare_groups(contest: Contest, setting: GroupSetting) -> None:
    rename_contest(contest, name=contest.name, groups=setting)


def list_figures(ride: Ride, board: GroupRanking | None) -> Figures:
    """Place, name, points, how many count, and how many there are, of each group."""
    assert board is not None
    names = {ride.group_one.pk: "one", ride.group_two.pk: "two"}
    return [
        (row.rank_label, names[row.group_id], row.score.points, row.score.counted, row.score.size) for row in board.rows
    ]


def list_damage_texts(ride: Ride) -> list[str]:
    return [f"{damage.location}: {damage.description}" for damage in list_damage(ride.event)]


def make_row(number: int, total: int, status: str = "done", rank: int | None = 1) -> LeaderboardRow:
    return LeaderboardRow(UUID(int=number), str(number), rank, False, total, 1, status, None)


@pytest.fixture
def two_groups(ride: Ride, tied_bikes: None, add_turn: Callable[..., Any], desk: Actor) -> None:
    """Group one has 24, 24, 24 and 20 points; group two has 30 and 17, and two bikes that have not rolled."""
    for number, points in ((5, 30), (6, 17)):
        add_turn(number, 1, make_paper_turn("chance", points), by=desk, reason="from the paper cards")


def test_where_the_lowest_total_wins_only_finished_cards_count() -> None:
    rows = [make_row(1, 9), make_row(2, 3, "playing"), make_row(3, 2, "retired"), make_row(4, 5)]
    groups = {UUID(int=10): [UUID(int=1), UUID(int=2)], UUID(int=11): [UUID(int=4), UUID(int=3)]}

    board = make_group_ranking(GroupRule(lowest_wins=True), rows, groups)

    assert [(row.group_id.int, row.score.points, row.members) for row in board.rows] == [
        (11, 5, (UUID(int=4),)),
        (10, 9, (UUID(int=1),)),
    ]


def test_a_bike_without_a_place_and_one_without_a_group_do_not_count() -> None:
    rows = [make_row(1, 9), make_row(2, 3), make_row(3, 0, "absent", None)]
    groups = {UUID(int=10): [UUID(int=1), UUID(int=3)], UUID(int=11): [UUID(int=3)], UUID(int=12): [UUID(int=99)]}

    board = make_group_ranking(GroupRule(), rows, groups)

    assert [(row.group_id.int, row.rank_label, row.score.size) for row in board.rows] == [(10, "1", 1), (11, "–", 0)]
    assert GroupRanking.from_data(board.to_data()) == board


def test_a_board_knows_when_some_of_its_rows_are_hidden() -> None:
    rows = [make_row(1, 9), make_row(2, 3)]
    board = make_group_ranking(GroupRule(), rows, {UUID(int=10): [UUID(int=1), UUID(int=2)]})

    assert board.is_made_of(rows)
    assert not board.is_made_of(rows[1:])


@pytest.mark.usefixtures("two_groups")
@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        (MEAN, [("1", "two", 47, 2, 2), ("2", "one", 92, 4, 4)]),
        (BEST_TWO, [("1", "one", 48, 2, 4), ("2", "two", 47, 2, 2)]),
        (GroupSetting("best", 3), [("1", "one", 72, 3, 4), ("–", "two", 47, 2, 2)]),
    ],
    ids=["mean", "best two", "too few"],
)
def test_groups_are_compared_as_the_contest_says(ride: Ride, update_standings, setting, expected: Figures) -> None:
    update_standings()
    assert get_leaderboard(ride.contest).groups is None, "off by default"

    compare_groups(ride.contest, setting)

    assert list_figures(ride, get_leaderboard(ride.contest).groups) == expected
    assert list_figures(ride, get_current_report(ride.contest)[1].groups) == expected


@pytest.mark.usefixtures("two_groups")
def test_equal_groups_share_their_place(ride: Ride, update_standings) -> None:
    Bike.objects.filter(pk=ride.bikes[6].pk).update(group=None)
    Bike.objects.filter(pk=ride.bikes[1].pk).update(group=ride.group_two)
    compare_groups(ride.contest, GroupSetting("best", 1))
    Bike.objects.filter(pk=ride.bikes[5].pk).update(group=None)
    update_standings()

    board = get_leaderboard(ride.contest).groups
    assert list_figures(ride, board) == [("1=", "one", 24, 1, 3), ("1=", "two", 24, 1, 1)]


@pytest.mark.usefixtures("two_groups")
def test_points_of_a_bike_that_retired_are_kept_for_its_group(ride: Ride, desk: Actor, update_standings) -> None:
    compare_groups(ride.contest, MEAN)
    retire_bike(desk, uuid4(), ride.contest.pk, ride.bikes[5].pk, "a flat tyre")
    update_standings()

    assert list_figures(ride, get_leaderboard(ride.contest).groups)[0] == ("1", "two", 47, 2, 2)


@pytest.mark.usefixtures("two_groups")
def test_comparing_groups_takes_one_more_statement_however_many_there_are(ride: Ride, update_standings) -> None:
    update_standings()
    with CaptureQueriesContext(connection) as before:
        get_leaderboard(ride.contest)
    compare_groups(ride.contest, MEAN)
    with CaptureQueriesContext(connection) as after:
        get_leaderboard(ride.contest)

    assert len(after) == len(before) + 1


def test_players_ride_in_the_group_of_their_bike(ride: Ride) -> None:
    ride.contest.seats_are = Contest.SeatsAre.PLAYERS
    by_group = list_entrants_by_group(ride.contest)

    people = dict(ride.event.players.values_list("pk", "bike__group"))
    assert {player: group for group, players in by_group.items() for player in players} == people
    assert list(by_group) == [ride.group_one.pk, ride.group_two.pk]


@pytest.mark.usefixtures("two_groups")
def test_how_groups_are_compared_is_fixed_while_the_contest_is_closed(ride: Ride, close) -> None:
    compare_groups(ride.contest, MEAN)
    close()

    with pytest.raises(GroupsFixed):
        compare_groups(ride.contest, BEST_TWO)


@pytest.fixture
def published(ride: Ride, two_groups: None, close, cut, update_standings, desk: Actor) -> Revision:
    compare_groups(ride.contest, BEST_TWO)
    close()
    publish_contest(desk, uuid4(), ride.contest.pk, "as it stands")
    update_standings()
    ride.contest.refresh_from_db()
    return Revision.objects.get()


def test_the_log_says_how_groups_are_compared(ride: Ride, published: Revision) -> None:
    entries = Entry.objects.filter(chain=ride.contest.pk, kind__in=["close", "publish"])
    assert [parse_entry_body(entry)["data"]["groups"] for entry in entries] == [{"by": "best", "best": 2}] * 2


def test_a_revision_freezes_figures_and_members_and_no_names(ride: Ride, published: Revision) -> None:
    frozen = published.standings["groups"]
    assert "Group one" not in str(published.standings)
    Bike.objects.filter(pk=ride.bikes[5].pk).update(group=ride.group_one)

    board = get_leaderboard(ride.contest).groups

    assert list_figures(ride, board) == [("1", "one", 48, 2, 4), ("2", "two", 47, 2, 2)]
    assert frozen["rows"][1]["members"] == [str(ride.bikes[5].pk), str(ride.bikes[6].pk)]
    assert list_damage_texts(ride) == [], "a bike may change groups at any time"


def test_a_revision_of_a_contest_that_does_not_compare_groups_is_as_before(
    ride: Ride, two_groups: None, close, desk: Actor
) -> None:
    close()
    publish_contest(desk, uuid4(), ride.contest.pk, "as it stands")

    assert "groups" not in Revision.objects.get().standings
    assert "groups" not in "".join(Entry.objects.values_list("body", flat=True))
    assert list_damage_texts(ride) == []


@pytest.mark.usefixtures("without_guards")
@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("rows", 0, "points"), 49),
        (("rows", 0, "rank"), 2),
        (("rows", 0, "level"), True),
        (("rows", 1, "counted"), 1),
        (("rows", 1, "members"), []),
        (("rows", 1, "members"), ["x"]),
        (("best",), 1),
        (("lowest_wins",), True),
        (("rows",), None),
    ],
)
def test_verification_finds_altered_figures_of_groups_even_with_a_matching_digest(
    ride: Ride, published: Revision, path: tuple[Any, ...], value: Any
) -> None:
    *parents, last = path
    data = published.standings["groups"]
    for parent in parents:
        data = data[parent]
    data[last] = value
    Revision.objects.update(standings=published.standings)

    found = list_damage_texts(ride)
    assert any("it does not match the log: standings" in text for text in found)
    assert any("its groups do not match its figures" in text for text in found)
    assert compute_standings_digest(published.standings)


@pytest.mark.parametrize("changed", [{"groups_by": ""}, {"groups_by": "mean"}, {"group_best": 3}, {"groups_by": "x"}])
def test_verification_finds_an_altered_setting(ride: Ride, published: Revision, changed: dict[str, Any]) -> None:
    Contest.objects.filter(pk=ride.contest.pk).update(**changed)

    assert any("its log has another way to compare groups" in text for text in list_damage_texts(ride))


def test_verification_finds_groups_switched_on_behind_an_older_log(ride: Ride, two_groups: None, close) -> None:
    close()
    Contest.objects.filter(pk=ride.contest.pk).update(groups_by="mean")

    assert any("its log has another way to compare groups" in text for text in list_damage_texts(ride))


def test_groups_of_hidden_rows_are_not_given_away(ride: Ride, published: Revision) -> None:
    board = get_leaderboard(ride.contest)
    assert board.groups is not None
    assert board.groups.is_made_of(board.rows)
    assert not board.groups.is_made_of(replace(board, rows=board.rows[1:]).rows)
