"""Standings are refreshed from the log, even when messages are lost or workers die."""

from __future__ import annotations

from contextlib import suppress
from io import StringIO
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, StaleCard
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import WalkUp, merge_bikes, register_bike
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.models import StandingsRow, StandingsState
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.standings.services.sweeper import mark_outgrown_cards, refresh_stale_contests
from tests.scorekeeper.common.conftest import log_lines
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import get_bike_card, make_actor, make_final_turn, make_paper_turn

pytestmark = pytest.mark.database

__all__ = ["log_lines"]


def test_the_highest_total_leads_and_tied_bikes_share_a_place(ride: Ride, add_turn, update_standings, places) -> None:
    """ROCK-18, ROCK-19: competition ranking."""
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 24))
    add_turn(3, 1, make_paper_turn("chance", 20))
    add_turn(4, 1, make_paper_turn("chance", 9))

    update_standings()

    assert places() == [("1", 2, 24), ("2=", 1, 20), ("2=", 3, 20), ("4", 4, 9)]


def test_a_retired_bike_ranks_below_all_others(ride: Ride, add_turn, update_standings, places) -> None:
    """TABLE-3"""
    add_turn(1, 1, make_paper_turn("chance", 30))
    add_turn(2, 1, make_paper_turn("chance", 5))
    retire_bike(make_actor(ride.rita), uuid4(), ride.contest.pk, ride.bikes[1].pk, "flat tyre")

    update_standings()

    assert places() == [("1", 2, 5), ("2", 1, 30)]


def test_bikes_that_have_not_rolled_are_at_the_end_without_a_rank(ride: Ride, add_turn, update_standings) -> None:
    add_turn(3, 1, make_paper_turn("chance", 20))
    update_standings()

    rows = get_live_leaderboard(ride.contest).rows

    assert [(row.rank_label, row.number) for row in rows][:3] == [("1", "3"), ("–", "1"), ("–", "2")]
    assert len(rows) == 8


def test_a_refresh_deletes_exactly_the_rows_it_read_and_counts_versions(ride: Ride, add_turn, update_standings) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()
    assert not StaleCard.objects.exists()
    assert StandingsState.objects.get().version == 1

    update_standings()
    assert StandingsState.objects.get().version == 1


def test_refreshing_twice_changes_nothing(ride: Ride, add_turn, update_standings, places) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 20))
    update_standings()
    before = list(StandingsRow.objects.order_by("pk").values())

    StaleCard.objects.create(contest=ride.contest)
    update_standings()

    assert list(StandingsRow.objects.order_by("pk").values()) == before


def test_a_lost_message_is_found_by_the_sweeper(ride: Ride, add_turn, places) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    assert places() == []

    assert refresh_stale_contests() == [ride.contest.pk]

    assert places() == [("1", 1, 20)]
    assert refresh_stale_contests() == []


def test_a_contest_that_cannot_be_refreshed_does_not_block_the_others(
    ride: Ride, add_turn, places, log_lines: StringIO
) -> None:
    # The sweeper handles contests in the order of their ids. There is no game of that name.
    broken = Contest.objects.create(
        pk=UUID(int=0), event=ride.event, name="Gone", slug="gone", game_key="no-such-game", rules_version=1
    )
    StaleCard.objects.create(contest=broken)
    add_turn(1, 1, make_paper_turn("chance", 20))

    refresh_stale_contests()

    assert places() == [("1", 1, 20)]
    logged = next(line for line in log_lines.getvalue().splitlines() if "contest_not_swept" in line)
    assert str(broken.pk) in logged


def test_a_worker_that_dies_during_a_refresh_leaves_no_partial_result(ride: Ride, add_turn, places) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    with suppress(KeyboardInterrupt), transaction.atomic():
        refresh_standings(ride.contest.pk)
        raise KeyboardInterrupt

    assert places() == []
    assert StaleCard.objects.count() == 1
    refresh_stale_contests()
    assert places() == [("1", 1, 20)]


def test_a_card_whose_stale_row_was_lost_is_found_by_the_length_of_its_chain(
    ride: Ride, add_turn, update_standings, places
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()
    add_turn(1, 2, make_paper_turn("fives", 10))
    add_turn(2, 1, make_paper_turn("chance", 7))
    StaleCard.objects.all().delete()
    assert refresh_stale_contests() == []

    mark_outgrown_cards()
    assert refresh_stale_contests() == [ride.contest.pk]

    assert places() == [("1", 1, 30), ("2", 2, 7)]
    mark_outgrown_cards()
    assert not StaleCard.objects.exists()


def test_a_bike_merged_into_another_has_no_row(ride: Ride, add_turn, desk: Actor, update_standings, places) -> None:
    add_turn(2, 1, make_paper_turn("chance", 20))
    walk_up = WalkUp(uuid4(), 2, ride.group_one.pk, rider="Ivy")
    register_bike(desk, uuid4(), walk_up)
    turn = TurnInput(ride.contest.pk, walk_up.id, ride.slots[1].pk, make_paper_turn("fives", 10))
    record_turn(make_actor(ride.rita), uuid4(), turn)
    update_standings()
    assert StandingsRow.objects.count() == 2

    merge_bikes(desk, uuid4(), walk_up.id, ride.bikes[2].pk, "the same bike")
    update_standings()

    assert places() == [("1", 2, 30)]
    assert StandingsRow.objects.count() == 1
    mark_outgrown_cards()
    assert refresh_stale_contests() == []


def test_a_damaged_card_does_not_stop_the_others(
    ride: Ride, add_turn, update_standings, places, without_guards
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 24))
    damaged = Entry.objects.get(chain=get_bike_card(ride, ride.bikes[2]).chain)
    Entry.objects.filter(pk=damaged.pk).update(body=damaged.body.replace("chance", "luck"))

    update_standings()

    assert places() == [("1", 1, 20)]
    assert StandingsRow.objects.count() == 1


def test_a_card_that_is_damaged_later_has_no_row(
    ride: Ride, add_turn, update_standings, places, without_guards
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 24))
    update_standings()
    damaged = Entry.objects.get(chain=get_bike_card(ride, ride.bikes[2]).chain)
    Entry.objects.filter(pk=damaged.pk).update(body=damaged.body.replace("chance", "luck"))
    StaleCard.objects.create(contest=ride.contest, card_id=damaged.chain_id)

    update_standings()

    assert places() == [("1", 1, 20)]
    assert StandingsRow.objects.count() == 1


def test_statements_do_not_grow_with_the_number_of_cards(ride: Ride, add_turn) -> None:
    def count_refresh_statements(numbers: range) -> int:
        for number in numbers:
            add_turn(number, 1, make_final_turn([1, 2, 3, 4, 6], "chance"))
        with CaptureQueriesContext(connection) as queries:
            refresh_standings(ride.contest.pk)
        return len(queries)

    add_turn(1, 2, make_paper_turn("fives", 10))
    refresh_standings(ride.contest.pk)
    assert count_refresh_statements(range(1, 2)) == count_refresh_statements(range(2, 5))


def test_a_card_without_a_current_turn_is_not_ranked(
    ride: Ride, add_turn, desk: Actor, update_standings, places
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    turn = Turn.objects.get(card=get_bike_card(ride, ride.bikes[1]))
    amend_turns(
        desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [CorrectionTarget(turn.pk, turn.seq, None)], "wrong bike"
    )

    update_standings()

    assert places() == []
