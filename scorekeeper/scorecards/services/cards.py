"""Cards: making a missing one, locking those an operation touches, and keeping the turns that stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists
from django.utils import timezone

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import DiceSet
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.fold import CardFold, NotedTurn, apply_entry, fold_card
from scorekeeper.scorecards.models import Chain, Scorecard, Seat, Turn
from scorekeeper.scorecards.open_card import OpenCard, fold_chain
from scorekeeper.scorecards.played import PlayedContest, card_id_for, get_played_contest
from scorekeeper.scorecards.services.book import Book
from scorekeeper.scorecards.services.recording import NotYet, NotYours


class Damaged(NotYet):
    """The card's log cannot be read to its end. Nothing is judged by half a card; once it is mended, send it again."""


def open_card(book: Book, contest_id: UUID, bike_id: UUID, dice_set_id: UUID | None = None) -> OpenCard:
    """Lock the card of a bike, made if it is missing, and fold it. An alias leads to the bike it was merged into.

    Args:
        dice_set_id: the dice that were named; whether the event has them is looked up on the way.

    Raises:
        NotYet: there is no such contest or bike.
        Damaged: its log cannot be read.
        NotYours: the contest is of another event than the actor's.
    """
    seat = _lock_seat(card_id_for(contest_id, bike_id), _is_at_event(book, dice_set_id))
    if seat is None:
        owner_id = start_card(contest_id, bike_id)
        seat = _lock_seat(card_id_for(contest_id, owner_id), _is_at_event(book, dice_set_id))
        assert seat is not None, "no bike is merged while its contest's row is held"
    bike, chain = seat.bike, seat.card.chain
    assert bike is not None
    contest = _own_contest(book, contest_id)
    book.adopt(chain)
    return _check_whole(fold_chain(contest, chain, bike, dice_set_id if seat.has_dice_set else None))


def open_cards(book: Book, card_ids: Iterable[UUID]) -> dict[UUID, OpenCard]:
    """Lock and fold several cards that exist, in the order of their ids.

    Raises:
        NotYet: one is of a bike that was merged into another, a moment ago.
        Damaged: the log of one cannot be read.
        NotYours: one is of another event than the actor's.
    """
    wanted = set(card_ids)
    chains = book.lock(wanted)
    if any(chains[card_id].is_alias for card_id in wanted if card_id in chains):
        raise NotYet(*wanted)
    opened = {}
    for seat in Seat.objects.filter(card_id__in=wanted).select_related("bike"):
        assert seat.bike is not None
        contest = _own_contest(book, seat.contest_id)
        opened[seat.card_id] = _check_whole(fold_chain(contest, chains[seat.card_id], seat.bike))
    return opened


def _check_whole(card: OpenCard) -> OpenCard:
    if card.damaged_from is not None:
        raise Damaged(card.id)
    return card


def has_dice_set(event_id: UUID, dice_set_id: UUID | None) -> bool:
    """Whether the event has these dice. Their naming is a courtesy: a roll counts without them."""
    return dice_set_id is not None and DiceSet.objects.filter(pk=dice_set_id, group__event_id=event_id).exists()


def check_may_note(actor: Actor, bike: Bike, takes_over: bool) -> None:
    """Raise `NotYours` unless the actor may note this bike.

    Crew note the bikes of their own group and those that have none; a road captain may take over any other's.
    """
    if actor.is_organiser or bike.group_id in (None, actor.group_id) or (takes_over and actor.can_take_over):
        return
    # A phone may not have heard yet that its bike was merged into one of another group's.
    if not Bike.objects.filter(merged_into=bike, group=actor.group_id).exists():
        raise NotYours(bike.pk)


def start_card(contest_id: UUID, bike_id: UUID) -> UUID:
    """Draw up the card of a bike, unless it is there. From the first card on, options and slots are frozen.

    The contest's row stays locked until the operation ends, so this comes before any card is locked.

    Returns:
        The bike whose card it is: that itself, or the one it was merged into.

    Raises:
        NotYet: there is no such contest or bike, or they are of different events.
    """
    with transaction.atomic():
        # Whoever closes the contest holds this row, so a new card knows whether it starts sealed; whoever merges bikes
        # holds it, so no card appears behind its back. Rows that only point to the contest may be written meanwhile;
        # waiting for them while they wait for a card would be a deadlock.
        contest = Contest.objects.select_for_update(no_key=True).filter(pk=contest_id).first()
        bike = Bike.objects.filter(pk=bike_id).first()
        if contest is None or bike is None or bike.event_id != contest.event_id:
            raise NotYet(bike_id)
        owner_id = bike.merged_into_id or bike_id
        card_id = card_id_for(contest_id, owner_id)
        if contest.frozen_at is None:
            contest.frozen_at = timezone.now()
            contest.save(update_fields=["frozen_at"])
        sealed = contest.status != Contest.Status.OPEN
        Chain.objects.bulk_create(
            [Chain(id=card_id, event_id=contest.event_id, kind=Chain.Kind.CARD, is_sealed=sealed)],
            ignore_conflicts=True,
        )
        Scorecard.objects.bulk_create(
            [Scorecard(id=card_id, chain_id=card_id, contest_id=contest_id)], ignore_conflicts=True
        )
        Seat.objects.bulk_create(
            [Seat(card_id=card_id, contest_id=contest_id, bike_id=owner_id)], ignore_conflicts=True
        )
    return owner_id


def append_to_card(book: Book, card: OpenCard, kind: str, **what: Any) -> OpenCard:
    """Append an entry to a card and return the card as it stands then; its projection and standings follow.

    Args:
        what: the entry's actions, slot, dice set and data, as `Book.append` takes them.
    """
    entry = book.append(card.chain, kind, **what)
    turns = apply_entry(card.turns, entry)
    after = replace(card, turns=turns, fold=fold_card(card.contest, turns))
    book.afterwards(lambda: _keep_turns(card, after))
    book.outdate(card.contest.id, card.id)
    return after


def _keep_turns(before: OpenCard, after: OpenCard) -> None:
    """Bring the card's `Turn` rows up to what stands now, touching only those that changed."""
    standing = {turn.id: turn for turn in after.turns.values() if turn.id in after.fold.played}
    moved = [
        turn.id
        for turn in before.turns.values()
        if turn.id not in standing or standing[turn.id].slot_id != turn.slot_id
    ]
    if moved:
        Turn.objects.filter(pk__in=moved).delete()
    rows = [
        _row(after.id, turn, after.fold)
        for turn in standing.values()
        if before.turns.get(turn.id) != turn or before.fold.played.get(turn.id) != after.fold.played[turn.id]
    ]
    if rows:
        Turn.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=["slot", "seq", "line", "points", "dice", "how", "dice_set", "noted_by", "noted_at"],
        )


def _row(card_id: UUID, turn: NotedTurn, fold: CardFold) -> Turn:
    played, origin = fold.played[turn.id], turn.origin
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
        noted_by=origin.noted_by,
        noted_at=origin.noted_at,
    )


def _lock_seat(card_id: UUID, has_dice_set: Exists) -> Any:
    """Read the card's seat, bike and chain in one statement that locks the chain; None where nothing is written to it.

    That a bike was merged is asked of the chain and not of the bike: of what it waited for the database reads the
    locked row anew, and what is joined to it as it was before.
    """
    seats = Seat.objects.filter(card_id=card_id, index=0, card__chain__is_alias=False).annotate(
        has_dice_set=has_dice_set
    )
    return seats.select_related("card__chain", "bike").select_for_update(of=("card__chain",)).first()


def _is_at_event(book: Book, dice_set_id: UUID | None) -> Exists:
    wanted = [] if dice_set_id is None else [dice_set_id]
    return Exists(DiceSet.objects.filter(pk__in=wanted, group__event_id=book.actor.event_id))


def _own_contest(book: Book, contest_id: UUID) -> PlayedContest:
    contest = get_played_contest(contest_id)
    if contest.event_id != book.actor.event_id:
        raise NotYours(contest_id)
    return contest
