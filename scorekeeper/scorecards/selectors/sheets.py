"""The score sheets of a crew's ride: for each bike and contest, what is recorded in each turn, and which turn is next.

Terms: a *sheet* is what is filled in for an entrant, on paper or here: a scorecard, also one on which nothing is
recorded yet. It has a *slot* for each turn of its contest.

Nothing is folded: the turns come from their rows, so the statements are as many for a large ride as for a small one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from django.db.models import Q

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.numbers import pad_number
from scorekeeper.crew.models import CrewMember
from scorekeeper.crew.selectors import list_any_bike_stops
from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.players.selectors import list_riders
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.display_names import format_riders, label_lines
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.cards import list_slots
from scorekeeper.scorecards.selectors.non_starters import find_non_starters
from scorekeeper.scorecards.selectors.retired_bikes import find_retired_bikes
from scorekeeper.stops.models import Slot

SlotState = Literal["recorded", "missed", "conflict", "review", "missing", "not_open"]
SLOT_STATES: Sequence[SlotState] = ("recorded", "missed", "conflict", "review", "missing", "not_open")
SheetState = Literal["to_roll", "in_review", "done", "retired", "did_not_start"]
SHEET_STATES: Sequence[SheetState] = ("to_roll", "in_review", "done", "retired", "did_not_start")


@dataclass(frozen=True, slots=True)
class SheetSlot:
    """A turn of a sheet.

    Attributes:
        state: what is recorded; a turn with an entry under review is "conflict" or "review", also if one is recorded.
        turn: the recorded one, also if it is under review.
        label: of the line it went to; "" without a turn.
    """

    slot: Slot
    state: SlotState
    turn: Turn | None
    label: str


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A score sheet.

    Attributes:
        card_id: of the scorecard, which may not exist yet.
        label: the name of the sheet as the crew reads it: the number of its bike, or "17/2" for its second sheet.
        bike: the bike, or its row for a further sheet.
        riders: the people whose sheet it is, the rider first.
    """

    contest: Contest
    card_id: UUID
    label: str
    bike: Bike
    riders: str
    state: SheetState
    slots: Sequence[SheetSlot]

    @property
    def next_slot(self) -> SheetSlot | None:
        """The first turn that can be recorded; None if there is none."""
        return next((one for one in self.slots if one.state == "missing"), None)

    @property
    def sort_key(self) -> tuple[str, ...]:
        """A key by which sheets sort by contest, and then by number."""
        place = f"{self.contest.ordinal:09}", self.contest.name, str(self.contest.pk)
        bike = pad_number(self.bike.number), f"{self.bike.suffix:09}", f"{self.bike.sheet:09}"
        return (*place, *bike, str(self.card_id))


def list_sheets(member: CrewMember, contests: Sequence[Contest], group_id: UUID | None = None) -> list[ScoreSheet]:
    """Return the sheets that a crew member records on in these contests, whose turns are recorded at the stops.

    They are those of the bikes in the member's group and of bikes without one; for a member who records any bike at
    some stop, those of all bikes.

    Args:
        group_id: a group of the event: the sheets of its bikes instead. Only members who may open every scorecard get
            those of another group; others get none.
    """
    entrants = _list_entrants(member, group_id)
    non_starters = find_non_starters(entrants)
    return [sheet for contest in contests for sheet in _list_contest_sheets(contest, entrants, non_starters)]


def _list_entrants(member: CrewMember, group_id: UUID | None) -> list[Bike]:
    own = Q(group=member.group_id)
    opens_every_card = bool(list_any_bike_stops(member.pk))
    wanted = Q() if opens_every_card else own | Q(group=None)
    if group_id is not None:
        may_see = opens_every_card or member.can_take_over or group_id == member.group_id
        wanted = Q(group=group_id) if may_see else Q(pk__in=())
    rows = Bike.entrants.filter(wanted, event=member.group.event_id, merged_into=None)
    return list(rows.order_by("number", "suffix", "sheet"))


def _list_contest_sheets(
    contest: Contest, entrants: Sequence[Bike], non_starters: Collection[UUID]
) -> Iterator[ScoreSheet]:
    bikes = [one for one in entrants if one.sheet_of_id is None or one.sheet_contest_id == contest.pk]
    slots, lines, people = list_slots(contest), label_lines(contest.ruleset), list_riders(contest, bikes)
    cards = {derive_card_id(contest.pk, bike.pk): bike.pk for bike in bikes}
    turns = {(turn.card_id, turn.slot_id): turn for turn in Turn.objects.filter(card__in=cards)}
    items = ReviewItem.objects.filter(card__in=cards, settled_at=None, slot__isnull=False)
    reasons: dict[tuple[UUID | None, UUID | None], str] = {}
    for card, slot, reason in items.values_list("card_id", "slot_id", "reason"):
        if reasons.get((card, slot)) != ReviewItem.Reason.CONFLICT:
            reasons[card, slot] = reason
    retired = find_retired_bikes(cards)
    for card_id, bike in zip(cards, bikes, strict=True):
        is_open = contest.status == Contest.Status.OPEN and bike.pk not in retired and bike.pk not in non_starters
        found = [_make_slot(card_id, slot, turns, reasons, lines, is_open=is_open) for slot in slots]
        riders = format_riders(people[bike.pk])
        state = _get_state(found, is_retired=bike.pk in retired, is_non_starter=bike.pk in non_starters)
        yield ScoreSheet(contest, card_id, bike.label, bike, riders, state, found)


def _make_slot(
    card_id: UUID,
    slot: Slot,
    turns: Mapping[tuple[UUID, UUID], Turn],
    reasons: Mapping[tuple[UUID | None, UUID | None], str],
    lines: Mapping[str | None, str],
    *,
    is_open: bool,
) -> SheetSlot:
    turn, reason = turns.get((card_id, slot.pk)), reasons.get((card_id, slot.pk))
    state: SlotState = "missing" if is_open else "not_open"
    if reason is not None:
        state = "conflict" if reason == ReviewItem.Reason.CONFLICT else "review"
    elif turn is not None:
        state = "missed" if turn.how == Turn.How.MISSED else "recorded"
    label = "" if turn is None else lines.get(turn.line, turn.line or "")
    return SheetSlot(slot, state, turn, label)


def _get_state(slots: Sequence[SheetSlot], *, is_retired: bool, is_non_starter: bool) -> SheetState:
    if is_non_starter:
        return "did_not_start"
    if is_retired:
        return "retired"
    if any(one.state == "missing" for one in slots):
        return "to_roll"
    return "in_review" if any(one.state in ("conflict", "review") for one in slots) else "done"
