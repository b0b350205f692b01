"""Cards: creating missing ones, locking those that an operation touches, and updating their turns."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Exists, QuerySet

from scorekeeper.bikes.models import Bike
from scorekeeper.common.compiled_query import CompiledQuery
from scorekeeper.crew.models import DiceSet
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import BikeWithdrawn, NotAllowed, UnknownTarget
from scorekeeper.ledger.services.unit_of_work import UnitOfWork
from scorekeeper.ledger.withdrawals import was_withdrawn
from scorekeeper.scorecards.bike_card import BikeCard, fold_chain, load_snapshot, make_card
from scorekeeper.scorecards.card_kinds import is_of_kind
from scorekeeper.scorecards.contest_rules import ContestRules, derive_card_id, get_contest_rules
from scorekeeper.scorecards.fold import CardFold, RecordedTurn, fold_card
from scorekeeper.scorecards.models import Scorecard, Seat, Turn
from scorekeeper.scorecards.recorded_card import CardJudgement, WritableCard
from scorekeeper.scorecards.services.locked_cards import (
    DamagedCard,
    LockedCards,
    add_locked_seats,
    create_locked_card,
    freeze_contest,
)

C = TypeVar("C", bound=WritableCard)

NO_DICE_SET = UUID(int=0)
NO_STOP = None
TURN_FIELDS = ("slot", "seq", "line", "points", "dice", "how", "dice_set", "actor_id", "recorded_at")


def load_card_for_update(
    context: OperationContext,
    contest_id: UUID,
    bike_id: UUID,
    dice_set_id: UUID | None = None,
    *,
    by_log: bool = False,
    opened: BikeCard | None = None,
) -> BikeCard:
    """Lock the card of a bike and return its state. A missing card is created.

    An alias leads to the bike it was merged into.

    Args:
        dice_set_id: the dice set named in the operation; the same query checks whether the event has it.
        by_log: whether to read the log instead of the snapshot, as operations that change current turns must.
        opened: the card as a page has just read it from the log, without a lock. If the log has not grown since, it is
            used instead of the snapshot.

    Raises:
        UnknownTarget: there is no such contest or bike.
        BikeWithdrawn: the bike's registration was undone.
        DamagedCard: its log cannot be read.
        NotAllowed: the contest belongs to another event than the actor.
    """
    seat = _lock_seat(context, derive_card_id(contest_id, bike_id), dice_set_id)
    if seat is None:
        owner_id = create_card(context, contest_id, bike_id)
        seat = _lock_seat(context, derive_card_id(contest_id, owner_id), dice_set_id)
        assert seat is not None, "no bike is merged while its contest's row is locked"
        if dice_set_id is not None and has_dice_set(context.actor.event_id, dice_set_id):
            LockedCards.of(context.unit_of_work).dice_sets.add(dice_set_id)
    contest = _get_own_contest(context, contest_id)
    card = None if by_log else _load_without_log(context, contest, seat, opened)
    if card is None:
        assert seat.bike is not None
        card = _check_undamaged(fold_chain(contest, context.get_chain(seat.card_id), seat.bike))
    dice_sets = LockedCards.of(context.unit_of_work).dice_sets
    card = replace(card, dice_set_id=dice_set_id if dice_set_id in dice_sets else None)
    context.cache_state(card.id, card)
    return card


def lock_cards(
    unit_of_work: UnitOfWork, event_id: UUID, card_ids: Iterable[UUID], dice_set_ids: Iterable[UUID]
) -> None:
    """Lock the cards of several operations at once, in the order of their ids, and look up the dice sets they name.

    Cards that do not exist, or that are no longer written to, are not added to the `LockedCards`.
    """
    seats = _filter_writable_seats().filter(card_id__in=set(card_ids)).order_by("card_id")
    add_locked_seats(unit_of_work, seats.select_for_update(of=("card__chain",)))
    if wanted := set(dice_set_ids):
        dice_sets = DiceSet.objects.filter(pk__in=wanted, group__event_id=event_id)
        LockedCards.of(unit_of_work).dice_sets.update(dice_sets.values_list("pk", flat=True))


def _load_without_log(
    context: OperationContext, contest: ContestRules, seat: Seat, opened: BikeCard | None
) -> BikeCard | None:
    """Return a card as this transaction left it, as it was opened, or from its snapshot; None if there is none."""
    cached = context.unit_of_work.cached_states.get(seat.card_id)
    if isinstance(cached, BikeCard):
        return cached
    chain = context.get_chain(seat.card_id)
    assert seat.bike is not None
    if opened is not None and _is_same_log(opened, contest, chain):
        return replace(opened, contest=contest, is_sealed=chain.is_sealed, bike=seat.bike)
    # A card without entries has no log to read.
    turns_and_fold = load_snapshot(contest, chain) if chain.length else ({}, fold_card(contest, {}))
    return None if turns_and_fold is None else make_card(contest, chain, seat.bike, *turns_and_fold)


def _is_same_log(opened: BikeCard, contest: ContestRules, chain: Chain) -> bool:
    """Whether the locked chain is the one that was opened. A head is the hash of everything up to it."""
    return (
        opened.damaged_from is None
        and (opened.id, opened.length, opened.head) == (chain.pk, chain.length, chain.head)
        and opened.contest.rules_digest == contest.rules_digest
    )


def load_cards_for_update(
    context: OperationContext, card_ids: Iterable[UUID], *, even_aliases: bool = False
) -> dict[UUID, BikeCard]:
    """Lock and fold several existing cards, in the order of their ids.

    Args:
        even_aliases: whether to include cards of bikes that were merged into others.

    Raises:
        UnknownTarget: a bike has just been merged into another.
        DamagedCard: the log of a card cannot be read.
        NotAllowed: a card belongs to another event than the actor.
    """
    wanted = set(card_ids)
    chains = context.lock_chains(wanted)
    if not even_aliases and any(chains[card_id].is_alias for card_id in wanted if card_id in chains):
        raise UnknownTarget(*wanted)
    locked = LockedCards.of(context.unit_of_work).seats
    started = {card_id: seat for card_id, seat in locked.items() if card_id in wanted}
    cards = {}
    for seat in [*Seat.objects.filter(card_id__in=wanted - started.keys()).select_related("bike"), *started.values()]:
        assert seat.bike is not None
        contest = _get_own_contest(context, seat.contest_id)
        cards[seat.card_id] = _check_undamaged(fold_chain(contest, chains[seat.card_id], seat.bike))
    return cards


def _check_undamaged(card: BikeCard) -> BikeCard:
    if card.damaged_from is not None:
        raise DamagedCard(card.id)
    return card


def has_dice_set(event_id: UUID, dice_set_id: UUID | None) -> bool:
    """Whether the event has this dice set. Naming one is optional: a turn counts without it."""
    return dice_set_id is not None and DiceSet.objects.filter(pk=dice_set_id, group__event_id=event_id).exists()


def check_can_record(
    actor: Actor, bike: Bike, takes_over: bool, stop_ids: Collection[UUID | None] = (NO_STOP,)
) -> None:
    """Raise `NotAllowed` unless the actor may record this bike.

    Crew record the bikes of their own group and bikes without a group. At the stops assigned to them they also record
    the bikes of every other group. A road captain may take over any other bike.

    Args:
        stop_ids: the stops of all turns concerned, `NO_STOP` for what belongs to none. If it is empty, one stop where
            the actor may record any bike is enough.
    """
    if actor.is_organiser or bike.group_id in (None, actor.group_id) or (takes_over and actor.can_take_over):
        return
    if actor.any_bike_stops and actor.any_bike_stops.issuperset(stop_ids):
        return
    # The phone may not know yet that its bike was merged into one from another group.
    if not Bike.objects.filter(merged_into=bike.real_bike_id, group=actor.group_id).exists():
        raise NotAllowed(bike.pk)


def prepare_missing_cards(unit_of_work: UnitOfWork, event_id: UUID, bikes: Iterable[tuple[UUID, UUID]]) -> None:
    """Build the cards of an event's bikes that do not exist yet, so that each operation can create its own.

    Like `create_card`, this has to happen before any card is locked.

    Args:
        bikes: the ids of each card's contest and bike.
    """
    wanted = {derive_card_id(contest_id, bike_id): (contest_id, bike_id) for contest_id, bike_id in bikes}
    for card_id in Scorecard.objects.filter(pk__in=wanted).values_list("pk", flat=True):
        del wanted[card_id]
    if not wanted:
        return
    contests = _lock_contests(pk__in={contest_id for contest_id, _bike in wanted.values()}, event_id=event_id)
    named = Bike.entrants.filter(event_id=event_id, merged_into=None)
    found = named.in_bulk([bike_id for _contest, bike_id in wanted.values()])
    for card_id, (contest_id, bike_id) in wanted.items():
        if contest_id in contests and bike_id in found and _plays_in(contest_id, found[bike_id]):
            LockedCards.of(unit_of_work).unsaved_seats[card_id] = _build_card(contests[contest_id], found[bike_id])


def create_card(context: OperationContext, contest_id: UUID, bike_id: UUID) -> UUID:
    """Create the card of a bike, unless it exists. The first card freezes the contest's options and slots.

    The contest's row stays locked until the operation ends, so this has to happen before any card is locked. The card
    itself is written along with everything else that the operation writes.

    Returns:
        The id of the bike that has the card: the bike itself, or the one it was merged into.

    Raises:
        UnknownTarget: there is no such contest or bike, they belong to different events, or the bike is a further sheet
            of another contest.
        BikeWithdrawn: the bike's registration was undone.
    """
    locked = LockedCards.of(context.unit_of_work)
    seat = locked.unsaved_seats.get(derive_card_id(contest_id, bike_id))
    if seat is not None:
        _add_new_card(context, seat)
        return bike_id
    contest = next(iter(_LOCKED_CONTEST_QUERY.fetch(contest=contest_id)), None)
    bike = next(iter(_BIKE_QUERY.fetch(bike=bike_id)), None)
    if contest is None or bike is None or bike.event_id != contest.event_id or not _plays_in(contest_id, bike):
        if bike is None and was_withdrawn(context.actor.event_id, bike_id):
            raise BikeWithdrawn(bike_id)
        raise UnknownTarget(bike_id)
    owner = bike.merged_into or bike
    card_id = derive_card_id(contest_id, owner.pk)
    if card_id not in locked.seats and not Scorecard.objects.filter(pk=card_id).exists():
        _add_new_card(context, _build_card(contest, owner))
    return owner.pk


def _plays_in(contest_id: UUID, bike: Bike) -> bool:
    """Whether a bike has a card in a contest; a further sheet has one only in its own."""
    return bike.sheet_contest_id in (None, contest_id)


def _lock_contests(**wanted: Any) -> dict[UUID, Contest]:
    """Lock the matching contests, so that no other transaction creates cards in them.

    Closing a contest locks its row too, so a new card knows whether it starts sealed. So does merging bikes, so no card
    appears during a merge. Rows that only refer to the contest may be written meanwhile: waiting for them while they
    wait for a card would be a deadlock.
    """
    return {contest.pk: contest for contest in _list_locked_contests(**wanted)}


def _list_locked_contests(**wanted: Any) -> QuerySet[Contest]:
    return Contest.objects.select_for_update(no_key=True).filter(**wanted).order_by("pk")


def _build_card(contest: Contest, bike: Bike) -> Seat:
    """Return the unsaved seat of a new card, with its unsaved card and chain."""
    card_id = derive_card_id(contest.pk, bike.pk)
    sealed = contest.status != Contest.Status.OPEN
    chain = Chain(id=card_id, event_id=contest.event_id, kind=Chain.Kind.CARD, is_sealed=sealed)
    return Seat(card=Scorecard(id=card_id, chain=chain, contest=contest), contest=contest, bike=bike)


def _add_new_card(context: OperationContext, seat: Seat) -> None:
    create_locked_card(context, seat)
    if seat.contest.frozen_at is None:
        context.after_insert(partial(freeze_contest, seat.contest))


def append_to_card(
    context: OperationContext, card: C, kind: str, judged: CardJudgement | None = None, **fields: Any
) -> C:
    """Append an entry to a card of either kind, mark its standings as stale, and return the card's new state.

    Args:
        judged: the judgement that allowed the entry.
        fields: the entry's actions, slot, dice set and data, as for `OperationContext.append`.
    """
    chain = context.get_chain(card.id)
    if isinstance(card, BikeCard) and not chain.length:  # a table's first entry is written when it is created
        fields = {**fields, "rules": card.contest.rules_digest, "numbers": (card.bike,)}
    after = card.with_entry(context.append(chain, kind, **fields), judged)
    if (snapshotable := after.to_snapshotable()) is not None:
        context.cache_state(card.id, snapshotable)
    if isinstance(card, BikeCard) and isinstance(after, BikeCard):  # only turns at stops have rows
        _update_turn_rows(context, card, after)
    context.mark_stale(card.contest.id, card.id)
    return after


def _update_turn_rows(context: OperationContext, before: BikeCard, after: BikeCard) -> None:
    """Update the card's `Turn` rows to its current turns, writing only those that changed."""
    current = {turn.id: turn for turn in after.turns.values() if turn.id in after.fold.results}
    removed = [
        turn.id for turn in before.turns.values() if turn.id not in current or current[turn.id].slot_id != turn.slot_id
    ]
    rows = [
        make_turn_row(after.id, turn, after.fold)
        for turn in current.values()
        if before.turns.get(turn.id) != turn or before.fold.results.get(turn.id) != after.fold.results[turn.id]
    ]
    context.project(*rows, table=Turn, removed=removed, update_fields=TURN_FIELDS)


def make_turn_row(card_id: UUID, turn: RecordedTurn, fold: CardFold) -> Turn:
    """Return the unsaved row of a valid turn."""
    result, origin = fold.results[turn.id], turn.origin
    assert origin is not None, "only turns that are in the log have a row"
    assert turn.slot_id is not None, "a retirement has no row"
    return Turn(
        id=turn.id,
        card_id=card_id,
        slot_id=turn.slot_id,
        seq=turn.seq,
        line=result.line,
        points=result.points,
        dice=list(result.dice),
        how=result.how,
        dice_set_id=origin.dice_set_id,
        actor_id=origin.actor_id,
        recorded_at=origin.recorded_at,
    )


def _lock_seat(context: OperationContext, card_id: UUID, dice_set_id: UUID | None) -> Seat | None:
    """Read the card's seat, bike and chain in one statement that locks the chain; None if it may not be written to.

    The same statement looks up the dice set. What the transaction has already locked is not read again.
    """
    locked = LockedCards.of(context.unit_of_work)
    if card_id not in locked.seats and card_id not in locked.unsaved_seats:
        found = _LOCKED_SEAT_QUERY.fetch(
            card=card_id, dice_set=dice_set_id or NO_DICE_SET, event=context.actor.event_id
        )
        add_locked_seats(context.unit_of_work, found)
        if dice_set_id is not None and any(seat.has_dice_set for seat in found):  # type: ignore[attr-defined]
            locked.dice_sets.add(dice_set_id)
    return locked.seats.get(card_id)


def _list_locked_seats(card: UUID, dice_set: UUID, event: UUID) -> QuerySet[Seat]:
    dice_sets = DiceSet.objects.filter(pk=dice_set, group__event_id=event)
    seats = _filter_writable_seats().filter(card_id=card).annotate(has_dice_set=Exists(dice_sets))
    return seats.select_for_update(of=("card__chain",))


def _filter_writable_seats() -> QuerySet[Seat]:
    """Return the first seats of cards that may be written to, with their chains and bikes.

    Whether the bike was merged is read from the chain, not from the bike: after waiting for a lock, the database reads
    the locked row again, but joined rows as they were before.
    """
    return Seat.objects.filter(index=0, card__chain__is_alias=False).select_related("card__chain", "bike")


def _get_own_contest(context: OperationContext, contest_id: UUID) -> ContestRules:
    contest = get_contest_rules(contest_id)
    if contest.event_id != context.actor.event_id:
        raise NotAllowed(contest_id)
    if not is_of_kind(contest.ruleset.game, "turn"):
        raise UnknownTarget(contest_id)  # its cards are at tables
    return contest


# Run for the first turn on every card.
_LOCKED_CONTEST_QUERY = CompiledQuery(lambda contest: _list_locked_contests(pk=contest), {"contest": UUID(int=1)})
_BIKE_QUERY = CompiledQuery(
    lambda bike: Bike.entrants.select_related("merged_into").filter(pk=bike), {"bike": UUID(int=1)}
)
# Run for every turn that is recorded.
_LOCKED_SEAT_QUERY = CompiledQuery(
    _list_locked_seats, {"card": UUID(int=1), "dice_set": UUID(int=2), "event": UUID(int=3)}
)
