"""The ride of a crew member, as an app shows it: how far the group is, and what is next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from scorekeeper.crew.models import CrewMember, DiceSet
from scorekeeper.crew.selectors import list_any_bike_stops, list_dice_sets
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.selectors.cards import list_contests_at_stops
from scorekeeper.scorecards.selectors.group import StopProgress, get_group_at_stop
from scorekeeper.scorecards.selectors.sheets import ScoreSheet, SheetSlot, list_sheets


class NextTurn(NamedTuple):
    """The turn to record next."""

    sheet: ScoreSheet
    slot: SheetSlot


@dataclass(frozen=True, slots=True)
class CrewProgress:
    """How far the bikes that a crew member records are in a contest.

    Attributes:
        stop: where they are: the first stop from the last one on where someone has yet to roll; None without stops.
        next_turn: None if everyone has rolled there, or the contest is closed.
    """

    contest: Contest
    stops: Sequence[StopProgress]
    stop: StopProgress | None
    next_turn: NextTurn | None


@dataclass(frozen=True, slots=True)
class RideProgress:
    """How far a crew member's group is on the ride."""

    member: CrewMember
    dice_sets: Sequence[DiceSet]
    contests: Sequence[CrewProgress]


def read_ride_progress(member: CrewMember) -> RideProgress:
    """Return the ride of a crew member, loaded with the group and the event: the same as the phone's pages say."""
    contests = list_contests_at_stops(member.group.event)
    sheets = list_sheets(member, contests)
    any_bike_stops = list_any_bike_stops(member.pk)
    progress = []
    for contest in contests:
        at_stop = get_group_at_stop(contest, member.group, any_bike_stops=any_bike_stops)
        own = {sheet.bike.pk: sheet for sheet in sheets if sheet.contest == contest}
        todo = (own[row.id] for row in at_stop.rows if row.state == "todo" and row.id in own)
        turns = (_find_turn(sheet, at_stop.slots) for sheet in todo)
        next_turn = next((turn for turn in turns if turn is not None), None)
        progress.append(CrewProgress(contest, at_stop.stops, at_stop.stop, next_turn))
    return RideProgress(member, list(list_dice_sets(member.group)), progress)


def _find_turn(sheet: ScoreSheet, slots: Sequence[UUID]) -> NextTurn | None:
    """Return the first turn at a stop that can be recorded on a sheet."""
    found = (one for one in sheet.slots if one.slot.pk in slots and one.state == "missing")
    return next((NextTurn(sheet, one) for one in found), None)
