"""`reopen_contest` and `clear_missed_turns`: what a closing recorded as missed is taken back, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import StringIO
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command

from scorekeeper.crew.models import CrewMember
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, Operation, ReviewItem
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import parse_entry_body
from scorekeeper.ledger.services.recording import NotAllowed, ReasonRequired, UnknownTarget
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import merge_bikes
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.review import decide_review
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.selectors.checklist import get_checklist
from scorekeeper.standings.selectors.missed_turns import ClosingMisses, list_closing_misses
from scorekeeper.standings.services.closure import clear_missed_turns, close_contest, reopen_contest
from scorekeeper.standings.services.contest_chain import NothingToTakeBack, WrongContestStatus
from scorekeeper.stops.models import Slot
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import (
    Actions,
    get_bike_card,
    list_bike_turns,
    make_actor,
    make_final_turn,
    make_paper_turn,
)
from tests.scorekeeper.standings.conftest import AddTurn, dump_current, dump_recomputed, get_status

pytestmark = pytest.mark.database

MISSED = [{"type": "forfeit"}]


@pytest.fixture
def verified(ride: Ride) -> Iterator[None]:
    """Verify the whole event after the test."""
    yield
    output = StringIO()
    call_command("verify", ride.event.slug, stdout=output)


@pytest.fixture
def reopen(ride: Ride, desk: Actor) -> Callable[[UUID | None], Receipt]:
    """Reopen the contest, and take back what a closing recorded."""

    def execute(closing: UUID | None) -> Receipt:
        return reopen_contest(desk, uuid4(), ride.contest.pk, "closed by mistake", closing)

    return execute


def get_fills(contest: Contest) -> list[tuple[int, int]]:
    """What each closing of the contest recorded: how much can be taken back, how much is left."""
    return [(len(fill.untouched), len(fill.left)) for fill in list_closing_misses(contest)]


def get_last_fill(contest: Contest) -> ClosingMisses:
    return list_closing_misses(contest)[0]


def get_turn(ride: Ride, bike: int, slot: int) -> Turn:
    return Turn.objects.get(card=get_bike_card(ride, ride.bikes[bike]), slot=ride.slots[slot - 1])


def correct(ride: Ride, desk: Actor, bike: int, slot: int, actions: Actions | None) -> Receipt:
    turn = get_turn(ride, bike, slot)
    target = CorrectionTarget(turn.pk, turn.seq, None if actions is None else tuple(actions))
    return amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[bike].pk, [target], "it was on paper")


def test_reopening_takes_back_exactly_what_the_closing_recorded(
    ride: Ride, add_turn: AddTurn, close, reopen, update_standings, verified: None
) -> None:
    add_turn(1, 2, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 24))
    before = dump_recomputed(ride.contest)[0]
    closing = close()
    update_standings()
    assert get_fills(ride.contest) == [(8, 0)]

    receipt = reopen(closing.operation_id)

    assert list_bike_turns(ride, 1) == [(2, "chance", 20)]
    assert list_bike_turns(ride, 2) == [(1, "chance", 24)]
    assert get_checklist(ride.contest).unfinished
    # One entry on the contest's chain, and one on each card; the closing's entries are all still there.
    assert len(receipt.entries) == 3
    written = Entry.objects.filter(operation_id=receipt.operation_id, kind="clear_missed")
    voided = {change["turn"] for entry in written for change in parse_entry_body(entry)["data"]["changes"]}
    filled = Entry.objects.filter(operation_id=closing.operation_id, kind="close", chain__kind="card")
    assert voided == {parse_entry_body(entry)["data"]["turn"] for entry in filled}
    assert len(voided) == 8
    update_standings()
    now = dump_current(ride.contest)[0]
    unchanged = ("pk", "total", "order_key", "tie_key", "status", "turns_done")
    assert [[row.get(name) for name in unchanged] for row in now] == [
        [row.get(name) for name in unchanged] for row in before
    ]
    assert dump_current(ride.contest) == dump_recomputed(ride.contest)


def test_the_crew_can_record_the_turns_again(ride: Ride, add_turn: AddTurn, close, reopen, verified: None) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))

    reopen(close().operation_id)

    assert add_turn(1, 2, make_final_turn([6, 6, 6, 6, 6], "yahtzee")).outcome == "recorded"


def test_reopening_keeps_them_unless_asked(ride: Ride, add_turn: AddTurn, close, reopen, verified: None) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    close()

    reopen(None)

    assert len(list_bike_turns(ride, 1)) == 5
    assert get_fills(ride.contest) == [(4, 0)]


def test_what_was_changed_since_is_left_and_named(
    ride: Ride, add_turn: AddTurn, close, reopen, desk: Actor, verified: None
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 20))
    closing = close()
    correct(ride, desk, 1, 2, make_paper_turn("fives", 10))
    correct(ride, desk, 1, 3, None)  # voided: there is nothing left to name
    add_turn(1, 4, MISSED)  # someone else saw that it was missed
    late = add_turn(2, 2, make_final_turn([6, 6, 6, 6, 6], "yahtzee"))
    decide_review(desk, uuid4(), ReviewItem.objects.get(operation=late.operation_id).pk, "apply", "it was rolled")
    missed = get_turn(ride, 2, 3)
    moved = move_turn(
        desk, uuid4(), ride.contest.pk, ride.bikes[2].pk, ride.bikes[3].pk, missed.pk, missed.seq, "not theirs"
    )
    assert moved.outcome == "recorded"

    fill = get_last_fill(ride.contest)
    assert [(str(left.bike), left.ordinal, left.why) for left in fill.left] == [
        ("1", 2, "changed"),
        ("1", 4, "repeated"),
        ("2", 2, "changed"),
        ("2", 3, "moved"),
    ]
    assert len(fill.untouched) == 3
    reopen(closing.operation_id)

    assert list_bike_turns(ride, 1) == [(1, "chance", 20), (2, "fives", 10), (4, None, 0)]
    assert list_bike_turns(ride, 2) == [(1, "chance", 20), (2, "yahtzee", 50)]
    assert list_bike_turns(ride, 3) == [(3, None, 0)]
    assert get_fills(ride.contest) == [(0, 4)]


def test_what_came_late_waits_and_can_be_accepted_afterwards(
    ride: Ride, add_turn: AddTurn, close, reopen, desk: Actor, verified: None
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    closing = close()
    late = add_turn(1, 2, make_final_turn([6, 6, 6, 6, 6], "yahtzee"))

    reopen(closing.operation_id)

    item = ReviewItem.objects.get(operation=late.operation_id)
    assert item.settled_by is None
    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]
    decide_review(desk, uuid4(), item.pk, "apply", "it was rolled")
    assert list_bike_turns(ride, 1) == [(1, "chance", 20), (2, "yahtzee", 50)]


def test_each_closing_is_taken_back_by_itself(
    ride: Ride, add_turn: AddTurn, close, reopen, desk: Actor, verified: None
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    first = close()
    reopen(None)
    add_turn(2, 1, make_paper_turn("chance", 20))
    second = close()
    assert get_fills(ride.contest) == [(4, 0), (4, 0)]

    reopen(second.operation_id)

    assert len(list_bike_turns(ride, 1)) == 5
    assert len(list_bike_turns(ride, 2)) == 1
    (left,) = [fill for fill in list_closing_misses(ride.contest) if fill.untouched]
    assert left.closing_id == first.operation_id
    receipt = clear_missed_turns(desk, uuid4(), ride.contest.pk, first.operation_id, "the first one too")
    assert receipt.outcome == "recorded"
    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]


def test_what_was_taken_back_is_recorded_again_by_the_next_closing(
    ride: Ride, add_turn: AddTurn, close, reopen, verified: None
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    first = close()
    reopen(first.operation_id)

    second = close()

    assert [fill.closing_id for fill in list_closing_misses(ride.contest)] == [second.operation_id]
    assert get_fills(ride.contest) == [(4, 0)]
    reopen(second.operation_id)
    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]


def test_another_contest_keeps_what_its_closing_recorded(
    ride: Ride, add_turn: AddTurn, close, reopen, desk: Actor, verified: None
) -> None:
    other = Contest.objects.create(
        event=ride.event, name="Second", slug="second", game_key="rock-yahtzee", rules_version=1
    )
    slots = Slot.objects.bulk_create(
        [Slot(contest=other, stop=ride.stops[number - 1], ordinal=number) for number in range(1, 5)]
    )
    add_turn(1, 1, make_paper_turn("chance", 20))
    turn = TurnInput(other.pk, ride.bikes[1].pk, slots[0].pk, make_paper_turn("chance", 20))
    record_turn(make_actor(ride.rita), uuid4(), turn)
    closing = close()
    elsewhere = close_contest(desk, uuid4(), other.pk, "over too")

    with pytest.raises(UnknownTarget):
        reopen(elsewhere.operation_id)
    reopen(closing.operation_id)

    assert get_fills(other) == [(3, 0)]
    assert get_status(other) == "closed"


def test_a_bike_that_was_merged_since_is_named_and_left(
    ride: Ride, add_turn: AddTurn, close, reopen, desk: Actor, verified: None
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    closing = close()
    merge_bikes(desk, uuid4(), ride.bikes[1].pk, ride.bikes[8].pk, "one bike, two numbers")

    assert [(str(left.bike), left.why) for left in get_last_fill(ride.contest).left] == [("1", "moved")] * 4
    reopen(closing.operation_id)

    assert len(list_bike_turns(ride, 8)) == 5


def test_it_counts_once_and_the_receipt_is_the_same(ride: Ride, add_turn: AddTurn, close, desk: Actor) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    closing, operation = close(), uuid4()

    first = reopen_contest(desk, operation, ride.contest.pk, "by mistake", closing.operation_id)
    again = reopen_contest(desk, operation, ride.contest.pk, "by mistake", closing.operation_id)

    assert first == again
    assert Operation.objects.get(pk=operation).body["take_back"] == str(closing.operation_id)


def test_only_an_organiser_with_a_reason_clears_an_open_contest_and_only_once(
    ride: Ride, add_turn: AddTurn, close, reopen, desk: Actor, rita: CrewMember, other_event
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    closing = close().operation_id
    with pytest.raises(WrongContestStatus):
        clear_missed_turns(desk, uuid4(), ride.contest.pk, closing, "while it is closed")
    reopen(None)
    for actor in (make_actor(rita), Actor.from_organiser(other_event.organisers.get())):
        with pytest.raises(NotAllowed):
            clear_missed_turns(actor, uuid4(), ride.contest.pk, closing, "mine")
    with pytest.raises(ReasonRequired):
        clear_missed_turns(desk, uuid4(), ride.contest.pk, closing, " ")
    assert len(list_bike_turns(ride, 1)) == 5

    clear_missed_turns(desk, uuid4(), ride.contest.pk, closing, "by mistake")

    with pytest.raises(NothingToTakeBack):
        clear_missed_turns(desk, uuid4(), ride.contest.pk, closing, "again")
