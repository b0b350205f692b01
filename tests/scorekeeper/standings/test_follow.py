"""Standings follow the log, whatever happens to messages and workers on the way."""

from __future__ import annotations

from contextlib import suppress
from io import StringIO
from uuid import UUID, uuid4

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from scorekeeper.events.models import Contest
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import Entry, Outdated, Turn
from scorekeeper.scorecards.services.bikes import WalkUp, merge_bikes, register_bike
from scorekeeper.scorecards.services.corrections import Target, amend_turns, retire_bike
from scorekeeper.scorecards.services.turns import TurnNote, record_turn
from scorekeeper.standings.models import StandingsRow, StandingsState
from scorekeeper.standings.selectors.leaderboard import get_live_board
from scorekeeper.standings.services.follow import follow_contest
from scorekeeper.standings.services.sweeping import compare_lengths, sweep_contests
from tests.scorekeeper.common.conftest import log_lines
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import actor, card_of, final, paper

__all__ = ["log_lines"]


def test_the_highest_total_leads_and_level_bikes_share_a_place(ride: Ride, note, follow, places) -> None:
    """ROCK-18, ROCK-19: competition ranking."""
    note(1, 1, paper("chance", 20))
    note(2, 1, paper("chance", 24))
    note(3, 1, paper("chance", 20))
    note(4, 1, paper("chance", 9))

    follow()

    assert places() == [("1", 2, 24), ("2=", 1, 20), ("2=", 3, 20), ("4", 4, 9)]


def test_a_retired_bike_ranks_below_all_that_stayed(ride: Ride, note, follow, places) -> None:
    """TABLE-3"""
    note(1, 1, paper("chance", 30))
    note(2, 1, paper("chance", 5))
    retire_bike(actor(ride.rita), uuid4(), ride.contest.pk, ride.bikes[1].pk, "flat tyre")

    follow()

    assert places() == [("1", 2, 5), ("2", 1, 30)]


def test_bikes_that_have_not_rolled_stand_at_the_end_without_a_rank(ride: Ride, note, follow) -> None:
    note(3, 1, paper("chance", 20))
    follow()

    rows = get_live_board(ride.contest).rows

    assert [(row.rank_label, row.number) for row in rows][:3] == [("1", "3"), ("–", "1"), ("–", "2")]
    assert len(rows) == 8


def test_following_takes_exactly_what_it_read_and_counts_versions(ride: Ride, note, follow) -> None:
    note(1, 1, paper("chance", 20))
    follow()
    assert not Outdated.objects.exists()
    assert StandingsState.objects.get().version == 1

    follow()
    assert StandingsState.objects.get().version == 1


def test_following_twice_changes_nothing(ride: Ride, note, follow, places) -> None:
    note(1, 1, paper("chance", 20))
    note(2, 1, paper("chance", 20))
    follow()
    before = list(StandingsRow.objects.order_by("pk").values())

    Outdated.objects.create(contest=ride.contest)
    follow()

    assert list(StandingsRow.objects.order_by("pk").values()) == before


def test_a_lost_message_is_found_by_the_sweeper(ride: Ride, note, places) -> None:
    note(1, 1, paper("chance", 20))
    assert places() == []

    assert sweep_contests() == [ride.contest.pk]

    assert places() == [("1", 1, 20)]
    assert sweep_contests() == []


def test_a_contest_that_cannot_be_brought_up_to_date_keeps_no_other_back(
    ride: Ride, note, places, log_lines: StringIO
) -> None:
    # The sweeper takes contests in the order of their ids. No program has a game of that name.
    broken = Contest.objects.create(
        pk=UUID(int=0), event=ride.event, name="Gone", slug="gone", game_key="no-such-game", rules_version=1
    )
    Outdated.objects.create(contest=broken)
    note(1, 1, paper("chance", 20))

    sweep_contests()

    assert places() == [("1", 1, 20)]
    logged = next(line for line in log_lines.getvalue().splitlines() if "contest_not_swept" in line)
    assert str(broken.pk) in logged


def test_a_worker_that_dies_between_commit_and_recompute_leaves_nothing_behind(ride: Ride, note, places) -> None:
    note(1, 1, paper("chance", 20))
    with suppress(KeyboardInterrupt), transaction.atomic():
        follow_contest(ride.contest.pk)
        raise KeyboardInterrupt

    assert places() == []
    assert Outdated.objects.count() == 1
    sweep_contests()
    assert places() == [("1", 1, 20)]


def test_a_card_whose_chain_has_grown_unnoticed_is_found_by_its_length(ride: Ride, note, follow, places) -> None:
    note(1, 1, paper("chance", 20))
    follow()
    note(1, 2, paper("fives", 10))
    note(2, 1, paper("chance", 7))
    Outdated.objects.all().delete()
    assert sweep_contests() == []

    compare_lengths()
    assert sweep_contests() == [ride.contest.pk]

    assert places() == [("1", 1, 30), ("2", 2, 7)]
    compare_lengths()
    assert not Outdated.objects.exists()


def test_a_bike_merged_into_another_has_no_row(ride: Ride, note, desk: Actor, follow, places) -> None:
    note(2, 1, paper("chance", 20))
    walk_up = WalkUp(uuid4(), 2, ride.group_one.pk, rider="Ivy")
    register_bike(desk, uuid4(), walk_up)
    turn = TurnNote(ride.contest.pk, walk_up.id, ride.slots[1].pk, paper("fives", 10))
    record_turn(actor(ride.rita), uuid4(), turn)
    follow()
    assert StandingsRow.objects.count() == 2

    merge_bikes(desk, uuid4(), walk_up.id, ride.bikes[2].pk, "the same bike")
    follow()

    assert places() == [("1", 2, 30)]
    assert StandingsRow.objects.count() == 1
    compare_lengths()
    assert sweep_contests() == []


def test_a_damaged_card_does_not_stop_the_others(ride: Ride, note, follow, places, unguarded) -> None:
    note(1, 1, paper("chance", 20))
    note(2, 1, paper("chance", 24))
    damaged = Entry.objects.get(chain=card_of(ride, ride.bikes[2]).chain)
    Entry.objects.filter(pk=damaged.pk).update(body=damaged.body.replace("chance", "luck"))

    follow()

    assert places() == [("1", 1, 20)]
    assert StandingsRow.objects.count() == 1


def test_a_card_that_is_damaged_later_has_no_row(ride: Ride, note, follow, places, unguarded) -> None:
    note(1, 1, paper("chance", 20))
    note(2, 1, paper("chance", 24))
    follow()
    damaged = Entry.objects.get(chain=card_of(ride, ride.bikes[2]).chain)
    Entry.objects.filter(pk=damaged.pk).update(body=damaged.body.replace("chance", "luck"))
    Outdated.objects.create(contest=ride.contest, card_id=damaged.chain_id)

    follow()

    assert places() == [("1", 1, 20)]
    assert StandingsRow.objects.count() == 1


def test_statements_do_not_grow_with_the_number_of_cards(ride: Ride, note) -> None:
    def statements(numbers: range) -> int:
        for number in numbers:
            note(number, 1, final([1, 2, 3, 4, 6], "chance"))
        with CaptureQueriesContext(connection) as queries:
            follow_contest(ride.contest.pk)
        return len(queries)

    note(1, 2, paper("fives", 10))
    follow_contest(ride.contest.pk)
    assert statements(range(1, 2)) == statements(range(2, 5))


def test_a_card_on_which_nothing_stands_any_more_ranks_nowhere(ride: Ride, note, desk: Actor, follow, places) -> None:
    note(1, 1, paper("chance", 20))
    turn = Turn.objects.get(card=card_of(ride, ride.bikes[1]))
    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [Target(turn.pk, turn.seq, None)], "wrong bike")

    follow()

    assert places() == []
