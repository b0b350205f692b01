"""Cards: making a missing one, locking those an operation touches, and keeping the turns that stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import Exists, QuerySet
from django.utils import timezone

from scorekeeper.bikes.models import Bike
from scorekeeper.common.compiled_query import CompiledQuery
from scorekeeper.crew.models import DiceSet
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.card_state import CardState, fold_chain, load_snapshot
from scorekeeper.scorecards.contest_rules import ContestRules, derive_card_id, get_contest_rules
from scorekeeper.scorecards.fold import CardFold, RecordedTurn, apply_entry, fold_card, fold_incremental
from scorekeeper.scorecards.models import Chain, Scorecard, Seat, Turn
from scorekeeper.scorecards.selectors.withdrawals import was_withdrawn
from scorekeeper.scorecards.services.operation_context import OperationContext
from scorekeeper.scorecards.services.recording import BikeWithdrawn, NotAllowed, UnknownTarget
from scorekeeper.scorecards.services.unit_of_work import UnitOfWork

NO_DICE_SET = UUID(int=0)


class DamagedCard(UnknownTarget):
    """The card's log cannot be read to its end. Nothing is judged by half a card; once it is mended, send it again."""


def load_card_for_update(
    book: OperationContext, contest_id: UUID, bike_id: UUID, dice_set_id: UUID | None = None, *, by_log: bool = False
) -> CardState:
    """Lock the card of a bike, made if it is missing, and open it. An alias leads to the bike it was merged into.

    Args:
        dice_set_id: the dice that were named; whether the event has them is looked up on the way.
        by_log: whether the log itself has to be read, as for whatever changes what stands.

    Raises:
        NotYet: there is no such contest or bike.
        Withdrawn: the bike's registration was undone.
        Damaged: its log cannot be read.
        NotYours: the contest is of another event than the actor's.
    """
    seat = _lock_seat(book, derive_card_id(contest_id, bike_id), dice_set_id)
    if seat is None:
        owner_id = create_card(book, contest_id, bike_id)
        seat = _lock_seat(book, derive_card_id(contest_id, owner_id), dice_set_id)
        assert seat is not None, "no bike is merged while its contest's row is held"
        if dice_set_id is not None and has_dice_set(book.actor.event_id, dice_set_id):
            book.unit_of_work.dice_sets.add(dice_set_id)
    contest = _get_own_contest(book, contest_id)
    card = None if by_log else _load_without_log(book, contest, seat)
    if card is None:
        assert seat.bike is not None
        card = _check_undamaged(fold_chain(contest, book.get_chain(seat.card_id), seat.bike))
    return replace(card, dice_set_id=dice_set_id if dice_set_id in book.unit_of_work.dice_sets else None)


def lock_cards(ledger: UnitOfWork, event_id: UUID, card_ids: Iterable[UUID], dice_set_ids: Iterable[UUID]) -> None:
    """Lock the cards of several operations at once, in the order of their ids, and look up the dice they name.

    Those that do not exist, or to which nothing is written any more, are not in the ledger's seats afterwards.
    """
    seats = _filter_writable_seats().filter(card_id__in=set(card_ids)).order_by("card_id")
    ledger.add_locked_seats(seats.select_for_update(of=("card__chain",)))
    if wanted := set(dice_set_ids):
        dice_sets = DiceSet.objects.filter(pk__in=wanted, group__event_id=event_id)
        ledger.dice_sets.update(dice_sets.values_list("pk", flat=True))


def _load_without_log(book: OperationContext, contest: ContestRules, seat: Seat) -> CardState | None:
    """Open a card without its log: as this transaction has left it, or by the snapshot; None where neither is there."""
    opened = book.unit_of_work.cached_states.get(seat.card_id)
    if isinstance(opened, CardState):
        return opened
    chain = book.get_chain(seat.card_id)
    # A card without an entry has no log to be read.
    read = load_snapshot(contest, chain) if chain.length else ({}, fold_card(contest, {}))
    assert seat.bike is not None
    return None if read is None else CardState(contest, chain, seat.bike, *read)


def load_cards_for_update(
    book: OperationContext, card_ids: Iterable[UUID], *, even_aliases: bool = False
) -> dict[UUID, CardState]:
    """Lock and fold several cards that exist, in the order of their ids.

    Args:
        even_aliases: also those of bikes that were merged into others.

    Raises:
        NotYet: one is of a bike that was merged into another, a moment ago.
        Damaged: the log of one cannot be read.
        NotYours: one is of another event than the actor's.
    """
    wanted = set(card_ids)
    chains = book.lock_chains(wanted)
    if not even_aliases and any(chains[card_id].is_alias for card_id in wanted if card_id in chains):
        raise UnknownTarget(*wanted)
    started = {card_id: seat for card_id, seat in book.unit_of_work.seats.items() if card_id in wanted}
    opened = {}
    for seat in [*Seat.objects.filter(card_id__in=wanted - started.keys()).select_related("bike"), *started.values()]:
        assert seat.bike is not None
        contest = _get_own_contest(book, seat.contest_id)
        opened[seat.card_id] = _check_undamaged(fold_chain(contest, chains[seat.card_id], seat.bike))
    return opened


def _check_undamaged(card: CardState) -> CardState:
    if card.damaged_from is not None:
        raise DamagedCard(card.id)
    return card


def has_dice_set(event_id: UUID, dice_set_id: UUID | None) -> bool:
    """Whether the event has these dice. Their naming is a courtesy: a roll counts without them."""
    return dice_set_id is not None and DiceSet.objects.filter(pk=dice_set_id, group__event_id=event_id).exists()


def check_can_record(actor: Actor, bike: Bike, takes_over: bool) -> None:
    """Raise `NotYours` unless the actor may note this bike.

    Crew note the bikes of their own group and those that have none; a road captain may take over any other's.
    """
    if actor.is_organiser or bike.group_id in (None, actor.group_id) or (takes_over and actor.can_take_over):
        return
    # A phone may not have heard yet that its bike was merged into one of another group's.
    if not Bike.objects.filter(merged_into=bike, group=actor.group_id).exists():
        raise NotAllowed(bike.pk)


def prepare_missing_cards(ledger: UnitOfWork, event_id: UUID, bikes: Iterable[tuple[UUID, UUID]]) -> None:
    """Make ready those cards of an event's bikes that do not exist yet, so that each operation can start its own.

    Like `start_card`, this comes before any card is locked.

    Args:
        bikes: for each card, its contest and its bike.
    """
    wanted = {derive_card_id(contest_id, bike_id): (contest_id, bike_id) for contest_id, bike_id in bikes}
    for known in Scorecard.objects.filter(pk__in=wanted).values_list("pk", flat=True):
        del wanted[known]
    if not wanted:
        return
    contests = _lock_contests(pk__in={contest_id for contest_id, _bike in wanted.values()}, event_id=event_id)
    named = Bike.objects.filter(event_id=event_id, merged_into=None)
    found = named.in_bulk([bike_id for _contest, bike_id in wanted.values()])
    for card_id, (contest_id, bike_id) in wanted.items():
        if contest_id in contests and bike_id in found:
            ledger.unsaved_seats[card_id] = _build_card(contests[contest_id], found[bike_id])


def create_card(book: OperationContext, contest_id: UUID, bike_id: UUID) -> UUID:
    """Start the card of a bike, unless it is there. From the first card on, options and slots are frozen.

    The contest's row stays locked until the operation ends, so this comes before any card is locked. The card itself
    is written with everything else that the operation writes.

    Returns:
        The bike whose card it is: that itself, or the one it was merged into.

    Raises:
        NotYet: there is no such contest or bike, or they are of different events.
        Withdrawn: the bike's registration was undone.
    """
    ready = book.unit_of_work.unsaved_seats.get(derive_card_id(contest_id, bike_id))
    if ready is not None:
        _add_new_card(book, ready)
        return bike_id
    contest = _lock_contests(pk=contest_id).get(contest_id)
    bike = Bike.objects.select_related("merged_into").filter(pk=bike_id).first()
    if contest is None or bike is None or bike.event_id != contest.event_id:
        if bike is None and was_withdrawn(book.actor.event_id, bike_id):
            raise BikeWithdrawn(bike_id)
        raise UnknownTarget(bike_id)
    owner = bike.merged_into or bike
    card_id = derive_card_id(contest_id, owner.pk)
    if card_id not in book.unit_of_work.seats and not Scorecard.objects.filter(pk=card_id).exists():
        _add_new_card(book, _build_card(contest, owner))
    return owner.pk


def _lock_contests(**wanted: Any) -> dict[UUID, Contest]:
    """Lock the contests that fit, so that nobody else starts cards in them.

    Whoever closes a contest holds its row, so a new card knows whether it starts sealed; whoever merges bikes holds
    it, so no card appears behind their back. Rows that only point to the contest may be written meanwhile; waiting for
    them while they wait for a card would be a deadlock.
    """
    contests = Contest.objects.select_for_update(no_key=True).filter(**wanted).order_by("pk")
    return {contest.pk: contest for contest in contests}


def _build_card(contest: Contest, bike: Bike) -> Seat:
    """Return the seat of a new card, with its card and chain, not saved."""
    card_id = derive_card_id(contest.pk, bike.pk)
    sealed = contest.status != Contest.Status.OPEN
    chain = Chain(id=card_id, event_id=contest.event_id, kind=Chain.Kind.CARD, is_sealed=sealed)
    return Seat(card=Scorecard(id=card_id, chain=chain, contest=contest), contest=contest, bike=bike)


def _add_new_card(book: OperationContext, seat: Seat) -> None:
    book.create_card(seat)
    if seat.contest.frozen_at is None:
        book.after_insert(partial(_freeze_contest, seat.contest))


def _freeze_contest(contest: Contest) -> None:
    if contest.frozen_at is None:
        contest.frozen_at = timezone.now()
        contest.save(update_fields=["frozen_at"])


def append_to_card(book: OperationContext, card: CardState, kind: str, **what: Any) -> CardState:
    """Append an entry to a card and return the card as it stands then; its projection and standings follow.

    Args:
        what: the entry's actions, slot, dice set and data, as `Book.append` takes them.
    """
    numbers = () if card.chain.length else (card.bike,)
    entry = book.append(card.chain, kind, rules=card.contest.rules_digest, numbers=numbers, **what)
    turns = apply_entry(card.turns, entry)
    after = replace(card, turns=turns, fold=fold_incremental(card.contest, card.turns, card.fold, turns))
    book.cache_state(card.id, after)
    _update_turn_rows(book, card, after)
    book.mark_stale(card.contest.id, card.id)
    return after


def _update_turn_rows(book: OperationContext, before: CardState, after: CardState) -> None:
    """Bring the card's `Turn` rows up to what stands now, touching only those that changed."""
    standing = {turn.id: turn for turn in after.turns.values() if turn.id in after.fold.results}
    moved = [
        turn.id
        for turn in before.turns.values()
        if turn.id not in standing or standing[turn.id].slot_id != turn.slot_id
    ]
    rows = [
        make_turn_row(after.id, turn, after.fold)
        for turn in standing.values()
        if before.turns.get(turn.id) != turn or before.fold.results.get(turn.id) != after.fold.results[turn.id]
    ]
    book.update_turns(moved, rows)


def make_turn_row(card_id: UUID, turn: RecordedTurn, fold: CardFold) -> Turn:
    """Return the row of a turn that counts, not saved."""
    played, origin = fold.results[turn.id], turn.origin
    assert origin is not None, "only turns that are in the log are kept"
    assert turn.slot_id is not None, "a retirement is not played"
    return Turn(
        id=turn.id,
        card_id=card_id,
        slot_id=turn.slot_id,
        seq=turn.seq,
        line=played.line,
        points=played.points,
        dice=list(played.dice),
        how=played.how,
        dice_set_id=origin.dice_set_id,
        actor_id=origin.actor_id,
        recorded_at=origin.recorded_at,
    )


def _lock_seat(book: OperationContext, card_id: UUID, dice_set_id: UUID | None) -> Seat | None:
    """Read the card's seat, bike and chain in one statement that locks the chain; None where nothing is written to it.

    The dice are looked up in the same statement. What the transaction holds already is not read again.
    """
    ledger = book.unit_of_work
    if card_id not in ledger.seats and card_id not in ledger.unsaved_seats:
        found = _LOCKED_SEAT_QUERY.fetch(card=card_id, dice_set=dice_set_id or NO_DICE_SET, event=book.actor.event_id)
        ledger.add_locked_seats(found)
        if dice_set_id is not None and any(seat.has_dice_set for seat in found):  # type: ignore[attr-defined]
            ledger.dice_sets.add(dice_set_id)
    return ledger.seats.get(card_id)


def _list_locked_seats(card: UUID, dice_set: UUID, event: UUID) -> QuerySet[Seat]:
    dice_sets = DiceSet.objects.filter(pk=dice_set, group__event_id=event)
    seats = _filter_writable_seats().filter(card_id=card).annotate(has_dice_set=Exists(dice_sets))
    return seats.select_for_update(of=("card__chain",))


def _filter_writable_seats() -> QuerySet[Seat]:
    """Return the first seats of cards that may be written to, with what stands beside them.

    That a bike was merged is asked of the chain and not of the bike: of what it waited for the database reads the
    locked row anew, and what is joined to it as it was before.
    """
    return Seat.objects.filter(index=0, card__chain__is_alias=False).select_related("card__chain", "bike")


def _get_own_contest(book: OperationContext, contest_id: UUID) -> ContestRules:
    contest = get_contest_rules(contest_id)
    if contest.event_id != book.actor.event_id:
        raise NotAllowed(contest_id)
    if contest.ruleset.game.recorded_by != "turn":
        raise UnknownTarget(contest_id)  # its cards are at tables
    return contest


# Asked for every roll.
_LOCKED_SEAT_QUERY = CompiledQuery(
    _list_locked_seats, {"card": UUID(int=1), "dice_set": UUID(int=2), "event": UUID(int=3)}
)
