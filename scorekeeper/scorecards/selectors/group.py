"""A group at a stop: which of its bikes have rolled, what they rolled, and which bike is next.

Bikes that did not start, and retired ones that have not rolled there, are listed last; they are neither counted nor
next.

A bike has *rolled* at a stop once it has a turn in every slot of that stop, including missed turns. It is *next* if it
has not, and none of its turns there is under review. A further sheet of a bike is listed below it, and does all of this
by itself. While a bike and its people stand there, all of its sheets are played, in every contest with turns at the
stop; then the next bike comes. The number of queries does not depend on the number of bikes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple
from uuid import UUID

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, OuterRef, Q, QuerySet, Subquery, UUIDField
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from scorekeeper.bikes.models import Bike, label_bike
from scorekeeper.bikes.numbers import BikeNumber
from scorekeeper.bikes.selectors import is_sheet_of, list_sheets, list_sheets_of_bike
from scorekeeper.common.labels import label_value
from scorekeeper.common.playing_cards import show_faces
from scorekeeper.crew.models import CrewMember, Group
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.sheet_setting import count_possible_sheets, sells_sheets
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.players.bike_search import make_bike_filter
from scorekeeper.players.models import Player
from scorekeeper.players.selectors import Holder, list_holders, list_riders
from scorekeeper.scorecards.card_kinds import is_of_kind
from scorekeeper.scorecards.display_names import format_riders, label_lines
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.cards import list_slots
from scorekeeper.scorecards.selectors.non_starters import find_non_starters, is_non_starter
from scorekeeper.scorecards.selectors.retired_bikes import find_retired_bikes, list_retirement_entries
from scorekeeper.stops.models import Slot, Stop

MAX_FOUND = 20

RollState = Literal["todo", "done", "missed", "waiting", "conflict", "retired", "did_not_start"]
ABSENT_STATES: Collection[RollState] = ("retired", "did_not_start")  # the bike is not there to roll


@dataclass(frozen=True, slots=True)
class BikeRow:
    """A bike, or a further sheet of one, in the list.

    Attributes:
        text: its results at the stop.
        turns: their ids.
        group: the name of its group.
        bike_id: the bike itself.
        is_further_sheet: whether it is listed below its bike.
        sheets_text: of a bike with several sheets, how many there are and how many are to roll.
    """

    id: UUID
    number: str
    riders: str
    has_rolled: bool
    state: RollState
    text: str
    turns: Sequence[UUID] = ()
    group: str = ""
    bike_id: UUID | None = None
    is_further_sheet: bool = False
    sheets_text: str = ""

    @property
    def order(self) -> tuple[bool, bool]:
        """The sort key of the list: those still to roll first, those that are not there to roll last."""
        return self.state in ABSENT_STATES, self.has_rolled


@dataclass(frozen=True, slots=True)
class StopProgress:
    """A stop, with how many bikes of the group have rolled there, and how many are still to roll.

    Attributes:
        counts_sheets: whether these are sheets, because some bikes have several.
    """

    id: UUID
    name: str
    rolled_count: int
    todo_count: int
    counts_sheets: bool = False

    @property
    def is_done(self) -> bool:
        """Whether every bike has rolled there."""
        return self.todo_count == 0


class UnfinishedContest(NamedTuple):
    """Another contest in which some bikes have still to play at a stop."""

    contest: Contest
    stop: StopProgress


@dataclass(frozen=True)
class GroupAtStop:
    """The bikes at one stop that a crew member records, in the order of their numbers.

    Attributes:
        place: the stop itself, with its hours, its place and the note for the crew.
        slots: the ids of the contest's slots at the stop.
        has_all_groups: whether these are the bikes of every group, not only of the member's own.
        unfinished: once everyone has rolled there in this contest, the others in which someone has not.
    """

    contest: Contest
    stops: Sequence[StopProgress]
    stop: StopProgress | None
    bikes: Sequence[BikeRow]
    place: Stop | None = None
    slots: Sequence[UUID] = ()
    has_all_groups: bool = False
    unfinished: Sequence[UnfinishedContest] = ()

    @property
    def rows(self) -> Sequence[BikeRow]:
        """The bikes in the order of the list: those still to roll first, those that are not there to roll last.

        The sheets of a bike stay together, where the first of them is that has still to roll.
        """
        return _sort_rows(self.bikes)

    @property
    def stragglers(self) -> Sequence[StopProgress]:
        """The stops before this one where some bikes have rolled and others have not."""
        position = self.stops.index(self.stop) if self.stop else 0
        return [stop for stop in self.stops[:position] if stop.rolled_count and stop.todo_count]

    @property
    def expected_count(self) -> int:
        """How many bikes have rolled or are to roll."""
        return sum(row.state not in ABSENT_STATES for row in self.bikes)

    @property
    def rolled_count(self) -> int:
        """How many bikes have rolled."""
        return sum(row.has_rolled for row in self.bikes)


@dataclass(frozen=True, slots=True)
class NextBike:
    """What comes after a bike's turn at a stop.

    Attributes:
        riders: the people whose sheet it was.
        rolled_count: how many of the member's bikes have rolled at the stop in this contest, of `bike_count`.
        counts_sheets: whether these numbers include further sheets.
        id: the next of these bikes to roll, with its `number` and riders; None if there is none.
        is_same_bike: whether it is another sheet of the same bike, in this contest or in another.
        contest_id: the contest in which it rolls; None if there is none.
        contest_name: the name of that contest; "" where only one is played at the stop.
        is_same_contest: whether it rolls in the same contest.
        can_have_more_sheets: whether another sheet of the bike itself can be sold.
    """

    riders: str
    rolled_count: int
    bike_count: int
    counts_sheets: bool = False
    id: UUID | None = None
    number: str = ""
    next_riders: str = ""
    is_same_bike: bool = False
    contest_id: UUID | None = None
    contest_name: str = ""
    is_same_contest: bool = True
    can_have_more_sheets: bool = False


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
        remembered: the stop that was chosen last on the phone.

    If no stop is requested, it is the remembered one; without one, the stop where the group recorded last; before that,
    the one whose hours it is. If everyone has rolled there in every contest, it is the next where someone has not.
    """
    slots = list_slots(contest)
    has_any_bike = any(slot.stop_id in any_bike_stops for slot in slots)
    found = _list_sheets(contest, Q() if has_any_bike else Q(group=group))
    own = [bike for bike in found if bike.group_id == group.pk]
    cards = Q() if has_any_bike else Q(seats__bike__group=group)
    recorded = _load_turns(contest, slots, found, cards)
    bikes_at = {slot.stop_id: found if slot.stop_id in any_bike_stops else own for slot in slots}
    stops = _count_stops(slots, bikes_at, recorded)
    by_id: dict[UUID | None, StopProgress] = {stop.id: stop for stop in stops}
    requested = by_id.get(stop_id)
    current = requested or by_id.get(remembered) or by_id.get(_find_current_stop(group.event, slots, own, recorded))
    unfinished = _list_unfinished(contest, group, current, any_bike_stops)
    stop = current if requested or unfinished else _choose_stop(stops, current)
    if stop is None:
        return GroupAtStop(contest, stops, None, [])
    slots_here = _list_slots_at(slots, stop.id)
    riders = list_riders(contest, bikes_at[stop.id])
    rows = [_make_row(bike, riders[bike.pk], recorded, slots_here) for bike in bikes_at[stop.id]]
    slot_ids, has_all_groups = [slot.pk for slot in slots_here], stop.id in any_bike_stops
    return GroupAtStop(contest, stops, stop, rows, slots_here[0].stop, slot_ids, has_all_groups, unfinished)


def _list_unfinished(
    contest: Contest, group: Group, stop: StopProgress | None, any_bike_stops: Collection[UUID]
) -> list[UnfinishedContest]:
    """Return the other open contests in which a bike has still to roll at a stop, once all have in this contest."""
    if stop is None or not stop.is_done:
        return []
    is_any_bike = stop.id in any_bike_stops
    found = []
    for other, slots in _list_other_contests_at_stop(contest, stop.id):
        bikes = _list_sheets(other, Q() if is_any_bike else Q(group=group))
        recorded = _load_turns(other, slots, bikes, Q() if is_any_bike else Q(seats__bike__group=group))
        found += [UnfinishedContest(other, there) for there in _count_stops(slots, {stop.id: bikes}, recorded)]
    return [one for one in found if not one.stop.is_done]


def get_next_bike(member: CrewMember, contest: Contest, slots: Sequence[Slot], bike: Bike) -> NextBike:
    """Return what is to be rolled after this turn: another sheet of the bike, or the first of the next bike.

    After the last bike comes the first one again. The other sheets of the bike in the same contest come first, then
    those in the other open contests with turns at the stop, in the order of the contests. So it is for each bike.

    It takes one statement, or where several contests are played at the stop one more and one for each of the others,
    and another one for a contest in which one of the bikes may have retired.

    Args:
        member: who records: the bikes of their group or, at a stop assigned to them, of every group.
        slots: the slots of the contest at the stop.
        bike: the bike that has just rolled, of this group or of another.
    """
    own_line, has_others = _list_bikes_in_line(member, contest, slots, bike)
    own = own_line[bike.pk]
    lines = [(contest, own_line)]
    if has_others:
        others = _list_other_contests_at_stop(contest, slots[0].stop_id)
        lines += [(other, _list_bikes_in_line(member, other, its_slots, bike)[0]) for other, its_slots in others]
    line = [one for one in own_line.values() if one.is_in_line]
    sheets = [one for one in own_line.values() if one.is_same_bike]
    found = NextBike(
        own.name_riders(contest),
        rolled_count=sum(one.has_rolled for one in line),
        bike_count=len(line),
        counts_sheets=any(one.sheet > 1 for one in line),
    )
    if sells_sheets(contest):
        possible = set(range(2, count_possible_sheets(contest, len(own.people)) + 1))
        found = replace(found, can_have_more_sheets=not possible.issubset(one.sheet for one in sheets))
    following = _list_following(lines, own)
    chosen = next(((of, one) for of, one in following if not (one.has_rolled or one.is_in_review)), None)
    if chosen is None:
        return found
    next_contest, one = chosen
    return replace(
        found,
        id=one.id,
        number=one.number,
        next_riders=one.name_riders(next_contest),
        is_same_bike=one.is_same_bike,
        contest_id=next_contest.pk,
        contest_name=next_contest.name if len(lines) > 1 else "",
        is_same_contest=next_contest == contest,
    )


def _list_following(
    lines: Sequence[tuple[Contest, Mapping[UUID, _BikeInLine]]], own: _BikeInLine
) -> list[tuple[Contest, _BikeInLine]]:
    """Return what comes after a sheet: the other sheets of its bike, then those of the bikes after it, from the top
    again after the last.

    Args:
        lines: by contest, the one of the sheet first, the bikes by number.
    """
    same_bike = [
        (contest, one)
        for contest, line in lines
        for one in line.values()
        if one.is_same_bike and not one.is_retired and one is not own
    ]
    in_play_order = sorted(lines, key=lambda line: (line[0].ordinal, line[0].name))
    by_bike: dict[UUID, list[tuple[Contest, _BikeInLine]]] = {one.bike_id: [] for one in lines[0][1].values()}
    for contest, line in in_play_order:
        for one in line.values():
            if one.is_in_line and not one.is_same_bike:
                by_bike.setdefault(one.bike_id, []).append((contest, one))
    # A bike that is not in the member's line, such as one of another group, is followed by the first that is.
    bikes = list(by_bike) if own.is_in_line else [own.bike_id, *(pk for pk in by_bike if pk != own.bike_id)]
    position = bikes.index(own.bike_id)
    others = [sheet for pk in [*bikes[position + 1 :], *bikes[:position]] for sheet in by_bike[pk]]
    return [*same_bike, *others]


def _list_other_contests_at_stop(contest: Contest, stop_id: UUID) -> list[tuple[Contest, list[Slot]]]:
    """Return the other open contests with turns at a stop, in order, each with its slots there."""
    slots: dict[Contest, list[Slot]] = {}
    at_stop = _are_slots_of_others(contest, [stop_id])
    for slot in at_stop.select_related("contest", "stop").order_by("contest__ordinal", "contest__name", "ordinal"):
        if is_of_kind(slot.contest.game, "turn"):
            slots.setdefault(slot.contest, []).append(slot)
    return list(slots.items())


def _are_slots_of_others(contest: Contest, stop_ids: Collection[UUID]) -> QuerySet[Slot]:
    others = Slot.objects.filter(
        stop__in=stop_ids,
        contest__event=contest.event_id,
        contest__seats_are=Contest.SeatsAre.BIKES,
        contest__status=Contest.Status.OPEN,
    )
    return others.exclude(contest=contest.pk)


def find_bikes(
    contest: Contest, event: Event, text: str, stop_id: UUID | None, only_group: Group | None = None
) -> list[BikeRow]:
    """Return the bikes that match what was typed, in any group: a number, or words of a name, make or model.

    Args:
        only_group: the only group whose results are named, beside bikes without a group; None names all results.
    """
    bikes = _list_sheets(contest, make_bike_filter(event, text))[:MAX_FOUND]
    slots = [slot for slot in list_slots(contest) if slot.stop_id == stop_id]
    recorded = _load_turns(contest, slots, bikes, Q(seats__bike__in=bikes))
    riders = list_riders(contest, bikes)
    rows = [
        row if only_group is None or bike.group_id in (None, only_group.pk) else _hide_result(row)
        for bike, row in ((bike, _make_row(bike, riders[bike.pk], recorded, slots)) for bike in bikes)
    ]
    return sorted(_add_sheet_counts(rows), key=lambda row: row.state in ABSENT_STATES)


def find_sheet_to_roll(contests: Sequence[Contest], bike: Bike, stop_id: UUID | None) -> tuple[Contest, Bike]:
    """Return the first sheet of a bike that has still to roll at a stop, with its contest; without a stop, anywhere.

    Args:
        contests: the one that the phone shows first; of the others only the open ones count.

    Returns:
        The bike itself in the first contest if there is none.
    """
    for contest in contests:
        sheets = list_sheets_of_bike(contest, bike)
        if len(contests) == len(sheets) == 1:
            break
        if contest != contests[0] and contest.status != Contest.Status.OPEN:
            continue
        slots = [slot for slot in list_slots(contest) if stop_id in (None, slot.stop_id)]
        if contest == contests[0] and not slots:
            break  # the phone shows where nothing is played, and stays there
        recorded = _load_turns(contest, slots, sheets, Q(seats__bike__in=sheets))
        for sheet in sheets:
            if recorded.is_expected(sheet) and any((sheet.pk, slot.pk) not in recorded.turns for slot in slots):
                return contest, sheet
    return contests[0], bike


def _sort_rows(rows: Sequence[BikeRow]) -> list[BikeRow]:
    first: dict[UUID | None, tuple[bool, bool]] = {}
    for row in rows:
        first[row.bike_id] = min(row.order, first.get(row.bike_id, row.order))
    return sorted(_add_sheet_counts(rows), key=lambda row: first[row.bike_id])


def _add_sheet_counts(rows: Sequence[BikeRow]) -> list[BikeRow]:
    """Add to every bike how many sheets it has, where it has several."""
    counts = Counter(row.bike_id for row in rows)
    todo = Counter(row.bike_id for row in rows if row.order == (False, False))
    return [
        replace(row, sheets_text=_format_sheets(counts[row.bike_id], todo[row.bike_id]))
        if counts[row.bike_id] > 1 and not row.is_further_sheet
        else row
        for row in rows
    ]


def _format_sheets(count: int, todo_count: int) -> str:
    text = ngettext("%(count)s sheet", "%(count)s sheets", count) % {"count": count}
    if not todo_count:
        return text
    return _("%(sheets)s, %(todo)s to play") % {"sheets": text, "todo": todo_count}


def _hide_result(row: BikeRow) -> BikeRow:
    if row.state not in ("done", "missed", "todo"):
        return row
    return replace(row, text=pgettext("a bike’s turn", "Played") if row.has_rolled else "")


def list_sheets_with_number(contest: Contest, number: BikeNumber | None) -> list[Bike]:
    """Return the bikes with this number, with their further sheets. There may be several, with different suffixes."""
    return [] if number is None else list(list_sheets(contest).filter(number=number))


def get_riders(bike: Bike, contest: Contest | None = None) -> str:
    """Return the people on a bike, the rider first; with a contest, those whose sheet it is."""
    if contest is not None:
        return format_riders(list_riders(contest, [bike])[bike.pk])
    return format_riders(Player.objects.filter(bike=bike.real_bike_id).values_list("name", flat=True))


@dataclass(frozen=True, slots=True)
class _GroupTurns:
    line_labels: Mapping[str | None, str]
    has_points: bool
    turns: Mapping[tuple[UUID, UUID], Turn]
    review_reasons: Mapping[tuple[UUID, UUID], str]
    non_starters: Collection[UUID]
    retired: Collection[UUID]

    def is_expected(self, bike: Bike) -> bool:
        """Whether the bike is still to roll where it has not rolled."""
        return bike.pk not in self.non_starters and bike.pk not in self.retired


@dataclass(frozen=True, slots=True)
class _BikeInLine:
    id: UUID
    bike_id: UUID
    number: str
    sheet: int
    is_in_line: bool
    is_same_bike: bool
    has_rolled: bool
    is_in_review: bool
    is_retired: bool = False
    people: list[Holder] = field(default_factory=list)

    def name_riders(self, contest: Contest) -> str:
        """Return the people whose sheet it is."""
        return format_riders(person.name for person in list_holders(contest, self.sheet, self.people))


def _list_bikes_in_line(
    member: CrewMember, contest: Contest, slots: Sequence[Slot], bike: Bike
) -> tuple[Mapping[UUID, _BikeInLine], bool]:
    """Return the member's bikes and this one, by number, with their progress in a contest at the slots' stop.

    The further sheets of each bike follow it. Also return whether other contests may have turns at the stop.
    """
    ids, stop_ids = [slot.pk for slot in slots], {slot.stop_id for slot in slots}
    any_bike = Exists(CrewMember.any_bike_at.through.objects.filter(crewmember=member.pk, stop__in=stop_ids))
    in_line = (Q(group=member.group_id) | any_bike) & ~is_non_starter()
    card = {"chain__card__contest": contest.pk, "chain__card__seats__bike": OuterRef("pk")}
    retired_card = Subquery(list_retirement_entries().filter(**card).values("chain")[:1], output_field=UUIDField())
    turns = Turn.objects.filter(slot__in=ids, card__seats__bike=OuterRef("pk")).order_by()
    turn_count = turns.values("card__seats__bike").annotate(count=Count("pk")).values("count")
    in_review = ReviewItem.objects.filter(slot__in=ids, card__card__seats__bike=OuterRef("pk"), settled_at=None)
    bikes = Bike.entrants.annotate(is_in_line=ExpressionWrapper(in_line, BooleanField()))
    same_bike = Q(pk=bike.pk) | Q(pk=bike.real_bike_id) | Q(sheet_of=bike.real_bike_id)
    bikes = bikes.filter(Q(is_in_line=True, merged_into=None) | same_bike, event=member.group.event_id)
    bikes = bikes.filter(is_sheet_of(contest.pk))
    # A row for each person, so that their names need no second statement.
    rows = bikes.annotate(
        turn_count=Coalesce(Subquery(turn_count), 0),
        is_in_review=Exists(in_review),
        retired_card=retired_card,
        has_others=Exists(_are_slots_of_others(contest, stop_ids)),
    )
    found: dict[UUID, _BikeInLine] = {}
    cards: dict[UUID, UUID] = {}
    # The people of a further sheet are those of its bike.
    people = rows.annotate(
        person_id=Coalesce("players__id", "sheet_of__players__id"),
        person_role=Coalesce("players__role", "sheet_of__players__role"),
        person_name=Coalesce("players__name", "sheet_of__players__name"),
    )
    in_order = people.order_by("number", "suffix", "sheet", "-person_role", "person_name")
    columns = ("pk", "sheet_of", "number", "suffix", "sheet", "is_in_line", "turn_count", "is_in_review")
    of_person = ("person_id", "person_role", "person_name")
    persons = list(in_order.values_list(*columns, "retired_card", "has_others", *of_person, named=True))
    for row in persons:
        if row.pk not in found:
            bike_id, has_rolled = row.sheet_of or row.pk, row.turn_count == len(ids)
            found[row.pk] = _BikeInLine(
                row.pk,
                bike_id,
                label_bike(row.number, row.suffix, row.sheet),
                row.sheet,
                bool(row.is_in_line),
                bike_id == bike.real_bike_id,
                has_rolled,
                row.is_in_review,
            )
            if row.retired_card is not None and not has_rolled:
                cards[row.retired_card] = row.pk
        if row.person_id is not None:
            found[row.pk].people.append(Holder(row.person_id, row.person_role, row.person_name))
    retired = find_retired_bikes(cards) if cards else ()
    found |= {pk: replace(found[pk], is_in_line=False, is_retired=True) for pk in retired}
    return found, any(row.has_others for row in persons)


def _list_sheets(contest: Contest, wanted: Q) -> list[Bike]:
    return list(list_sheets(contest).filter(wanted))


def _load_turns(contest: Contest, slots: Sequence[Slot], bikes: Sequence[Bike], cards_filter: Q) -> _GroupTurns:
    cards = dict(contest.cards.filter(cards_filter).values_list("pk", "seats__bike"))
    turns = Turn.objects.filter(card__in=cards, slot__in=slots)
    in_review = ReviewItem.objects.filter(card__in=cards, slot__in=slots, settled_at=None)
    return _GroupTurns(
        label_lines(contest.ruleset),
        contest.game.points_of_turns,
        {(cards[turn.card_id], turn.slot_id): turn for turn in turns},
        {(cards[item.card_id], item.slot_id): item.reason for item in in_review if item.card_id and item.slot_id},
        find_non_starters(bikes),
        find_retired_bikes(cards),
    )


def _count_stops(
    slots: Sequence[Slot], bikes_at: Mapping[UUID, Sequence[Bike]], recorded: _GroupTurns
) -> list[StopProgress]:
    progress = []
    for stop in {slot.stop_id: slot.stop for slot in slots}.values():
        slots_here = _list_slots_at(slots, stop.pk)
        done = {
            bike.pk for bike in bikes_at[stop.pk] if all((bike.pk, slot.pk) in recorded.turns for slot in slots_here)
        }
        todo_count = sum(bike.pk not in done and recorded.is_expected(bike) for bike in bikes_at[stop.pk])
        counts_sheets = any(bike.sheet_of_id is not None for bike in bikes_at[stop.pk])
        progress.append(StopProgress(stop.pk, stop.name, len(done), todo_count, counts_sheets))
    return progress


def _find_current_stop(
    event: Event, slots: Sequence[Slot], bikes: Sequence[Bike], recorded: _GroupTurns
) -> UUID | None:
    """Return the stop where one of these bikes rolled last; before any has, the one that is open now."""
    own = {bike.pk for bike in bikes}
    # A missed turn is recorded wherever the crew is by then. Turns that a phone sent together have the same time.
    rolled = [turn for (bike, _slot), turn in recorded.turns.items() if bike in own and turn.line is not None]
    if rolled:
        by_id = {slot.pk: slot for slot in slots}
        latest = max(rolled, key=lambda turn: (turn.recorded_at, by_id[turn.slot_id].ordinal))
        return by_id[latest.slot_id].stop_id
    now = timezone.now().astimezone(event.zone)
    return next((slot.stop_id for slot in slots if slot.stop.is_open_at(now, event.date)), None)


def _choose_stop(stops: Sequence[StopProgress], current: StopProgress | None) -> StopProgress | None:
    """Return the first stop from the current one on, and then from the start, where someone has not rolled."""
    position = 0 if current is None else stops.index(current)
    from_here = [*stops[position:], *stops[:position]]
    return next((stop for stop in from_here if not stop.is_done), stops[-1] if stops else None)


def _list_slots_at(slots: Sequence[Slot], stop_id: UUID) -> list[Slot]:
    return [slot for slot in slots if slot.stop_id == stop_id]


def _make_row(bike: Bike, riders: Sequence[str], recorded: _GroupTurns, slots: Sequence[Slot]) -> BikeRow:
    turns = [recorded.turns[bike.pk, slot.pk] for slot in slots if (bike.pk, slot.pk) in recorded.turns]
    has_rolled = bool(slots) and len(turns) == len(slots)
    state, text = _describe_state(bike, recorded, slots, turns, has_rolled)
    group, names, turn_ids = bike.group.name if bike.group else "", format_riders(riders), [turn.pk for turn in turns]
    return BikeRow(
        bike.pk,
        bike.label,
        names,
        has_rolled,
        state,
        text,
        turn_ids,
        group,
        bike.real_bike_id,
        bike.sheet_of_id is not None,
    )


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
    if bike.pk in recorded.retired and not has_rolled:
        return "retired", _("Retired")
    if not has_rolled:
        return "todo", text and _("%(results)s, one more to play") % {"results": text}
    return ("missed" if all(turn.line is None for turn in turns) else "done"), text


def _format_short(recorded: _GroupTurns, turn: Turn) -> str:
    label = recorded.line_labels.get(turn.line, turn.line or "")
    if turn.line is None:
        return label
    return label_value(label, turn.points) if recorded.has_points else show_faces(turn.dice)
