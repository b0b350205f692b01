"""What is worth a look, as computed from turns, and when phones recorded them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from scorekeeper.desk.recording_times import ReceivedOperation, RecordingTime, find_recording_times
from scorekeeper.desk.ride_warnings import CarriedDice, GroupProgress, RiddenStop, RideWarning, StopTurn, find_warnings

START = dt.datetime(2026, 6, 20, 10, tzinfo=dt.UTC)
PHONE, OTHER_PHONE, CONTEST, GROUP = (UUID(int=number) for number in range(1, 5))
PARKS = RiddenStop(UUID(int=11), "Parks", START, START + dt.timedelta(hours=2))
BBQ = RiddenStop(UUID(int=12), "BBQ")


def at(minutes: float) -> dt.datetime:
    return START + dt.timedelta(minutes=minutes)


def known(after: float, before: float) -> RecordingTime:
    return RecordingTime(at(after), at(before))


def make_turn(bike: int, stop: RiddenStop = PARKS, time: RecordingTime | None = None, **more: object) -> StopTurn:
    """Return a turn of a bike in the group."""
    turn = StopTurn(
        uuid4(), CONTEST, UUID(int=100 + bike), UUID(int=200 + bike), str(bike), GROUP, stop, time=time, device_id=PHONE
    )
    return replace(turn, **more)  # type: ignore[arg-type]


def list_codes(
    turns: Sequence[StopTurn] = (), dice_sets: Sequence[CarriedDice] = (), progress: Sequence[GroupProgress] = ()
) -> list[str]:
    return [warning.problem.code for warning in list_found(turns, dice_sets, progress)]


def list_found(
    turns: Sequence[StopTurn] = (), dice_sets: Sequence[CarriedDice] = (), progress: Sequence[GroupProgress] = ()
) -> list[RideWarning]:
    return find_warnings(turns, {dice.id: dice for dice in dice_sets}, [progress])


def find_times(*received: tuple[UUID, float]) -> list[RecordingTime]:
    """Return the times of operations that were received so many minutes after the start."""
    operations = [ReceivedOperation(uuid4(), device, at(minutes)) for device, minutes in received]
    times = find_recording_times(operations)
    return [times[operation.id] for operation in operations]


def test_an_operation_was_recorded_between_the_one_before_it_and_its_receipt() -> None:
    assert find_times((PHONE, 0), (PHONE, 1), (PHONE, 3)) == [
        RecordingTime(None, at(0)),
        known(0, 1),
        known(1, 3),
    ]


def test_operations_that_came_together_and_the_first_after_them_say_nothing_about_when_they_were_recorded() -> None:
    times = find_times((PHONE, 0), (PHONE, 60), (PHONE, 60.01), (PHONE, 60.02), (PHONE, 62), (PHONE, 63))

    assert [time.after for time in times] == [None, None, None, None, None, at(62)]


def test_each_phone_has_its_own_queue() -> None:
    times = find_times((PHONE, 0), (OTHER_PHONE, 0.5), (PHONE, 1), (OTHER_PHONE, 1.01))

    assert [time.after for time in times] == [None, None, at(0), at(0.5)]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (known(0, 1), known(3, 4), True),
        (known(0, 1), known(3, 5), True),  # at most five minutes
        (known(0, 1), known(3, 5.1), False),
        (known(-60, 1), known(3, 4), False),  # the first may have been recorded an hour before
        (RecordingTime(None, at(1)), known(1, 2), False),
        (known(1, 2), RecordingTime(None, at(3)), False),
    ],
)
def test_a_bike_at_two_stops_is_worth_a_look_only_if_that_is_certain(
    first: RecordingTime, second: RecordingTime, expected: bool
) -> None:
    turns = [make_turn(7, PARKS, first), make_turn(7, BBQ, second, device_id=OTHER_PHONE)]

    assert list_codes(turns) == (["two_stops"] if expected else [])


def test_two_bikes_or_two_turns_at_one_stop_are_nothing_special() -> None:
    turns = [make_turn(7, PARKS, known(0, 1)), make_turn(8, BBQ, known(1, 2)), make_turn(8, BBQ, known(2, 3))]

    assert list_codes(turns) == []


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        (RecordingTime(None, at(-11)), ["early"]),  # it was recorded before it was received
        (RecordingTime(None, at(-9)), []),
        (RecordingTime(None, at(500)), []),  # it may have waited on the phone
        (known(129, 131), []),
        (known(131, 132), ["late"]),
        (None, []),  # by an organiser
    ],
)
def test_a_turn_outside_the_hours_of_its_stop_is_worth_a_look_if_that_is_certain(
    time: RecordingTime | None, expected: list[str]
) -> None:
    assert list_codes([make_turn(7, PARKS, time)]) == expected
    assert list_codes([make_turn(7, BBQ, time)]) == []  # it has no hours


def test_all_turns_outside_the_hours_of_a_stop_are_one_warning() -> None:
    (warning,) = list_found([make_turn(number, PARKS, known(200, 201)) for number in (7, 8, 9)])

    assert warning.problem.message() == "Recorded at Parks after it closed: bikes 7, 8, 9"
    assert warning.problem.severity == "warn"
    assert list(warning.cards.values()) == ["7", "8", "9"]


def test_a_bike_with_turns_in_two_contests_is_named_once() -> None:
    cards, dice = CONTEST, UUID(int=9)
    turns = [make_turn(bike, PARKS, known(200, 201), contest_id=one) for one in (cards, dice) for bike in (7, 8)]

    (warning,) = list_found(turns)

    assert warning.problem.message() == "Recorded at Parks after it closed: bikes 7, 8"


def test_the_same_dice_twice_in_a_row_on_one_phone_are_worth_a_look() -> None:
    dice = tuple("25533")
    first, second = make_turn(7, dice=dice), make_turn(8, dice=dice)

    (warning,) = list_found([first, second])
    assert warning.problem.message() == ("The same phone recorded the dice 2 5 5 3 3 twice in a row, for bikes 7 and 8")
    assert list_codes([first, make_turn(9, dice=tuple("12345")), second]) == []
    assert list_codes([first, replace(second, device_id=OTHER_PHONE)]) == []
    assert list_codes([first, replace(second, dice=tuple("55332"))]) == []  # in another order
    assert list_codes([first, replace(second, contest_id=uuid4())]) == []
    assert list_codes([first, replace(second, bike_id=first.bike_id)]) == []
    assert list_codes([replace(first, dice=()), replace(second, dice=())]) == []  # from paper cards
    assert list_codes([replace(first, device_id=None), replace(second, device_id=None)]) == []


def test_a_dice_set_used_for_another_group_is_worth_a_look_unless_its_crew_is_there_for_every_bike() -> None:
    dice = CarriedDice(uuid4(), "Third", GROUP, "Group one")
    own = make_turn(7, dice_set_id=dice.id)
    other = make_turn(8, dice_set_id=dice.id, group_id=uuid4())

    (warning,) = list_found([own, other], [dice])
    assert warning.problem.message() == ("The dice set “Third” of Group one was used for 1 bike of another group")
    assert list(warning.cards.values()) == ["8"]
    assert list_codes([own, replace(other, is_any_bike_crew=True)], [dice]) == []
    assert list_codes([own, replace(other, group_id=None)], [dice]) == []
    assert list_codes([own, replace(other, dice_set_id=uuid4())], [dice]) == []


@pytest.mark.parametrize(
    ("stops", "ahead"),
    [
        ([1, 1, 3], ["ahead"]),
        ([1, 1, 2], []),
        ([1, 2, 3], []),
        ([1, 3], []),  # too few to compare
        ([0, 0, 0, 3], []),  # the others may have no signal
        ([0, 1, 1, 1, 3, 4], ["ahead", "ahead"]),
    ],
)
def test_a_group_is_far_ahead_at_two_stops_more_than_the_median_of_those_that_have_started(
    stops: list[int], ahead: list[str]
) -> None:
    progress = [GroupProgress(uuid4(), f"Group {number}", number, []) for number in stops]

    assert list_codes(progress=progress) == ahead


def test_other_turns_make_another_warning_and_the_same_turns_the_same() -> None:
    turns = [make_turn(number, PARKS, known(200, 201)) for number in (7, 8, 9)]

    (first,), (same,), (other,) = list_found(turns[:2]), list_found(turns[1::-1]), list_found(turns)
    assert first.key == same.key
    assert first.key != other.key
    assert len(first.key) <= 200
