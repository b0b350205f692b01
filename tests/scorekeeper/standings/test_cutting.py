"""`record_cut`: ties between bikes are broken with real cards (ROCK-19, ROCK-27)."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID, uuid4

import pytest

from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.standings.models import StandingsRow, StandingsState
from scorekeeper.standings.selectors.checklist import get_checklist
from scorekeeper.standings.selectors.cuts import list_cuts
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.card_cuts import correct_cut
from scorekeeper.standings.services.closure import reopen_contest
from scorekeeper.standings.services.contest_chain import InvalidCut, WrongContestStatus
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import get_bike_card, make_paper_turn

pytestmark = [pytest.mark.usefixtures("tied_bikes"), pytest.mark.database]


def correct(ride: Ride, desk: Actor, number: int, points: int) -> None:
    turn = Turn.objects.get(card=get_bike_card(ride, ride.bikes[number]), line="chance")
    target = CorrectionTarget(turn.pk, turn.seq, make_paper_turn("chance", points))
    receipt = amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[number].pk, [target], "misread the dice")
    assert receipt.outcome == "recorded"


def test_a_tied_first_place_needs_cards_once_the_contest_is_closed(ride: Ride, close, update_standings) -> None:
    update_standings()
    assert {row.next_step for row in get_live_leaderboard(ride.contest).rows} == {""}

    close()
    update_standings()
    ride.contest.refresh_from_db()

    steps = {row.number: row.next_step for row in get_live_leaderboard(ride.contest).rows if row.is_ranked}
    assert steps == {"1": "cut", "2": "cut", "3": "cut", "4": ""}


def test_the_highest_card_wins_and_tied_cards_cut_again(ride: Ride, close, cut, update_standings, places) -> None:
    close()
    cut({1: "QS", 2: "KH", 3: "KD"})
    update_standings()

    assert places() == [("1=", 2, 24), ("1=", 3, 24), ("3", 1, 24), ("4", 4, 20)]
    (tie,) = get_checklist(ride.contest).ties
    assert tie.next_step == "cut_again"
    assert [row.number for row in tie.rows] == ["2", "3"]

    cut({2: "2S", 3: "AH"})
    update_standings()

    assert places() == [("1", 3, 24), ("2", 2, 24), ("3", 1, 24), ("4", 4, 20)]
    assert get_checklist(ride.contest).ties == ()


def test_every_place_says_how_it_was_decided(ride: Ride, close, cut, update_standings) -> None:
    close()
    cut({1: "QS", 2: "KH", 3: "KD"})
    cut({2: "2S", 3: "AH"})
    update_standings()
    ride.contest.refresh_from_db()

    decided = {
        row.number: (row.decided_by, row.cards) for row in get_live_leaderboard(ride.contest).rows if row.is_ranked
    }

    assert decided == {
        "1": ("cut", ("QS",)),
        "2": ("cut", ("KH", "2S")),
        "3": ("cut", ("KD", "AH")),
        "4": ("points", ()),
    }


def test_a_bike_that_is_not_there_ranks_below_those_that_cut(ride: Ride, close, cut, update_standings, places) -> None:
    close()
    cut({1: None, 2: "2C", 3: "3C"})
    update_standings()

    assert places()[:3] == [("1", 3, 24), ("2", 2, 24), ("3", 1, 24)]


def test_a_later_correction_makes_the_cut_stale_and_it_counts_again_when_the_tie_returns(
    ride: Ride, close, cut, update_standings, places, desk: Actor
) -> None:
    close()
    receipt = cut({1: "QS", 2: "KH", 3: "AD"})
    update_standings()
    correct(ride, desk, 3, 25)
    update_standings()

    assert places() == [("1", 3, 25), ("2=", 1, 24), ("2=", 2, 24), ("4", 4, 20)]
    assert StandingsState.objects.get().stale_cuts == [receipt.entries[0]["seq"]]
    assert [cut.seq for cut in get_checklist(ride.contest).stale_cuts] == [receipt.entries[0]["seq"]]

    correct(ride, desk, 3, 24)
    update_standings()
    assert places()[:3] == [("1", 3, 24), ("2", 2, 24), ("3", 1, 24)]
    assert StandingsState.objects.get().stale_cuts == []


def test_a_cut_is_corrected_by_a_new_entry_and_the_old_one_stays_in_the_log(
    ride: Ride, close, cut, update_standings, places, desk: Actor
) -> None:
    def correct_cards(seq: int, cards: Mapping[int, str | None]) -> int:
        cards_by_id: dict[UUID, str | None] = {ride.bikes[number].pk: card for number, card in cards.items()}
        receipt = correct_cut(desk, uuid4(), ride.contest.pk, seq, cards_by_id, "Wim", "misread")
        return int(receipt.entries[0]["seq"])

    close()
    first = cut({1: "QS", 2: "KH", 3: "KD"}).entries[0]["seq"]
    again = cut({2: "2S", 3: "AH"}).entries[0]["seq"]

    second = correct_cards(first, {1: "QS", 2: "KH", 3: "JD"})
    update_standings()
    assert places()[:3] == [("1", 2, 24), ("2", 1, 24), ("3", 3, 24)]
    assert StandingsState.objects.get().stale_cuts == [again], "bikes 2 and 3 were no longer tied after the first cut"

    third = correct_cards(second, {1: "QS", 2: "KH", 3: "KD"})
    update_standings()
    assert places()[:3] == [("1", 3, 24), ("2", 2, 24), ("3", 1, 24)], "and the second cut counts again"
    corrected, _again = list_cuts(ride.contest.pk)
    assert corrected.seq == third
    assert corrected.corrects is not None
    assert corrected.corrects.corrects is not None
    assert [corrected.corrects.seq, corrected.corrects.corrects.seq] == [second, first]
    assert list(list_damage(ride.event)) == []

    for seq, cards in ((first, {1: "2S", 2: "3S", 3: "4S"}), (third, {2: "2S", 3: "AH"}), (third, {1: "2S", 2: "2S"})):
        with pytest.raises(InvalidCut):
            correct_cards(seq, cards)
    Contest.objects.update(status="official")
    with pytest.raises(WrongContestStatus):
        correct_cards(third, {1: "2S", 2: "3S", 3: "4S"})


def test_a_cut_does_not_count_while_the_contest_is_reopened(
    ride: Ride, close, cut, update_standings, places, desk: Actor
) -> None:
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    reopen_contest(desk, uuid4(), ride.contest.pk, "a late group")
    update_standings()
    assert places()[0] == ("1=", 1, 24)

    close()
    update_standings()
    assert places()[0] == ("1", 3, 24)


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ({1: "QS", 2: "KH"}, "not_level"),
        ({1: "QS", 2: "KH", 3: "AD", 4: "2S"}, "not_level"),
        ({1: "QS", 2: "QS", 3: "AD"}, "same_card"),
        ({1: None, 2: None, 3: None}, "nobody_cut"),
        ({1: "QS", 2: "1S", 3: "AD"}, "unknown_card"),
        ({}, "not_level"),
    ],
)
def test_an_invalid_cut_is_refused_and_leaves_no_trace(ride: Ride, close, cut, cards, code: str) -> None:
    """ROCK-27"""
    close()
    with pytest.raises(InvalidCut) as refused:
        cut(cards)
    assert refused.value.problems[0]["code"] == code
    assert refused.value.problems[0]["rule"] == "ROCK-27"
    assert get_checklist(ride.contest).stale_cuts == ()


def test_retired_bikes_do_not_cut(ride: Ride, close, cut, desk: Actor) -> None:
    """ROCK-27, TABLE-3"""
    for number in (1, 2, 3, 4):
        retire_bike(desk, uuid4(), ride.contest.pk, ride.bikes[number].pk, "rain")
    close()
    ride.contest.refresh_from_db()

    assert get_checklist(ride.contest).ties == ()
    with pytest.raises(InvalidCut) as refused:
        cut({1: "QS", 2: "KH", 3: "AD"})
    assert refused.value.problems[0]["code"] == "retired_do_not_cut"


def test_cards_are_cut_only_when_the_contest_is_closed(cut) -> None:
    with pytest.raises(WrongContestStatus):
        cut({1: "QS", 2: "KH", 3: "AD"})


def test_ties_below_the_prize_places_are_not_broken(ride: Ride, add_turn, close) -> None:
    add_turn(1, 2, make_paper_turn("fives", 25))
    close()
    ride.contest.refresh_from_db()

    assert get_checklist(ride.contest).ties == ()
    ride.contest.prizes = 2
    assert [tie.rank for tie in get_checklist(ride.contest).ties] == [2]


def test_tie_keys_are_zero_where_no_cut_counts(close, cut, update_standings) -> None:
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    update_standings()
    assert sorted(StandingsRow.objects.values_list("tie_key", flat=True)) == [0, 1, 2, 3]
