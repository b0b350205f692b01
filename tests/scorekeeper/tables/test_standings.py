"""What is noted at the tables on the leaderboard, in a revision, and under suspicion."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import uuid4

import pytest

from scorekeeper.events.models import Contest
from scorekeeper.players.models import Player
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import Outdated, Seat
from scorekeeper.standings.models import Revision, StandingsRow
from scorekeeper.standings.selectors.checklist import get_checklist
from scorekeeper.standings.selectors.leaderboard import get_live_board
from scorekeeper.standings.selectors.reports import fold_report
from scorekeeper.standings.selectors.tables import list_tables_of
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closing import close_contest
from scorekeeper.standings.services.contest_chain import Unsettled
from scorekeeper.standings.services.follow import follow_contest
from scorekeeper.standings.services.publishing import publish_contest
from scorekeeper.standings.services.sweeping import compare_lengths, sweep_contests
from scorekeeper.tables.services.dealing import withdraw_table
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.tables.conftest import BANK, Act, Deal, throw

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(deal: Deal, act: Act) -> None:
    """Ann is done after two throws, Ben after three; Cleo has thrown once, Dan not at all."""
    for name, throws in {"Ann": 2, "Ben": 3, "Cleo": 1, "Dan": 0}.items():
        card = deal(name)
        for _ in range(throws):
            act(card, throw(5, 5) if throws == 2 else throw(4, 4))
        if throws >= 2:
            act(card, BANK)


def board(contest: Contest, people: Mapping[str, Player]) -> list[tuple[str, str, int]]:
    names = {person.pk: name for name, person in people.items()}
    return [(names[row.holder_id], row.rank_label, row.total) for row in get_live_board(contest).rows]


@pytest.mark.usefixtures("played")
def test_the_board_is_in_the_games_own_direction_and_ends_with_those_who_have_not_begun(
    pig: Contest, people: Mapping[str, Player]
) -> None:
    follow_contest(pig.pk)

    assert board(pig, people) == [("Cleo", "1", 1), ("Ann", "2", 2), ("Ben", "3", 3), ("Dan", "–", 0)]


@pytest.mark.usefixtures("played")
def test_following_one_action_at_a_time_ends_where_folding_everything_does(
    pig: Contest, people: Mapping[str, Player]
) -> None:
    follow_contest(pig.pk)

    kept = StandingsRow.objects.filter(contest=pig, turns_done__gt=0)
    assert {(row.holder_id, row.total, row.status) for row in kept} == {
        (row.holder_id, row.total, row.status) for row in fold_report(pig).rows
    }


@pytest.mark.usefixtures("played")
def test_a_lost_message_is_found_by_the_sweeper(pig: Contest, people: Mapping[str, Player]) -> None:
    Outdated.objects.all().delete()
    compare_lengths()

    assert sweep_contests() == [pig.pk]
    compare_lengths()
    assert sweep_contests() == []
    assert len(board(pig, people)) == 4


def test_those_met_at_other_tables_keep_what_they_have_at_theirs(
    duel: Contest, deal: Deal, act: Act, people: Mapping[str, Player]
) -> None:
    """Ann meets Ben, Ben meets Cleo, Cleo meets Dan: what happens at the first table is nothing to Cleo."""
    cards = [deal(*pair, contest=duel) for pair in (("Ann", "Ben"), ("Ben", "Cleo"), ("Cleo", "Dan"))]
    for card in cards[1:]:
        act(card, {"seat": 0, **throw(2, 2)})
        act(card, {"seat": 1, **throw(2, 2)})
    follow_contest(duel.pk)

    act(cards[0], {"seat": 0, **throw(2, 2)})
    follow_contest(duel.pk)

    assert board(duel, people) == [("Ann", "1=", 1), ("Ben", "1=", 1), ("Dan", "1=", 1), ("Cleo", "4", 2)]


def test_a_withdrawn_card_leaves_the_board(pig: Contest, desk: Actor, deal: Deal, people: Mapping[str, Player]) -> None:
    card = deal("Ann")
    follow_contest(pig.pk)
    withdraw_table(desk, uuid4(), card, "went home")
    follow_contest(pig.pk)

    assert board(pig, people) == []


@pytest.mark.usefixtures("played")
def test_tables_in_play_ask_for_a_reason_before_publishing(pig: Contest, desk: Actor) -> None:
    close_contest(desk, uuid4(), pig.pk, "bedtime")

    assert len(get_checklist(pig).unfinished) == 2
    with pytest.raises(Unsettled):
        publish_contest(desk, uuid4(), pig.pk)
    assert publish_contest(desk, uuid4(), pig.pk, "they fell asleep").outcome == "recorded"


@pytest.mark.usefixtures("played")
def test_a_revision_holds_the_tables_without_any_name_and_can_be_verified(
    ride: Ride, pig: Contest, desk: Actor, people: Mapping[str, Player]
) -> None:
    close_contest(desk, uuid4(), pig.pk, "bedtime")
    publish_contest(desk, uuid4(), pig.pk, "they fell asleep")
    pig.refresh_from_db()

    frozen = Revision.objects.get().standings
    assert not any(name in str(frozen) for name in people)
    assert len(frozen["cards"]) == 3
    tables = list_tables_of(pig, people["Ann"].pk)
    assert [[part.total for part in table.parts] for table in tables] == [[2]]
    assert list(list_damage(ride.event)) == []


def test_seats_that_differ_from_the_log_are_damage(ride: Ride, deal: Deal, people: Mapping[str, Player]) -> None:
    Seat.objects.filter(card_id=deal("Ann")).update(player=people["Ben"])

    assert [damage.what for damage in list_damage(ride.event)] == ["its seats are not those that its log tells"]
