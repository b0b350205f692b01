"""The card that an operation adds to, so that a batch can lock all its cards at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from scorekeeper.ledger.services.unit_of_work import UnitOfWork
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.services.cards import lock_cards, prepare_missing_cards
from scorekeeper.scorecards.services.locked_cards import LockedCards


@dataclass(frozen=True)
class CardTarget:
    """The one card an operation adds to (a `BatchTarget`).

    Attributes:
        chain_id: the id of the card and its chain.
        card_key: the ids of the card's contest and bike; None for a card that no operation may create.
        dice_set_id: the dice set the operation names.
    """

    chain_id: UUID
    card_key: tuple[UUID, UUID] | None = None
    dice_set_id: UUID | None = None

    @classmethod
    def of_bike(cls, contest_id: UUID, bike_id: UUID, dice_set_id: UUID | None = None) -> CardTarget:
        """Return the card of a bike, which is created if it does not exist."""
        return cls(derive_card_id(contest_id, bike_id), (contest_id, bike_id), dice_set_id)

    def lock_all(self, unit_of_work: UnitOfWork, event_id: UUID, targets: Sequence[CardTarget]) -> None:
        """Lock the cards in the order of their ids, and prepare those that do not exist."""
        prepare_missing_cards(unit_of_work, event_id, [target.card_key for target in targets if target.card_key])
        dice_sets = [target.dice_set_id for target in targets if target.dice_set_id]
        lock_cards(unit_of_work, event_id, [target.chain_id for target in targets], dice_sets)

    def is_ready(self, unit_of_work: UnitOfWork) -> bool:
        """Whether the card is locked, or can be created."""
        locked = LockedCards.of(unit_of_work)
        return self.chain_id in locked.seats or self.chain_id in locked.unsaved_seats
