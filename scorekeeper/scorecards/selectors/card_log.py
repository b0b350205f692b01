"""What the history of a card of either kind reads: its log, its entries under review, and the names in both."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from uuid import UUID

from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.ledger.models import Entry, Operation, ReviewItem
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.bike_card import BikeCard
from scorekeeper.scorecards.fold import Actions, RecordedTurn, TurnOrigin, list_log_steps
from scorekeeper.scorecards.open_turn import list_sold, list_sold_cards


@dataclass(frozen=True, slots=True)
class HistoryReviewItem:
    """An entry under review, as the history of a card of either kind shows it.

    Attributes:
        description: what was sent, in words; a turn by its stop.
        sentences: what prevented it.
    """

    review_reason: str
    description: str
    actor_name: str
    opened_at: dt.datetime
    sentences: tuple[Sentence, ...] = ()


@dataclass(frozen=True)
class CardLog:
    """The log of a card, in order, and its open review items."""

    entries: Sequence[Entry]
    items: Sequence[ReviewItem]
    actor_names: Mapping[UUID, str]

    def get_actor_name(self, operation: Operation) -> str:
        """Return who sent an operation; "" for someone whose name was erased."""
        return self.actor_names.get(operation.actor_id, "")

    def get_origin(self, origin: TurnOrigin | None) -> tuple[str, dt.datetime | None]:
        """Return who recorded a turn, and when."""
        return ("", None) if origin is None else (self.actor_names.get(origin.actor_id, ""), origin.recorded_at)

    def present_item(self, item: ReviewItem, description: str, sentences: Sequence[Sentence] = ()) -> HistoryReviewItem:
        """Return an entry under review with what was sent, in words, and what prevented it."""
        reason, actor_name = str(ReviewItem.Reason(item.reason).label), self.get_actor_name(item.operation)
        return HistoryReviewItem(reason, description, actor_name, item.opened_at, tuple(sentences))


def read_card_log(event: Event, card_id: UUID) -> CardLog:
    """Return the log of a card, in three statements."""
    entries = list(Entry.objects.filter(chain_id=card_id).select_related("operation__reason").order_by("seq"))
    items = list(ReviewItem.objects.filter(card_id=card_id, settled_at=None).select_related("operation"))
    actors = {entry.operation.actor_id for entry in entries} | {item.operation.actor_id for item in items}
    return CardLog(entries, items, list_actor_names(event, actors))


@dataclass(frozen=True, slots=True)
class Sale:
    """An entry that sold a card after the last turn, or said that no more are bought.

    Attributes:
        cards: the cards that it added.
        before: the actions of the turn before it, which bring it back as it was.
    """

    entry: Entry
    cards: Sequence[Any]
    before: Actions


@dataclass(frozen=True, slots=True)
class TurnLog:
    """What followed the recording of a current turn, as far as it was not undone.

    Attributes:
        correction: the entry that last corrected the turn; None if it is as it was first recorded.
        sales: what was sold since, which is part of the turn; the oldest first.
    """

    correction: Entry | None = None
    sales: tuple[Sale, ...] = ()

    def find_last_sale(self, turn: RecordedTurn) -> Sale | None:
        """Return the last sale if nothing has changed the turn since."""
        return self.sales[-1] if self.sales and self.sales[-1].entry.seq == turn.seq else None


def read_turn_logs(
    entries: Iterable[Entry], turns: Iterable[RecordedTurn], closing_types: Collection[str]
) -> Mapping[UUID, TurnLog]:
    """Return what followed the recording of each turn, by turn.

    Args:
        entries: those of one card, in the order of the chain.
        turns: current turns of the card.
        closing_types: of the game (`Game.closing_types`).
    """
    versions: dict[UUID, list[tuple[RecordedTurn, Entry]]] = {}
    for step in list_log_steps(entries):
        for before, after in step.list_changed():
            if after is None:
                continue
            known = versions.setdefault(after.id, [])
            if before is None and known and known[0][0].origin != after.origin:
                known.clear()
            # A turn that is again as it was before has lost what came since: Undo takes back what was done last.
            is_same = [(old.actions, old.slot_id) == (after.actions, after.slot_id) for old, _entry in known]
            if any(is_same):
                del known[is_same.index(True) + 1 :]
            else:
                known.append((after, step.entry))
    return {turn.id: _make_turn_log(versions.get(turn.id, ()), closing_types) for turn in turns}


def get_turn_log(card: BikeCard, turn: RecordedTurn) -> TurnLog:
    """Return what followed the recording of one turn, in one statement."""
    entries = Entry.objects.filter(chain_id=card.id).select_related("operation").order_by("seq")
    return read_turn_logs(entries, [turn], card.contest.ruleset.game.closing_types)[turn.id]


def _make_turn_log(versions: Sequence[tuple[RecordedTurn, Entry]], closing_types: Collection[str]) -> TurnLog:
    correction, sales = None, []
    for (before, _recorded), (after, entry) in pairwise(versions):
        sold = list_sold(before, after, closing_types)
        if sold is None:
            correction = entry
        else:
            sales.append(Sale(entry, list_sold_cards(sold), before.actions))
    return TurnLog(correction, tuple(sales))


def get_reason(entry: Entry) -> str:
    """Return the reason that was given for an entry; "" for none."""
    return entry.operation.reason.text if hasattr(entry.operation, "reason") else ""
