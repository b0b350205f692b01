"""Selling a further sheet of a bike, and undoing that while nothing is recorded on it: entries in the event's chain.

Two phones that sell “17/2” without signal mean the same sheet: its id follows from the bike, the contest and the number
that they asked for, and the second sale changes nothing. If that number was given to another sheet meanwhile, because
bikes were merged, the sheet gets the next one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike, FurtherSheet, derive_sheet_id
from scorekeeper.bikes.services import explain_obstacle
from scorekeeper.events.models import Contest
from scorekeeper.events.sheet_setting import get_holder_index
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Operation
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import (
    MERGED,
    BikeWithdrawn,
    NotAllowed,
    OperationResult,
    RecordingError,
    UnknownTarget,
    record,
)
from scorekeeper.ledger.withdrawals import was_withdrawn
from scorekeeper.players.models import Player
from scorekeeper.players.selectors import read_riders, sort_holders
from scorekeeper.scorecards.bike_merge import BikeMerge
from scorekeeper.scorecards.card_kinds import is_of_kind
from scorekeeper.scorecards.models import Seat
from scorekeeper.scorecards.selectors.sheet_offers import explain_refusal
from scorekeeper.scorecards.services.cards import check_can_record
from scorekeeper.scorecards.services.locked_cards import freeze_contest

START_OF_SPARE_NUMBERS = 30_000  # above any number that a sheet has


class NoMoreSheets(RecordingError):
    """The bike cannot have this sheet, or has to keep it. The exception's argument says why, for the seller."""


def sell_sheet(actor: Actor, operation_id: UUID, bike_id: UUID, contest_id: UUID, number: int) -> Receipt:
    """Sell a further sheet of a bike. The receipt's data has its id and the number it got.

    If the sheet exists already, nothing happens (the outcome is "merged").

    Args:
        number: which sheet of the bike it is, from 2.

    Raises:
        NoMoreSheets: the contest is closed, or a bike has fewer sheets in it.
        UnknownTarget: there is no such bike or contest, or bikes play the contest at tables.
        BikeWithdrawn: the registration of the bike was undone.
        NotAllowed: the actor may not record this bike, or the phone was revoked or has expired.
        IdReused: the id was used for something else.
    """
    body = {"bike": str(bike_id), "contest": str(contest_id), "number": number}

    def handle(context: OperationContext) -> OperationResult:
        chain = context.lock_or_create_chain(actor.event_id, Chain.Kind.EVENT)
        contest = _lock_contest(actor, contest_id)
        bike = _get_bike(actor, bike_id)
        check_can_record(actor, bike, actor.can_take_over, ())
        sheet_id = derive_sheet_id(bike_id, contest_id, number)
        existing = FurtherSheet.objects.filter(pk=sheet_id).first()
        if existing is not None:
            return _make_merged(existing, chain)
        if actor.needs_review:
            raise NotAllowed(bike_id)
        _check_number(contest, bike, number)
        sheet = FurtherSheet(
            id=sheet_id,
            event_id=bike.event_id,
            number=bike.number,
            suffix=bike.suffix,
            group_id=bike.group_id,
            did_not_start=bike.did_not_start,
            sheet_of_id=bike.pk,
            sheet_contest=contest,
            sheet=find_free_sheet_number(bike.pk, contest_id, number),
        )
        sheet.save(force_insert=True)
        context.after_insert(partial(freeze_contest, contest))  # who has how many sheets is fixed from now on
        context.append(chain, "sell_sheet", data=make_sheet_data(sheet))
        context.mark_stale(contest_id)  # the leaderboard lists it among those that have not rolled
        return OperationResult(Operation.Outcome.RECORDED, data=make_sheet_data(sheet))

    return record(operation_id, "sell_sheet", actor, body, handle)


def withdraw_sheet(actor: Actor, operation_id: UUID, sheet_id: UUID) -> Receipt:
    """Undo the sale of a sheet on which nothing was recorded.

    If something was recorded, or the sale is undone already, nothing happens (the outcome is "merged"). The same is
    true while someone else has sold the same sheet: it goes with the last of its sellers who undoes the sale.

    Raises:
        NoMoreSheets: the contest is closed, or the sheet has won a prize: this may arrive long after the organisers
            gave it, and must not take it away.
        UnknownTarget: there is no such sheet.
        NotAllowed: someone else sold it. Organisers may undo any sale.
        IdReused: the id was used for something else.
    """
    body = {"sheet": str(sheet_id)}

    def handle(context: OperationContext) -> OperationResult:
        chain = context.lock_or_create_chain(actor.event_id, Chain.Kind.EVENT)
        sheet = FurtherSheet.objects.filter(pk=sheet_id, event_id=actor.event_id).first()
        may_undo = actor.is_organiser or _has_sold(actor, sheet_id)
        if sheet is None and may_undo and was_withdrawn(actor.event_id, sheet_id):
            return MERGED  # by the organiser, or by this person on another phone
        if sheet is None or sheet.sheet_contest_id is None:
            raise UnknownTarget(sheet_id)
        if not may_undo:
            raise NotAllowed(sheet_id)
        contest = _lock_contest(actor, sheet.sheet_contest_id)  # so that no card is created meanwhile
        if has_entries(sheet) or (not actor.is_organiser and list_sellers(sheet) != {actor.id}):
            return _make_merged(sheet, chain)
        if contest.status != Contest.Status.OPEN:
            raise NoMoreSheets(_("The contest is closed, so its sheets can no longer change."))
        if obstacle := explain_obstacle(sheet):
            # Who has a prize that is given by hand, crews are told with the results.
            text = _("The organisers have decided something about this sheet, so it stays. Ask them.")
            raise NoMoreSheets(obstacle if actor.is_organiser else text)
        data = make_sheet_data(sheet)
        sheet.delete()
        context.append(chain, "withdraw_sheet", data=data)
        context.mark_stale(contest.pk)
        return OperationResult(Operation.Outcome.RECORDED, data=data)

    return record(operation_id, "withdraw_sheet", actor, body, handle)


def sell_passenger_sheets(actor: Actor, contest: Contest) -> int:
    """Sell every passenger the first sheet of their own in a contest, and return how many were missing.

    A bike that has just been withdrawn needs none.

    Raises:
        NoMoreSheets: the contest is closed.
    """
    numbers: dict[UUID, int] = dict(
        Player.objects.filter(event=contest.event_id, bike__merged_into=None)
        .exclude(bike=None)
        .order_by()
        .values_list("bike")
        .annotate(count=Count("pk"))
    )
    taken = set(FurtherSheet.objects.filter(sheet_contest=contest).values_list("sheet_of", "sheet"))
    count = 0
    for bike_id, people in numbers.items():
        for person in range(1, people):
            number = person * contest.sheets_max + 1
            if (bike_id, number) in taken:
                continue
            with suppress(UnknownTarget, BikeWithdrawn):
                sell_sheet(actor, uuid4(), bike_id, contest.pk, number)
                count += 1
    return count


def has_entries(sheet: Bike) -> bool:
    """Return whether anything was recorded on a further sheet, or waits in review."""
    if Seat.objects.filter(bike_id=sheet.pk).exists():
        return True
    return Operation.objects.filter(event_id=sheet.event_id, body__bike=str(sheet.pk)).exists()


def list_sellers(sheet: Bike) -> set[UUID]:
    """Return who has sold a sheet since it was last undone, without those who have undone it for themselves alone."""
    about = Operation.objects.filter(event_id=sheet.event_id, receipt__data__sheet=str(sheet.pk))
    operations = about.filter(kind__in=("sell_sheet", "withdraw_sheet")).order_by("received_at")
    sellers: set[UUID] = set()
    for operation in sorted(operations, key=_find_position):
        if operation.kind == "sell_sheet":
            sellers.add(operation.actor_id)
        elif operation.outcome == Operation.Outcome.RECORDED:
            sellers.clear()
        else:
            sellers.discard(operation.actor_id)
    return sellers


def _has_sold(actor: Actor, sheet_id: UUID) -> bool:
    sales = Operation.objects.filter(event_id=actor.event_id, kind="sell_sheet", receipt__data__sheet=str(sheet_id))
    return sales.filter(actor_id=actor.id).exists()


def _find_position(operation: Operation) -> float:
    """Return where in the event's log a sale or its undoing belongs, also if it got no entry.

    Of a sale of a sheet that was there already, older versions have not stored it: it counts, so the sheet stays.
    """
    receipt = operation.receipt
    if receipt["entries"]:
        return int(receipt["entries"][0]["seq"])
    return float(receipt["data"].get("seq", inf))


def find_free_sheet_number(bike_id: UUID, contest_id: UUID, wanted: int) -> int:
    """Return the number, or the next one that no other sheet of the bike has in the contest."""
    taken = set(FurtherSheet.objects.filter(sheet_of=bike_id, sheet_contest=contest_id).values_list("sheet", flat=True))
    while wanted in taken:
        wanted += 1
    return wanted


def make_sheet_data(sheet: Bike) -> Mapping[str, Any]:
    """Return a further sheet as the log has it."""
    bike, contest = str(sheet.sheet_of_id), str(sheet.sheet_contest_id)
    return {"sheet": str(sheet.pk), "bike": bike, "contest": contest, "number": sheet.sheet}


def _make_merged(sheet: Bike, chain: Chain) -> OperationResult:
    """Return the result of an operation that changes nothing, with its place in the log, where it gets no entry."""
    return OperationResult(Operation.Outcome.MERGED, data={**make_sheet_data(sheet), "seq": chain.length})


class MovedSheets(NamedTuple):
    """The further sheets that a merge of bikes, or undoing it, has changed, as the log has them: with the new numbers.

    Attributes:
        moved: those that now belong to the other bike.
        renumbered: those of the bike that they came to, or have left, which have other numbers now.
    """

    moved: list[list[Any]]
    renumbered: list[list[Any]]

    def to_data(self) -> dict[str, Any]:
        """Return what the log has of it: nothing without sheets, as in logs of bikes that have one each."""
        found = {"sheets": self.moved, "renumbered": self.renumbered}
        return {name: sheets for name, sheets in found.items() if sheets}


def find_sheet_holders(*bikes: Bike) -> Mapping[UUID, UUID]:
    """Return whose each further sheet of these bikes is, in contests where each person has sheets of their own."""
    sheets = _list_sheets_of(*bikes).filter(sheet_contest__sheets_for=Contest.SheetsFor.RIDER)
    people = read_riders(sheets).by_bike
    holders = {}
    for sheet in sheets:
        index = get_holder_index(_get_contest(sheet), sheet.sheet)
        on_bike = sort_holders(people.get(sheet.real_bike_id, ()))
        if index is not None and index < len(on_bike):
            holders[sheet.pk] = on_bike[index].id
    return holders


def move_sheets(bike: Bike, into: Bike, holders: Mapping[UUID, UUID]) -> MovedSheets:
    """Give the further sheets of a bike to the one that it is merged into, with their cards.

    Each keeps its number, or gets the next that is free. Where each person has sheets of their own, the number says
    whose it is: all people are on one bike now, so sheets get numbers of the same person as before.

    Args:
        holders: who that was, from before the people moved.
    """
    own, came = list(_list_sheets_of(into)), list(_list_sheets_of(bike))
    return _give_numbers(into, own, came, {}, holders)


def return_sheets(bike: Bike, into: Bike, merge: BikeMerge) -> MovedSheets:
    """Give the sheets back that came with a merge, and those that got another number by it their earlier one."""
    stay = list(_list_sheets_of(into).filter(pk__in=merge.renumbered))
    back = list(_list_sheets_of(into).filter(pk__in=merge.sheets))
    moved = _give_numbers(bike, [], back, merge.sheets, {})
    return MovedSheets(moved.moved, _give_numbers(into, stay, [], merge.renumbered, {}).renumbered)


def _list_sheets_of(*bikes: Bike) -> QuerySet[FurtherSheet]:
    sheets = FurtherSheet.objects.filter(sheet_of__in=bikes).select_related("sheet_contest")
    return sheets.order_by("sheet_contest_id", "sheet", "pk")


def _get_contest(sheet: FurtherSheet) -> Contest:
    assert sheet.sheet_contest is not None, "a further sheet is of one contest"
    return sheet.sheet_contest


def _give_numbers(
    bike: Bike,
    own: Sequence[FurtherSheet],
    came: Sequence[FurtherSheet],
    wanted: Mapping[UUID, int],
    holders: Mapping[UUID, UUID],
) -> MovedSheets:
    """Number the sheets of a bike again, together with those that come to it.

    Args:
        own: those of the bike itself that may get another number.
        wanted: the number that each should get; without one, that which it has.
        holders: those whose number has to be one of a person on the bike.
    """
    order = {one.id: index for index, one in enumerate(sort_holders(read_riders([bike]).by_bike.get(bike.pk, ())))}
    others = _list_sheets_of(bike).exclude(pk__in=[sheet.pk for sheet in own])
    taken = set(others.values_list("sheet_contest_id", "sheet"))
    numbers: dict[UUID, int] = {}
    sheets = sorted([*own, *came], key=lambda sheet: sheet.pk not in holders)  # the others take what is left
    for sheet in sheets:
        contest, number = _get_contest(sheet), wanted.get(sheet.pk, sheet.sheet)
        if sheet.pk in holders and holders[sheet.pk] in order:
            first = order[holders[sheet.pk]] * contest.sheets_max + 1
            own_numbers = [one for one in range(first, first + contest.sheets_max) if one > 1]
            preferred = [number] if number in own_numbers else []
            number = next((one for one in (*preferred, *own_numbers) if (contest.pk, one) not in taken), number)
        while (contest.pk, number) in taken:
            number += 1
        taken.add((contest.pk, number))
        numbers[sheet.pk] = number
    renumbered = [sheet for sheet in own if numbers[sheet.pk] != sheet.sheet]
    # Two of them may exchange their numbers, so each first gets one that no sheet has.
    for free, sheet in enumerate(renumbered, START_OF_SPARE_NUMBERS):
        FurtherSheet.objects.filter(pk=sheet.pk).update(sheet=free)
    for sheet in (*renumbered, *came):
        sheet.sheet, sheet.sheet_of_id = numbers[sheet.pk], bike.pk
        sheet.number, sheet.suffix, sheet.group_id = bike.number, bike.suffix, bike.group_id
        sheet.did_not_start = bike.did_not_start
        sheet.save(update_fields=["sheet", "sheet_of", "number", "suffix", "group", "did_not_start"])
    return MovedSheets(
        [[str(sheet.pk), sheet.sheet] for sheet in came], [[str(sheet.pk), sheet.sheet] for sheet in renumbered]
    )


def _lock_contest(actor: Actor, contest_id: UUID) -> Contest:
    """Return the contest, locked: closing it and creating a card of it lock its row too."""
    contests = Contest.objects.select_for_update(no_key=True)
    contest = contests.filter(pk=contest_id, event_id=actor.event_id).first()
    if contest is None or not is_of_kind(contest.game, "turn"):
        raise UnknownTarget(contest_id)
    return contest


def _get_bike(actor: Actor, bike_id: UUID) -> Bike:
    """Return the bike, or the bike it was merged into, locked: the desk may be giving it another group."""
    bikes = Bike.objects.select_for_update(no_key=True).filter(event_id=actor.event_id)
    bike = bikes.filter(pk=bike_id).first()
    if bike is not None and bike.merged_into_id is not None:
        bike = bikes.filter(pk=bike.merged_into_id).first()
    if bike is None:
        raise BikeWithdrawn(bike_id) if was_withdrawn(actor.event_id, bike_id) else UnknownTarget(bike_id)
    return bike


def _check_number(contest: Contest, bike: Bike, number: int) -> None:
    if why := explain_refusal(contest, bike, number):
        raise NoMoreSheets(why)
