"""Reads what the warnings of a ride are computed from, and which of them were dismissed.

Invariant: the number of statements does not depend on the ride.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import CrewMember, DiceSet
from scorekeeper.desk.models import DismissedWarning
from scorekeeper.desk.recording_times import ReceivedOperation, find_recording_times
from scorekeeper.desk.ride_warnings import (
    CarriedDice,
    GroupProgress,
    RiddenStop,
    RideWarning,
    StopTurn,
    find_warnings,
)
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.ledger.models import Operation
from scorekeeper.scorecards.models import Turn
from scorekeeper.stops.models import Slot
from scorekeeper.stops.selectors import get_closing_time, get_opening_time


@dataclass(frozen=True, slots=True)
class Dismissal:
    """A warning that was dismissed and would be raised still, with the name of who dismissed it."""

    warning: RideWarning
    row: DismissedWarning
    name: str


@dataclass(frozen=True, slots=True)
class WarningList:
    """The warnings of a ride: those to look at, and those that were dismissed."""

    current: Sequence[RideWarning]
    dismissed: Sequence[Dismissal]


def list_warnings(event: Event) -> WarningList:
    """Return the warnings of a ride."""
    current = compute_warnings(event)
    rows = {row.key: row for row in event.dismissed_warnings.order_by("dismissed_at")}
    names = list_actor_names(event, {row.dismissed_by for row in rows.values()})
    dismissed = [
        Dismissal(warning, row, names.get(row.dismissed_by, ""))
        for warning in current
        if (row := rows.get(warning.key)) is not None
    ]
    return WarningList([warning for warning in current if warning.key not in rows], dismissed)


def count_warnings(event: Event) -> int:
    """Return how many warnings there are to look at."""
    dismissed = set(event.dismissed_warnings.values_list("key", flat=True))
    return sum(warning.key not in dismissed for warning in compute_warnings(event))


def compute_warnings(event: Event) -> Sequence[RideWarning]:
    """Return all warnings of a ride, dismissed or not."""
    slots = {slot.pk: slot for slot in Slot.objects.filter(contest__event=event).select_related("stop", "contest")}
    if not slots:
        return []
    bikes = {bike.pk: bike for bike in Bike.entrants.filter(event=event, merged_into=None)}
    stops = {
        slot.stop_id: RiddenStop(
            slot.stop_id, slot.stop.name, get_opening_time(slot.stop, event), get_closing_time(slot.stop, event)
        )
        for slot in slots.values()
    }
    turns = _list_turns(event, slots, bikes, stops)
    groups = dict(event.groups.values_list("pk", "name"))
    dice_sets = {
        dice.pk: CarriedDice(dice.pk, dice.name, dice.group_id, groups[dice.group_id])
        for dice in DiceSet.objects.filter(group__event=event)
    }
    return find_warnings(turns, dice_sets, _list_progress(slots.values(), bikes.values(), turns, groups))


def _list_turns(
    event: Event, slots: Mapping[UUID, Slot], bikes: Mapping[UUID, Bike], stops: Mapping[UUID, RiddenStop]
) -> list[StopTurn]:
    """Return the turns of the bikes, in the order in which the server received them."""
    operations = Operation.objects.filter(event=event, device_id__isnull=False)
    received = [
        ReceivedOperation(pk, device_id, received_at)
        for pk, device_id, received_at in operations.values_list("pk", "device_id", "received_at")
        if device_id is not None
    ]
    devices = {operation.id: operation.device_id for operation in received}
    times = find_recording_times(received)
    any_bike_at = CrewMember.any_bike_at.through.objects.filter(stop__event=event)
    any_bike_crew = set(any_bike_at.values_list("crewmember_id", "stop_id"))
    rows = (
        Turn.objects.filter(slot__contest__event=event)
        .exclude(how=Turn.How.MISSED)
        .order_by("recorded_at", "pk")
        .values_list("pk", "card_id", "slot_id", "dice", "dice_set_id", "actor_id", "card__seats__bike")
    )
    turns = []
    for pk, card_id, slot_id, dice, dice_set_id, actor_id, bike_id in rows:
        bike, slot = bikes.get(bike_id), slots[slot_id]
        if bike is not None:
            turns.append(
                StopTurn(
                    id=pk,
                    contest_id=slot.contest_id,
                    card_id=card_id,
                    bike_id=bike.pk,
                    bike=bike.label,
                    group_id=bike.group_id,
                    stop=stops[slot.stop_id],
                    # Cards come again by chance, and more often than dice.
                    dice=tuple(map(str, dice)) if slot.contest.game.points_of_turns else (),
                    dice_set_id=dice_set_id,
                    device_id=devices.get(pk),  # a turn has the id of the operation that recorded it
                    time=times.get(pk),
                    is_any_bike_crew=(actor_id, slot.stop_id) in any_bike_crew,
                )
            )
    return turns


def _list_progress(
    slots: Collection[Slot], bikes: Collection[Bike], turns: Sequence[StopTurn], groups: Mapping[UUID, str]
) -> Iterator[list[GroupProgress]]:
    """Yield the progress of the groups in each contest; a stop counts once half of a group's bikes are recorded there.

    Bikes that did not start do not count.
    """
    stops_by_contest: dict[UUID, dict[UUID, None]] = defaultdict(dict)
    for slot in sorted(slots, key=lambda each: each.ordinal):
        stops_by_contest[slot.contest_id][slot.stop_id] = None
    sizes: dict[UUID, int] = defaultdict(int)
    for bike in bikes:
        if bike.group_id is not None and not bike.did_not_start:
            sizes[bike.group_id] += 1
    turns_at: dict[tuple[UUID, UUID, UUID | None], list[StopTurn]] = defaultdict(list)
    for turn in turns:
        turns_at[turn.contest_id, turn.stop.id, turn.group_id].append(turn)
    for contest_id, stops in stops_by_contest.items():
        progress = []
        for group_id, size in sizes.items():
            reached, last = 0, list[StopTurn]()
            for number, stop_id in enumerate(stops, 1):
                there = turns_at[contest_id, stop_id, group_id]
                if 2 * len({turn.bike_id for turn in there}) >= size:
                    reached, last = number, there
            progress.append(GroupProgress(group_id, groups[group_id], reached, last))
        yield progress
