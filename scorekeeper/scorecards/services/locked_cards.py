"""What a transaction knows of the cards it has locked, and freezing a contest: its rules stay once it has an entry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from django.utils import timezone

from scorekeeper.events.models import Contest
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import UnknownTarget
from scorekeeper.ledger.services.unit_of_work import UnitOfWork
from scorekeeper.scorecards.models import Scorecard, Seat


class DamagedCard(UnknownTarget):
    """The card's log cannot be read to its end. Nothing is judged by half a card; retry once the log is repaired."""


@dataclass
class LockedCards:
    """What a transaction has read along with the locked chains of its cards.

    Attributes:
        seats: the first seat of every card that was locked along with it, or created.
        unsaved_seats: the first seat of every card that does not exist yet and that an operation may create. No other
            transaction can create it meanwhile.
        dice_sets: those of the named dice sets that the event has.
    """

    seats: dict[UUID, Seat] = field(default_factory=dict)
    unsaved_seats: dict[UUID, Seat] = field(default_factory=dict)
    dice_sets: set[UUID] = field(default_factory=set)

    @classmethod
    def of(cls, unit_of_work: UnitOfWork) -> LockedCards:
        """Return those of a transaction."""
        return unit_of_work.attach(cls)


def add_locked_seats(unit_of_work: UnitOfWork, seats: Iterable[Seat]) -> None:
    """Add seats that were read along with their cards' chains, which are locked."""
    locked = LockedCards.of(unit_of_work)
    for seat in seats:
        locked.seats[seat.card_id] = seat
        unit_of_work.chains[seat.card_id] = seat.card.chain


def create_locked_card(context: OperationContext, seat: Seat) -> None:
    """Create a card with an operation.

    Args:
        seat: its first seat, with the card and its chain, all unsaved.
    """
    seats = LockedCards.of(context.unit_of_work).seats
    seats[seat.card_id] = seat
    context.create_chain(seat.card.chain)
    context.project(seat.card, table=Scorecard)
    context.project(seat, table=Seat)
    context.on_rollback(lambda: seats.pop(seat.card_id))


def freeze_contest(contest: Contest) -> None:
    """Freeze the options and slots of a contest, unless they are frozen already.

    Args:
        contest: locked by this transaction.
    """
    if contest.frozen_at is None:
        contest.frozen_at = timezone.now()
        contest.save(update_fields=["frozen_at"])
