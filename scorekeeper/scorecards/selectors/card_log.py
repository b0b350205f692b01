"""What the history of a card of either kind reads: its log, its entries under review, and the names in both."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.ledger.models import Entry, Operation, ReviewItem
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.fold import TurnOrigin


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


def get_reason(entry: Entry) -> str:
    """Return the reason that was given for an entry; "" for none."""
    return entry.operation.reason.text if hasattr(entry.operation, "reason") else ""
