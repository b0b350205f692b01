"""Table games on the leaderboard, in a revision, and in the log verification."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import uuid4

import pytest

from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import StaleCard
from scorekeeper.players.models import Player
from scorekeeper.scorecards.models import Seat
from scorekeeper.standings.models import Revision, StandingsRow
from scorekeeper.standings.selectors.checklist import get_checklist
from scorekeeper.standings.selectors.current_tables import list_current_tables
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.selectors.reports import fold_report
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.contest_chain import ChecklistIncomplete
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.standings.services.sweeper import mark_outgrown_cards, refresh_stale_contests
from scorekeeper.tables.services import withdraw_table
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.table_fixtures import BANK, AddAction, AddTable, make_throw

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def played(add_table: AddTable, add_action: AddAction) -> None:
    """Ann has finished after two throws, Ben after three; Cleo has thrown once, Dan not at all."""
    for name, throws in {"Ann": 2, "Ben": 3, "Cleo": 1, "Dan": 0}.items():
        card = add_table(name)
        for _ in range(throws):
            add_action(card, make_throw(5, 5) if throws == 2 else make_throw(4, 4))
        if throws >= 2:
            add_action(card, BANK)


def board(contest: Contest, people: Mapping[str, Player]) -> list[tuple[str, str, int]]:
    names = {person.pk: name for name, person in people.items()}
    return [(names[row.entrant_id], row.rank_label, row.total) for row in get_live_leaderboard(contest).rows]


@pytest.mark.usefixtures("played")
def test_the_board_is_in_the_games_order_and_ends_with_those_who_have_not_started(
    pig_contest: Contest, people: Mapping[str, Player]
) -> None:
    refresh_standings(pig_contest.pk)

    assert board(pig_contest, people) == [("Cleo", "1", 1), ("Ann", "2", 2), ("Ben", "3", 3), ("Dan", "–", 0)]


@pytest.mark.usefixtures("played")
def test_refreshing_after_each_action_gives_the_same_as_folding_everything(
    pig_contest: Contest, people: Mapping[str, Player]
) -> None:
    refresh_standings(pig_contest.pk)

    stored = StandingsRow.objects.filter(contest=pig_contest, turns_done__gt=0)
    assert {(row.entrant_id, row.total, row.status) for row in stored} == {
        (row.entrant_id, row.total, row.status) for row in fold_report(pig_contest).rows
    }


@pytest.mark.usefixtures("played")
def test_a_lost_message_is_found_by_the_sweeper(pig_contest: Contest, people: Mapping[str, Player]) -> None:
    StaleCard.objects.all().delete()
    mark_outgrown_cards()

    assert refresh_stale_contests() == [pig_contest.pk]
    mark_outgrown_cards()
    assert refresh_stale_contests() == []
    assert len(board(pig_contest, people)) == 4


def test_opponents_keep_their_totals_from_other_tables(
    duel_contest: Contest, add_table: AddTable, add_action: AddAction, people: Mapping[str, Player]
) -> None:
    """Ann plays Ben, Ben plays Cleo, Cleo plays Dan: the first table does not change Cleo's row."""
    cards = [add_table(*pair, contest=duel_contest) for pair in (("Ann", "Ben"), ("Ben", "Cleo"), ("Cleo", "Dan"))]
    for card in cards[1:]:
        add_action(card, {"seat": 0, **make_throw(2, 2)})
        add_action(card, {"seat": 1, **make_throw(2, 2)})
    refresh_standings(duel_contest.pk)

    add_action(cards[0], {"seat": 0, **make_throw(2, 2)})
    refresh_standings(duel_contest.pk)

    assert board(duel_contest, people) == [("Ann", "1=", 1), ("Ben", "1=", 1), ("Dan", "1=", 1), ("Cleo", "4", 2)]


def test_a_withdrawn_table_leaves_the_board(
    pig_contest: Contest, desk: Actor, add_table: AddTable, people: Mapping[str, Player]
) -> None:
    card = add_table("Ann")
    refresh_standings(pig_contest.pk)
    withdraw_table(desk, uuid4(), card, "went home")
    refresh_standings(pig_contest.pk)

    assert board(pig_contest, people) == []


@pytest.mark.usefixtures("played")
def test_publishing_with_tables_in_play_needs_a_reason(pig_contest: Contest, desk: Actor) -> None:
    close_contest(desk, uuid4(), pig_contest.pk, "bedtime")

    assert len(get_checklist(pig_contest).unfinished) == 2
    with pytest.raises(ChecklistIncomplete):
        publish_contest(desk, uuid4(), pig_contest.pk)
    assert publish_contest(desk, uuid4(), pig_contest.pk, "they fell asleep").outcome == "recorded"


@pytest.mark.usefixtures("played")
def test_a_revision_contains_the_tables_without_names_and_can_be_verified(
    ride: Ride, pig_contest: Contest, desk: Actor, people: Mapping[str, Player]
) -> None:
    close_contest(desk, uuid4(), pig_contest.pk, "bedtime")
    publish_contest(desk, uuid4(), pig_contest.pk, "they fell asleep")
    pig_contest.refresh_from_db()

    frozen = Revision.objects.get().standings
    assert not any(name in str(frozen) for name in people)
    assert len(frozen["cards"]) == 3
    tables = list_current_tables(pig_contest, people["Ann"].pk)
    assert [[part.total for part in table.seat_reports] for table in tables] == [[2]]
    assert list(list_damage(ride.event)) == []


def test_seats_that_differ_from_the_log_are_damage(
    ride: Ride, add_table: AddTable, people: Mapping[str, Player]
) -> None:
    Seat.objects.filter(card_id=add_table("Ann")).update(player=people["Ben"])

    assert [damage.description for damage in list_damage(ride.event)] == ["its seats do not match its log"]
