"""The live desk: what every bike has at every slot of a contest, and what has changed since a page was made.

Terms: a *cell* is a bike at a slot. A slot is *open* once its stop opens; where that time is not known, once somebody
has recorded a turn there. A cell with nothing recorded is *not open* until then, *missing* afterwards, and *overdue*
once the stop has closed. In a contest that is closed or official nothing is expected any more, so it is only missing.

Invariants:
- The number of statements depends neither on the bikes nor on the slots.
- What has changed since a page was made is read from the log, so it costs the same for any number of bikes. A page that
  is behind gets a row twice rather than never.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self
from uuid import UUID

from django.db import models
from django.db.models import Exists, Max, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import list_sheets
from scorekeeper.common.playing_cards import show_faces
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.models import Chain, Entry, ReviewItem
from scorekeeper.players.selectors import list_riders
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.display_names import format_riders, label_slots
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.non_starters import find_non_starters
from scorekeeper.standings.models import StandingsRow
from scorekeeper.stops.models import Slot
from scorekeeper.stops.selectors import get_closing_time, get_opening_time, list_slots

# An entry gets its number before its transaction commits, so a later number may be visible first.
OVERLAP_ENTRIES = 1_000
OVERLAP_TIME = dt.timedelta(seconds=30)
MAX_DIGITS = 11  # of a number in a position


class CellState(models.TextChoices):
    """The state of a bike at a slot, the most urgent first."""

    CONFLICT = "conflict", _("Conflict")
    REVIEW = "review", _("In review")
    OVERDUE = "overdue", _("Overdue")
    MISSING = "missing", _("Missing")
    MISSED = "missed", _("Missed")
    RECORDED = "recorded", _("Recorded")
    NOT_OPEN = "not_open", _("Not open yet")
    DID_NOT_START = "did_not_start", _("Did not start")
    RETIRED = "retired", _("Retired")


class LogPosition(NamedTuple):
    """How far a page has read the log: the last entry's number, when the page was made, in seconds, and how many slots
    were open then, since opening one changes all its cells.
    """

    entry: int
    seconds: int
    open_slots: int = 0

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Return the position that `str` wrote; None if it is not one."""
        parts = text.split(".")
        is_short = all(len(part) <= MAX_DIGITS for part in parts)  # longer ones are no time of this calendar
        if not (is_short and len(parts) == len(cls._fields) and all(part.isdecimal() for part in parts)):
            return None
        return cls(*map(int, parts))

    def __str__(self) -> str:
        return ".".join(map(str, self))


@dataclass(frozen=True, slots=True)
class GridColumn:
    """A slot of the contest.

    Attributes:
        name: its stop, and which turn of the contest it is if the stop has several.
        empty_state: the state of a cell with nothing recorded, of a bike that still rides.
    """

    slot: Slot
    name: str
    empty_state: CellState

    @property
    def is_open(self) -> bool:
        """Whether turns are expected there, or were."""
        return self.empty_state != CellState.NOT_OPEN


@dataclass(frozen=True, slots=True)
class GridCell:
    """A bike at a slot. `points` are those of the recorded turn."""

    slot: Slot
    state: CellState
    points: int | str | None = None

    @property
    def text(self) -> str:
        """The points of a recorded turn, otherwise the state in the user's language."""
        has_points = self.points is not None and self.state == CellState.RECORDED
        return str(self.points if has_points else self.state.label)


@dataclass(frozen=True, slots=True)
class GridRow:
    """A bike with its cells, in the order of the columns."""

    bike: Bike
    card_id: UUID
    riders: str
    cells: Sequence[GridCell]


@dataclass(frozen=True, slots=True)
class GridFilter:
    """Which rows and columns are shown: those of a group, a stop, and with a cell in a state. None shows all."""

    group_id: UUID | None = None
    stop_id: UUID | None = None
    state: CellState | None = None

    def matches(self, row: GridRow) -> bool:
        """Return whether a row has a cell in the state."""
        return self.state is None or any(cell.state == self.state for cell in row.cells)


@dataclass(frozen=True)
class LiveGrid:
    """The grid of a contest.

    Attributes:
        rows: the bikes, in the order of their numbers.
        position: how far the log was read.
    """

    contest: Contest
    columns: Sequence[GridColumn]
    rows: Sequence[GridRow]
    position: LogPosition
    counts: Mapping[CellState, int] = field(default_factory=dict)


def get_live_grid(
    contest: Contest, chosen: GridFilter = GridFilter(), only: Collection[UUID] | None = None
) -> LiveGrid:
    """Return the grid.

    Args:
        chosen: the rows and columns to return.
        only: ids of bikes and further sheets; None for all of the contest.
    """
    all_columns = list_columns(contest)
    position = get_log_position(contest.event, all_columns)
    columns = [column for column in all_columns if chosen.stop_id in (None, column.slot.stop_id)]
    bikes = _list_bikes(contest, chosen.group_id, only)
    riders = list_riders(contest, bikes)
    found = _load_cells(contest, bikes, is_partial=only is not None)
    rows = [found.make_row(bike, format_riders(riders[bike.pk]), columns) for bike in bikes]
    rows = [row for row in rows if chosen.matches(row)]
    counts = Counter(cell.state for row in rows for cell in row.cells)
    return LiveGrid(contest, columns, rows, position, {state: counts[state] for state in CellState})


def get_log_position(event: Event, columns: Sequence[GridColumn] = ()) -> LogPosition:
    """Return how far the event's log can be read now, and how many of the contest's columns are open."""
    last = Entry.objects.filter(chain__event=event).aggregate(last=Max("pk"))["last"]
    return LogPosition(last or 0, int(timezone.now().timestamp()), sum(column.is_open for column in columns))


def list_changed_bikes(contest: Contest, since: LogPosition) -> set[UUID] | None:
    """Return the bikes whose rows may have changed since then; None if any may have, such as after a merge.

    The caller compares how many slots are open.
    """
    entries = Entry.objects.filter(
        pk__gt=since.entry - OVERLAP_ENTRIES,
        at__gte=dt.datetime.fromtimestamp(since.seconds, dt.UTC) - OVERLAP_TIME,
        chain__event=contest.event_id,
    )
    of_all = entries.filter(chain__kind__in=[Chain.Kind.EVENT, Chain.Kind.CONTEST])
    if of_all.exclude(kind__in=["check", "agree"]).exists():  # the grid shows neither ticks nor agreements
        return None
    cards = set(entries.filter(chain__kind=Chain.Kind.CARD).values_list("chain_id", flat=True))
    in_review = ReviewItem.objects.filter(contest=contest).filter(
        Q(operation__entries__in=entries) | Q(settled_by__entries__in=entries)
    )
    cards |= {card for card in in_review.values_list("card_id", flat=True) if card is not None}
    bikes = contest.cards.filter(pk__in=cards, seats__bike__isnull=False).values_list("seats__bike", flat=True)
    return set(bikes)


def list_columns(contest: Contest) -> list[GridColumn]:
    """Return a column for each slot of the contest, in the order of play."""
    slots = list(list_slots(contest).annotate(is_used=Exists(Turn.objects.filter(slot=OuterRef("pk")))))
    names, now = label_slots(slots), timezone.now()
    return [
        GridColumn(slot, names[slot.pk], _get_empty_state(slot, contest, now, is_used=slot.is_used)) for slot in slots
    ]


def _get_empty_state(slot: Slot, contest: Contest, now: dt.datetime, *, is_used: bool) -> CellState:
    if contest.status != Contest.Status.OPEN:
        return CellState.MISSING
    opens = get_opening_time(slot.stop, contest.event)
    closes = get_closing_time(slot.stop, contest.event)
    if closes is not None and closes < now:
        return CellState.OVERDUE
    is_open = is_used or (opens is not None and opens <= now)
    return CellState.MISSING if is_open else CellState.NOT_OPEN


def _list_bikes(contest: Contest, group_id: UUID | None, only: Collection[UUID] | None) -> list[Bike]:
    bikes = list_sheets(contest)
    if group_id is not None:
        bikes = bikes.filter(group=group_id)
    if only is not None:
        bikes = bikes.filter(pk__in=only)
    return list(bikes)


@dataclass(frozen=True)
class _RecordedCells:
    """What is recorded, by card and slot."""

    contest_id: UUID
    turns: Mapping[tuple[UUID, UUID], tuple[int | str, str]]
    in_review: Mapping[tuple[UUID, UUID | None], CellState]
    retired: Collection[UUID]
    non_starters: Collection[UUID]

    def make_row(self, bike: Bike, riders: str, columns: Sequence[GridColumn]) -> GridRow:
        card_id = derive_card_id(self.contest_id, bike.pk)
        return GridRow(bike, card_id, riders, [self._make_cell(bike, card_id, column) for column in columns])

    def _make_cell(self, bike: Bike, card_id: UUID, column: GridColumn) -> GridCell:
        key = (card_id, column.slot.pk)
        points, how = self.turns.get(key, (None, ""))
        state = column.empty_state
        if key in self.in_review:
            state = self.in_review[key]
        elif how:
            state = CellState.MISSED if how == Turn.How.MISSED else CellState.RECORDED
        elif bike.pk in self.non_starters:
            state = CellState.DID_NOT_START
        elif bike.pk in self.retired:
            state = CellState.RETIRED
        return GridCell(column.slot, state, points)


def _load_cells(contest: Contest, bikes: Sequence[Bike], *, is_partial: bool) -> _RecordedCells:
    turns, items = Turn.objects.filter(card__contest=contest), ReviewItem.objects.filter(contest=contest)
    retired = StandingsRow.objects.filter(contest=contest, status=StandingsRow.Status.RETIRED)
    if is_partial:
        cards = [derive_card_id(contest.pk, bike.pk) for bike in bikes]
        turns, items, retired = turns.filter(card__in=cards), items.filter(card__in=cards), retired.filter(pk__in=cards)
    conflict = ReviewItem.Reason.CONFLICT
    in_review: dict[tuple[UUID, UUID | None], CellState] = {}
    for card, slot, reason in items.filter(settled_at=None).values_list("card_id", "slot_id", "reason"):
        if card is not None and in_review.get((card, slot)) != CellState.CONFLICT:
            in_review[card, slot] = CellState.CONFLICT if reason == conflict else CellState.REVIEW
    rows = turns.order_by().values_list("card_id", "slot_id", "points", "how", "dice")
    has_points = contest.game.points_of_turns
    return _RecordedCells(
        contest.pk,
        {(card, slot): (points if has_points else show_faces(dice), how) for card, slot, points, how, dice in rows},
        in_review,
        {bike for bike in retired.values_list("bike_id", flat=True) if bike is not None},
        find_non_starters(bikes),
    )
