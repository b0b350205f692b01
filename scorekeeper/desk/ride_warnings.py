"""What is worth a look on a ride: warnings, computed from its turns. None of them forbids or changes anything.

A warning is a problem whose severity is "warn" (`games.core.problems`), with what it may mean and the scorecards to
look at. It is raised only for what the server knows for certain. An entry that waited on a phone without signal says
little about when it was recorded (`scorekeeper.desk.recording_times`), and raises none that depend on time.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from uuid import UUID

from games.core.problems import NO_CLAUSE, Problem
from games.core.text import Params, Text, gettext_noop, ngettext_lazy
from scorekeeper.desk.recording_times import RecordingTime

HOURS_TOLERANCE = dt.timedelta(minutes=10)  # before a stop opens and after it closes
TWO_STOPS_LIMIT = dt.timedelta(minutes=5)  # no two stops are so near
FEWEST_GROUPS, STOPS_AHEAD = 3, 2  # groups to compare, and how far ahead of their median is far
DIGEST_LENGTH = 16


@dataclass(frozen=True, slots=True)
class RiddenStop:
    """A stop, as turns refer to it. `opens` and `closes` are None if that is not known."""

    id: UUID
    name: str
    opens: dt.datetime | None = None
    closes: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class StopTurn:
    """A current turn at a stop that was recorded on a phone or by an organiser.

    Attributes:
        bike: the bike's number.
        dice: the five dice; () if they are not known.
        device_id: the phone; None for an organiser.
        time: None for an organiser, who may record at any time.
        is_any_bike_crew: whether it was recorded by someone who records the bikes of every group at this stop.
    """

    id: UUID
    contest_id: UUID
    card_id: UUID
    bike_id: UUID
    bike: str
    group_id: UUID | None
    stop: RiddenStop
    dice: tuple[str, ...] = ()
    dice_set_id: UUID | None = None
    device_id: UUID | None = None
    time: RecordingTime | None = None
    is_any_bike_crew: bool = False


@dataclass(frozen=True, slots=True)
class CarriedDice:
    """A dice set and the group whose crew carries it."""

    id: UUID
    name: str
    group_id: UUID
    group: str


@dataclass(frozen=True, slots=True)
class GroupProgress:
    """How many stops of a contest most bikes of a group have been recorded at, and their turns at the last of them."""

    group_id: UUID
    group: str
    stops: int
    last: Sequence[StopTurn]


@dataclass(frozen=True, slots=True)
class RideWarning:
    """Something worth a look.

    Attributes:
        problem: why it was raised.
        meaning: what it may mean, and what to do.
        turns: the turns that raised it, each with its scorecard.
        subject: what it is about, besides the turns.
    """

    problem: Problem
    meaning: Text
    turns: Sequence[StopTurn]
    subject: str

    @property
    def key(self) -> str:
        """Identifies the warning: if other turns raise it, it is another warning."""
        turns = " ".join(sorted(str(turn.id) for turn in self.turns))
        digest = hashlib.sha256(turns.encode()).hexdigest()[:DIGEST_LENGTH]
        return f"{self.problem.code}:{self.subject}:{digest}"

    @property
    def cards(self) -> Mapping[UUID, str]:
        """The bikes' numbers by the ids of their scorecards, without repetition."""
        return {turn.card_id: turn.bike for turn in self.turns}


EARLY = gettext_noop("Recorded at %(stop)s before it opened: bikes %(bikes)s")
LATE = gettext_noop("Recorded at %(stop)s after it closed: bikes %(bikes)s")
HOURS_MEANING = gettext_noop(
    "The entry may belong to another stop, or the hours of the stop may be wrong. Check the stop on the scorecards."
)
TWO_STOPS = gettext_noop("Bike %(bike)s was recorded at %(first)s and at %(second)s within %(minutes)s minutes")
TWO_STOPS_MEANING = gettext_noop(
    "A bike cannot be at two stops so quickly. One of the entries may be for another bike, or one was forgotten and "
    "added later. Compare the numbers with the crews."
)
SHARED_DICE = ngettext_lazy(
    "The dice set “%(dice)s” of %(group)s was used for %(count)s bike of another group",
    "The dice set “%(dice)s” of %(group)s was used for %(count)s bikes of other groups",
)
SHARED_DICE_MEANING = gettext_noop(
    "A road captain may have recorded for another group, which is fine. Otherwise the wrong dice set was chosen on the "
    "phone, or the bike is in the wrong group."
)
AHEAD = gettext_noop("%(group)s is at stop %(stops)s, while half of the groups are no further than stop %(median)s")
AHEAD_MEANING = gettext_noop(
    "The group may have recorded turns at the wrong stop. It may also be right: phones of the other groups may have no "
    "signal, so that their turns arrive later."
)
SAME_DICE = gettext_noop("The same phone recorded the dice %(dice)s twice in a row, for bikes %(first)s and %(second)s")
SAME_DICE_MEANING = gettext_noop(
    "One roll may have been recorded for two bikes. The same five dice in the same order do happen, though rarely. Ask "
    "the crew."
)


def find_warnings(
    turns: Collection[StopTurn], dice_sets: Mapping[UUID, CarriedDice], progress: Iterable[Sequence[GroupProgress]]
) -> list[RideWarning]:
    """Return all warnings.

    Args:
        turns: in the order in which the server received them.
        progress: for each contest, the progress of its groups.
    """
    return [
        *_find_outside_hours(turns),
        *_find_at_two_stops(turns),
        *_find_repeated_dice(turns),
        *_find_shared_dice(turns, dice_sets),
        *(warning for groups in progress for warning in _find_groups_ahead(groups)),
    ]


def _make_warning(
    code: str, text: Text, meaning: Text, turns: Sequence[StopTurn], subject: object, params: Params
) -> RideWarning:
    return RideWarning(Problem(code, NO_CLAUSE, text, None, "warn", params), meaning, turns, str(subject))


def _find_outside_hours(turns: Iterable[StopTurn]) -> Iterator[RideWarning]:
    """A turn is early if it was received before the stop opened, and late if it was certainly recorded afterwards."""
    found: dict[tuple[RiddenStop, str], list[StopTurn]] = defaultdict(list)
    for turn in turns:
        stop, time = turn.stop, turn.time
        if time is None:
            continue
        if stop.opens is not None and time.before < stop.opens - HOURS_TOLERANCE:
            found[stop, "early"].append(turn)
        elif stop.closes is not None and time.after is not None and time.after > stop.closes + HOURS_TOLERANCE:
            found[stop, "late"].append(turn)
    for (stop, when), outside in found.items():
        text = EARLY if when == "early" else LATE
        # A bike has a turn in each contest.
        params: Params = {"stop": stop.name, "bikes": tuple(dict.fromkeys(turn.bike for turn in outside))}
        yield _make_warning(when, text, HOURS_MEANING, outside, stop.id, params)


def _find_at_two_stops(turns: Iterable[StopTurn]) -> Iterator[RideWarning]:
    by_bike: dict[UUID, list[tuple[RecordingTime, StopTurn]]] = defaultdict(list)
    for turn in turns:
        if turn.time is not None and turn.time.after is not None:
            by_bike[turn.bike_id].append((turn.time, turn))
    for bike_id, of_bike in by_bike.items():
        for (time, turn), (other_time, other) in pairwise(of_bike):
            if turn.stop.id != other.stop.id and time.is_certainly_within(other_time, TWO_STOPS_LIMIT):
                minutes = TWO_STOPS_LIMIT // dt.timedelta(minutes=1)
                params: Params = {
                    "bike": turn.bike,
                    "first": turn.stop.name,
                    "second": other.stop.name,
                    "minutes": minutes,
                }
                yield _make_warning("two_stops", TWO_STOPS, TWO_STOPS_MEANING, [turn, other], bike_id, params)


def _find_repeated_dice(turns: Iterable[StopTurn]) -> Iterator[RideWarning]:
    by_phone: dict[tuple[UUID, UUID], list[StopTurn]] = defaultdict(list)
    for turn in turns:
        if turn.device_id is not None:
            by_phone[turn.device_id, turn.contest_id].append(turn)
    for (device_id, _contest), recorded in by_phone.items():
        for turn, other in pairwise(recorded):
            if turn.dice and turn.dice == other.dice and turn.bike_id != other.bike_id:
                params: Params = {"dice": " ".join(turn.dice), "first": turn.bike, "second": other.bike}
                yield _make_warning("same_dice", SAME_DICE, SAME_DICE_MEANING, [turn, other], device_id, params)


def _find_shared_dice(turns: Iterable[StopTurn], dice_sets: Mapping[UUID, CarriedDice]) -> Iterator[RideWarning]:
    """Find dice sets used for other groups, except by crew who are there for every group."""
    found: dict[UUID, list[StopTurn]] = defaultdict(list)
    for turn in turns:
        dice = None if turn.dice_set_id is None else dice_sets.get(turn.dice_set_id)
        if dice is not None and turn.group_id not in (None, dice.group_id) and not turn.is_any_bike_crew:
            found[dice.id].append(turn)
    for dice_set_id, shared in found.items():
        dice = dice_sets[dice_set_id]
        params: Params = {"dice": dice.name, "group": dice.group, "count": len({turn.bike_id for turn in shared})}
        yield _make_warning("shared_dice", SHARED_DICE, SHARED_DICE_MEANING, shared, dice_set_id, params)


def _find_groups_ahead(progress: Sequence[GroupProgress]) -> Iterator[RideWarning]:
    """Compare the groups that have started: a group without any turn may just have no signal."""
    started = [group for group in progress if group.stops]
    if len(started) < FEWEST_GROUPS:
        return
    middle = median(group.stops for group in started)
    for group in started:
        if group.stops - middle >= STOPS_AHEAD:
            params: Params = {"group": group.group, "stops": group.stops, "median": int(middle)}
            subject = f"{group.group_id}:{group.stops}"
            yield _make_warning("ahead", AHEAD, AHEAD_MEANING, group.last, subject, params)
