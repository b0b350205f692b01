"""A group at a stop: which of its bikes have rolled, what they rolled, and which bike is next.

Bikes that did not start are listed last; they are neither counted nor next.

A bike has *rolled* at a stop once it has a turn in every slot of that stop, including missed turns. It is *next* if it
has not, and none of its turns there is under review. The number of queries does not depend on the number of bikes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal
from uuid import UUID

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike, label_bike
from scorekeeper.crew.models import CrewMember, Group
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.players.models import Player
from scorekeeper.scorecards.display_names import format_riders, label_lines
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.cards import list_slots
from scorekeeper.scorecards.selectors.non_starters import find_non_starters, is_non_starter
from scorekeeper.stops.models import Slot, Stop

MAX_FOUND = 20

RollState = Literal["todo", "done", "missed", "waiting", "conflict", "did_not_start"]


@dataclass(frozen=True, slots=True)
class BikeRow:
    """A bike in the list. `text` has its results at the stop, `group` is the name of its group."""

    id: UUID
    number: str
    riders: str
    has_rolled: bool
    state: RollState
    text: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class StopProgress:
    """A stop, and whether every bike of the group has rolled there."""

    id: UUID
    name: str
    is_done: bool


@dataclass(frozen=True)
class GroupAtStop:
    """The bikes at one stop that a crew member records, in the order of their numbers.

    Attributes:
        place: the stop itself, with its hours, its place and the note for the crew.
        has_all_groups: whether these are the bikes of every group, not only of the member's own.
    """

    contest: Contest
    stops: Sequence[StopProgress]
    stop: StopProgress | None
    bikes: Sequence[BikeRow]
    place: Stop | None = None
    has_all_groups: bool = False

    @property
    def rows(self) -> Sequence[BikeRow]:
        """The bikes in the order of the list: those that have not rolled first, those that did not start last."""
        return sorted(self.bikes, key=lambda row: (row.state == "did_not_start", row.has_rolled))

    @property
    def starter_count(self) -> int:
        """How many bikes are to roll: all but those that did not start."""
        return sum(row.state != "did_not_start" for row in self.bikes)

    @property
    def rolled_count(self) -> int:
        """How many bikes have rolled."""
        return sum(row.has_rolled for row in self.bikes)


@dataclass(frozen=True, slots=True)
class NextBike:
    """What comes after a bike's turn at a stop.

    Attributes:
        riders: the people on the bike itself.
        rolled_count: how many of the member's bikes have rolled at the stop, of `bike_count`.
        id: the next of these bikes to roll, with its `number` and riders; None if there is none.
    """

    riders: str
    rolled_count: int
    bike_count: int
    id: UUID | None = None
    number: str = ""
    next_riders: str = ""


def get_group_at_stop(
    contest: Contest,
    group: Group,
    stop_id: UUID | None = None,
    remembered: UUID | None = None,
    any_bike_stops: Collection[UUID] = (),
) -> GroupAtStop:
    """Return the group at a stop.

    Args:
        stop_id: the requested stop.
        any_bike_stops: the stops where the bikes of every group are listed.
        remembered: the stop used last, which is the default until everyone has rolled there. Otherwise the default is
            the first stop where someone has not rolled.
    """
    slots = list_slots(contest)
    has_any_bike = any(slot.stop_id in any_bike_stops for slot in slots)
    found = _list_bikes(Q(event=group.event_id) if has_any_bike else Q(group=group, event=group.event_id))
    own = [bike for bike in found if bike.group_id == group.pk]
    cards = Q() if has_any_bike else Q(seats__bike__group=group)
    recorded = _load_turns(contest, slots, found, cards)
    bikes_at = {slot.stop_id: found if slot.stop_id in any_bike_stops else own for slot in slots}
    stops = _count_stops(slots, bikes_at, recorded)
    stop = _choose_stop(stops, stop_id, remembered)
    if stop is None:
        return GroupAtStop(contest, stops, None, [])
    slots_here = _list_slots_at(slots, stop.id)
    rows = [_make_row(bike, recorded, slots_here) for bike in bikes_at[stop.id]]
    return GroupAtStop(contest, stops, stop, rows, slots_here[0].stop, stop.id in any_bike_stops)


def get_next_bike(member: CrewMember, slots: Sequence[Slot], bike: Bike) -> NextBike:
    """Return the next bike to roll after this one, from the top again after the last; one statement.

    Args:
        member: who records: the bikes of their group or, at a stop assigned to them, of every group.
        slots: the slots of the contest at the stop.
        bike: the bike that has just rolled, of this group or of another.
    """
    bikes = _list_bikes_in_line(member, slots, bike)
    line = [one for one in bikes.values() if one.is_in_line]
    position = next((index for index, one in enumerate(line) if one.id == bike.pk), -1)
    following = [*line[position + 1 :], *line[: max(position, 0)]]
    chosen = next((one for one in following if not (one.has_rolled or one.is_in_review)), None)
    riders, rolled_count = format_riders(bikes[bike.pk].riders), sum(one.has_rolled for one in line)
    if chosen is None:
        return NextBike(riders, rolled_count, len(line))
    return NextBike(riders, rolled_count, len(line), chosen.id, chosen.number, format_riders(chosen.riders))


def find_bikes(
    contest: Contest, event: Event, number: int | None, stop_id: UUID | None, only_group: Group | None = None
) -> list[BikeRow]:
    """Return the event's bikes with this number, in any group; without a number, none.

    Args:
        only_group: the only group whose results are named, beside bikes without a group; None names all results.
    """
    if number is None:
        return []
    bikes = _list_bikes(Q(event=event, number=number))[:MAX_FOUND]
    slots = [slot for slot in list_slots(contest) if slot.stop_id == stop_id]
    recorded = _load_turns(contest, slots, bikes, Q(seats__bike__in=bikes))
    rows = [(bike, _make_row(bike, recorded, slots)) for bike in bikes]
    return [
        row if only_group is None or bike.group_id in (None, only_group.pk) else _hide_result(row) for bike, row in rows
    ]


def _hide_result(row: BikeRow) -> BikeRow:
    if row.state not in ("done", "missed", "todo"):
        return row
    return replace(row, text=_("Rolled") if row.has_rolled else "")


def list_bikes_with_number(event: Event, number: int | None) -> list[Bike]:
    """Return the event's bikes with this number. There may be several, with different suffixes."""
    if number is None:
        return []
    return list(Bike.objects.filter(event=event, number=number, merged_into=None).order_by("suffix"))


def get_riders(bike: Bike) -> str:
    """Return the people on a bike, the rider first."""
    return format_riders(Player.objects.filter(bike=bike).values_list("name", flat=True))


@dataclass(frozen=True, slots=True)
class _GroupTurns:
    line_labels: Mapping[str | None, str]
    turns: Mapping[tuple[UUID, UUID], Turn]
    review_reasons: Mapping[tuple[UUID, UUID], str]
    non_starters: Collection[UUID]


@dataclass(frozen=True, slots=True)
class _BikeInLine:
    id: UUID
    number: str
    is_in_line: bool
    has_rolled: bool
    is_in_review: bool
    riders: list[str] = field(default_factory=list)


def _list_bikes_in_line(member: CrewMember, slots: Sequence[Slot], bike: Bike) -> Mapping[UUID, _BikeInLine]:
    """Return the member's bikes and this one, in the order of their numbers, with their progress at the slots' stop."""
    ids, stop_ids = [slot.pk for slot in slots], {slot.stop_id for slot in slots}
    any_bike = Exists(CrewMember.any_bike_at.through.objects.filter(crewmember=member.pk, stop__in=stop_ids))
    in_line = (Q(group=member.group_id) | any_bike) & ~is_non_starter()
    turns = Turn.objects.filter(slot__in=ids, card__seats__bike=OuterRef("pk")).order_by()
    turn_count = turns.values("card__seats__bike").annotate(count=Count("pk")).values("count")
    in_review = ReviewItem.objects.filter(slot__in=ids, card__card__seats__bike=OuterRef("pk"), settled_at=None)
    bikes = Bike.objects.annotate(is_in_line=ExpressionWrapper(in_line, BooleanField()))
    bikes = bikes.filter(Q(is_in_line=True, merged_into=None) | Q(pk=bike.pk), event=member.group.event_id)
    # A row for each person, so that their names need no second statement.
    rows = bikes.annotate(turn_count=Coalesce(Subquery(turn_count), 0), is_in_review=Exists(in_review))
    found: dict[UUID, _BikeInLine] = {}
    for pk, is_in_line, number, suffix, count, is_in_review, name in rows.order_by(
        "number", "suffix", "-players__role", "players__name"
    ).values_list("pk", "is_in_line", "number", "suffix", "turn_count", "is_in_review", "players__name"):
        if pk not in found:
            has_rolled = count == len(ids)
            found[pk] = _BikeInLine(pk, label_bike(number, suffix), bool(is_in_line), has_rolled, is_in_review)
        if name:
            found[pk].riders.append(name)
    return found


def _list_bikes(wanted: Q) -> list[Bike]:
    players = Prefetch("players", queryset=Player.objects.order_by("-role", "name"))
    bikes = Bike.objects.filter(wanted, merged_into=None).select_related("group").prefetch_related(players)
    return list(bikes.order_by("number", "suffix"))


def _load_turns(contest: Contest, slots: Sequence[Slot], bikes: Sequence[Bike], cards_filter: Q) -> _GroupTurns:
    cards = dict(contest.cards.filter(cards_filter).values_list("pk", "seats__bike"))
    turns = Turn.objects.filter(card__in=cards, slot__in=slots)
    in_review = ReviewItem.objects.filter(card__in=cards, slot__in=slots, settled_at=None)
    return _GroupTurns(
        label_lines(contest.ruleset),
        {(cards[turn.card_id], turn.slot_id): turn for turn in turns},
        {(cards[item.card_id], item.slot_id): item.reason for item in in_review if item.card_id and item.slot_id},
        find_non_starters(bikes),
    )


def _count_stops(
    slots: Sequence[Slot], bikes_at: Mapping[UUID, Sequence[Bike]], recorded: _GroupTurns
) -> list[StopProgress]:
    stops: dict[UUID, Stop] = {slot.stop_id: slot.stop for slot in slots}
    return [
        StopProgress(
            stop.pk,
            stop.name,
            all(
                (bike.pk, slot.pk) in recorded.turns
                for bike in bikes_at[stop.pk]
                if bike.pk not in recorded.non_starters
                for slot in _list_slots_at(slots, stop.pk)
            ),
        )
        for stop in stops.values()
    ]


def _choose_stop(stops: Sequence[StopProgress], requested: UUID | None, remembered: UUID | None) -> StopProgress | None:
    by_id = {stop.id: stop for stop in stops}
    if requested in by_id:
        return by_id[requested]
    if remembered in by_id and not by_id[remembered].is_done:
        return by_id[remembered]
    return next((stop for stop in stops if not stop.is_done), stops[-1] if stops else None)


def _list_slots_at(slots: Sequence[Slot], stop_id: UUID) -> list[Slot]:
    return [slot for slot in slots if slot.stop_id == stop_id]


def _make_row(bike: Bike, recorded: _GroupTurns, slots: Sequence[Slot]) -> BikeRow:
    turns = [recorded.turns[bike.pk, slot.pk] for slot in slots if (bike.pk, slot.pk) in recorded.turns]
    has_rolled = bool(slots) and len(turns) == len(slots)
    state, text = _describe_state(bike, recorded, slots, turns, has_rolled)
    riders = format_riders(player.name for player in bike.players.all())
    return BikeRow(bike.pk, bike.label, riders, has_rolled, state, text, bike.group.name if bike.group else "")


def _describe_state(
    bike: Bike, recorded: _GroupTurns, slots: Sequence[Slot], turns: Sequence[Turn], has_rolled: bool
) -> tuple[RollState, str]:
    text = ", ".join(_format_short(recorded, turn) for turn in turns)
    reasons = {
        recorded.review_reasons[bike.pk, slot.pk] for slot in slots if (bike.pk, slot.pk) in recorded.review_reasons
    }
    if ReviewItem.Reason.CONFLICT in reasons:
        return "conflict", _("under review")
    if reasons:
        return "waiting", _("under review")
    if bike.pk in recorded.non_starters:
        return "did_not_start", _("Did not start")
    if not has_rolled:
        return "todo", text and _("%(results)s, one more to roll") % {"results": text}
    return ("missed" if all(turn.line is None for turn in turns) else "done"), text


def _format_short(recorded: _GroupTurns, turn: Turn) -> str:
    label = recorded.line_labels.get(turn.line, turn.line or "")
    return label if turn.line is None else f"{label} {turn.points}"
