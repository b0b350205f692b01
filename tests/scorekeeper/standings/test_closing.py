"""`close_contest` and `reopen_contest`: missing turns are forfeited in one step, and cards are sealed."""

from __future__ import annotations

from uuid import uuid4

import pytest

from scorekeeper.common.game_adapter import get_game
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Entry, OperationReason, ReviewItem
from scorekeeper.ledger.services.recording import NotAllowed, ReasonRequired
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.missed_action import get_missed_action
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.review import decide_review
from scorekeeper.standings.selectors.checklist import get_checklist
from scorekeeper.standings.services.closure import close_contest, reopen_contest
from scorekeeper.standings.services.contest_chain import WrongContestStatus
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import (
    get_bike_card,
    list_bike_turns,
    make_actor,
    make_final_turn,
    make_paper_turn,
)
from tests.scorekeeper.standings.conftest import get_status

pytestmark = pytest.mark.database


def test_missing_turns_are_listed_by_bike_and_stop(ride: Ride, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(1, 4, make_paper_turn("fives", 10))

    (missing,) = get_checklist(ride.contest).unfinished

    assert [number for _bike, number in missing.seats] == ["1"]
    assert missing.stops == ("Parks", "BBQ", "Finale")


def test_closing_forfeits_every_missing_turn_and_scores_it_zero(ride: Ride, add_turn, close) -> None:
    """ROCK-26: no box is used."""
    add_turn(1, 2, make_paper_turn("chance", 20))

    close()

    assert list_bike_turns(ride, 1) == [(1, None, 0), (2, "chance", 20), (3, None, 0), (4, None, 0), (5, None, 0)]
    assert get_checklist(ride.contest).unfinished == ()


def test_closing_is_one_operation_with_one_reason(ride: Ride, add_turn, close) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 20))

    receipt = close()

    assert len(receipt.entries) == 1 + 4 + 4
    assert Entry.objects.filter(operation_id=receipt.operation_id, kind="close").count() == 9
    assert OperationReason.objects.get(operation_id=receipt.operation_id).text == "the ride is over"
    assert get_status(ride.contest) == "closed"


def test_closing_seals_every_card_even_a_finished_one(ride: Ride, add_turn, close) -> None:
    for slot, box in enumerate(("aces", "twos", "threes", "fours", "fives"), 1):
        add_turn(1, slot, make_paper_turn(box, 0))
    add_turn(2, 1, make_paper_turn("chance", 20))

    close()

    assert set(Chain.objects.filter(kind="card").values_list("is_sealed", flat=True)) == {True}


def test_a_retired_bike_has_no_missing_turns(ride: Ride, add_turn, close) -> None:
    """TABLE-3"""
    add_turn(1, 1, make_paper_turn("chance", 20))
    retire_bike(make_actor(ride.rita), uuid4(), ride.contest.pk, ride.bikes[1].pk, "flat tyre")

    close()

    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]


def test_a_late_retirement_says_in_review_what_the_rules_have_against_it(ride: Ride, add_turn, close) -> None:
    """TABLE-3: the closing recorded the missing turns, so the card is finished."""
    add_turn(1, 1, make_paper_turn("chance", 20))
    close()

    late = retire_bike(make_actor(ride.rita), uuid4(), ride.contest.pk, ride.bikes[1].pk, "flat tyre")

    assert late.outcome == "late"
    assert [problem["code"] for problem in late.problems] == ["contest_closed", "game_over"]


def test_a_bike_that_never_rolled_gets_no_forfeits_and_is_not_ranked(
    ride: Ride, add_turn, close, update_standings, places
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))

    close()
    update_standings()

    assert places() == [("1", 1, 20)]


def test_a_real_turn_for_a_forfeit_goes_to_review_and_replaces_it_when_accepted(
    ride: Ride, add_turn, close, desk: Actor
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    close()

    assert add_turn(1, 2, make_final_turn([6, 6, 6, 6, 6], "yahtzee")).outcome == "late"
    decide_review(desk, uuid4(), ReviewItem.objects.get().pk, "apply", "the phone was late, the dice were not")

    assert list_bike_turns(ride, 1)[1] == (2, "yahtzee", 50)


def test_a_card_created_after_closing_starts_sealed(ride: Ride, add_turn, close) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    close()

    assert add_turn(2, 1, make_paper_turn("chance", 24)).outcome == "late"
    assert get_bike_card(ride, ride.bikes[2]).chain.is_sealed


def test_a_closing_that_is_sent_twice_counts_once(ride: Ride, add_turn, desk: Actor) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    operation = uuid4()

    first = close_contest(desk, operation, ride.contest.pk, "over")
    again = close_contest(desk, operation, ride.contest.pk, "over")

    assert first == again


def test_closing_requires_a_reason_an_open_contest_and_an_organiser(ride: Ride, add_turn, desk: Actor, close) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    with pytest.raises(ReasonRequired):
        close_contest(desk, uuid4(), ride.contest.pk, " ")
    with pytest.raises(NotAllowed):
        close_contest(make_actor(ride.rita), uuid4(), ride.contest.pk, "over")
    close()
    with pytest.raises(WrongContestStatus):
        close()


def test_an_organiser_of_another_event_cannot_close(ride: Ride, other_event, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    with pytest.raises(NotAllowed):
        close_contest(Actor.from_organiser(other_event.organisers.get()), uuid4(), ride.contest.pk, "mine now")
    assert get_status(ride.contest) == "open"


def test_reopening_lets_the_crew_record_again(ride: Ride, add_turn, close, desk: Actor) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 20))
    close()

    reopen_contest(desk, uuid4(), ride.contest.pk, "group two is still rolling")

    assert get_status(ride.contest) == "open"
    assert set(Chain.objects.filter(kind="card").values_list("is_sealed", flat=True)) == {False}
    assert add_turn(3, 1, make_paper_turn("chance", 24)).outcome == "recorded"


def test_the_missed_turn_is_found_by_its_effect_not_by_its_name() -> None:
    """ROCK-26"""
    assert get_missed_action(get_game("rock-yahtzee").ruleset()) == "forfeit"


@pytest.mark.parametrize(
    ("game", "options", "worth"),
    [
        ("rock-yahtzee", {}, "A missed turn is worth 0 points."),
        ("dice-run", {"goal": "low"}, "A missed turn is worth 30 points, the most that the dice can show."),
    ],
)
def test_what_a_missed_turn_is_worth_comes_from_the_game(game: str, options: dict[str, object], worth: str) -> None:
    """DICE-11"""
    ruleset = get_game(game).ruleset(options)

    text = get_kind(ruleset.game).describe_closing(ruleset, 2)

    assert text == (
        f"2 bikes have turns missing. They will be recorded as missed. {worth} Entries that arrive later go to your "
        "review list."
    )
