"""The unit of work: what one transaction has locked for its operations, and the rows it writes at its end.

- The rows of an operation are added when the operation is finished. Nothing reaches the database before `flush`, which
  writes everything in one statement per table, however many operations there are.
- The state of a card after the added operations is *cached*, so that a later operation of the same transaction sees it,
  and so that its snapshot can be made.
- Invariant: rows of an operation that was rolled back or never finished are never added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

from scorekeeper.common.bulk_insert import BulkInsert, insert_rows
from scorekeeper.common.dispatch import after_commit
from scorekeeper.common.metrics import OPERATIONS
from scorekeeper.scorecards.models import Chain, Entry, Operation, OperationReason, ReviewItem, Seat, StaleCard, Turn

TURN_FIELDS = ("slot", "seq", "line", "points", "dice", "how", "dice_set", "actor_id", "recorded_at")
CHAIN_FIELDS = ("length", "head", "is_sealed", "snapshot")


class EntriesNotWritten(Exception):
    """The log to be read is not written yet, so the operation needs its own transaction."""


class Snapshotable(Protocol):
    """The state of a card after everything that was written to it."""

    def make_snapshot(self) -> str:
        """Return the snapshot to store beside the log."""


@dataclass
class PendingRows:
    """The rows of one operation, or of several.

    Attributes:
        seats: the seats of new cards, each with its card and chain.
    """

    operations: dict[UUID, Operation] = field(default_factory=dict)
    seats: list[Seat] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    reasons: list[OperationReason] = field(default_factory=list)
    reviews: list[ReviewItem] = field(default_factory=list)
    turns: dict[UUID, Turn] = field(default_factory=dict)
    deleted_turns: set[UUID] = field(default_factory=set)
    stale_cards: dict[tuple[UUID, UUID | None], StaleCard] = field(default_factory=dict)
    after_insert: list[Callable[[], Any]] = field(default_factory=list)

    def merge(self, other: PendingRows) -> None:
        """Add the rows of a finished operation."""
        self.operations |= other.operations
        self.seats += other.seats
        self.entries += other.entries
        self.reasons += other.reasons
        self.reviews += other.reviews
        self.update_turns(other.deleted_turns, other.turns.values())
        self.stale_cards |= other.stale_cards
        self.after_insert += other.after_insert

    def update_turns(self, removed: Iterable[UUID], turns: Iterable[Turn]) -> None:
        """Mark turns for deletion, and others to be written."""
        for turn_id in removed:
            self.deleted_turns.add(turn_id)
            self.turns.pop(turn_id, None)
        self.turns |= {turn.pk: turn for turn in turns}


class UnitOfWork:
    """The locks and the unwritten rows of a transaction.

    Attributes:
        chains: the locked chains.
        seats: the first seat of every card that was locked along with it, or created.
        unsaved_seats: the first seat of every card that does not exist yet and that an operation may create. No other
            transaction can create it meanwhile.
        dice_sets: those of the named dice sets that the event has.
        cached_states: the states of cards, by chain.
        pending: the rows to write.
    """

    def __init__(self) -> None:
        self.chains: dict[UUID, Chain] = {}
        self.seats: dict[UUID, Seat] = {}
        self.unsaved_seats: dict[UUID, Seat] = {}
        self.dice_sets: set[UUID] = set()
        self.cached_states: dict[UUID, Snapshotable] = {}
        self.pending = PendingRows()

    def lock_chains(self, ids: Iterable[UUID]) -> None:
        """Lock those of the chains that exist, in the order of their ids."""
        locked = Chain.objects.select_for_update().filter(pk__in=set(ids) - self.chains.keys()).order_by("pk")
        self.chains.update({chain.pk: chain for chain in locked})

    def add_locked_seats(self, locked: Iterable[Seat]) -> None:
        """Add seats that were read along with their cards' chains, which are locked."""
        for seat in locked:
            self.seats[seat.card_id] = seat
            self.chains[seat.card_id] = seat.card.chain

    def has_card(self, card_id: UUID | None) -> bool:
        """Whether a card is locked, or can be created."""
        return card_id in self.seats or card_id in self.unsaved_seats

    def remove_seat(self, seat: Seat) -> None:
        """Remove a card that was created by an operation that is rolled back."""
        del self.seats[seat.card_id], self.chains[seat.card_id]
        self.cached_states.pop(seat.card_id, None)

    def list_entries(self, chain_id: UUID) -> list[Entry]:
        """Return the whole log of a locked chain.

        Raises:
            EntriesNotWritten: part of it is still unwritten in this unit of work.
        """
        if any(entry.chain_id == chain_id for entry in self.pending.entries):
            raise EntriesNotWritten(chain_id)
        return list(Entry.objects.filter(chain_id=chain_id).order_by("seq"))

    def flush(self) -> None:
        """Write everything to the database.

        Raises:
            IntegrityError: an operation's id already exists, among other reasons.
        """
        rows = self.pending
        # The operations come first: a duplicate fails at their primary key.
        parts = [
            BulkInsert(list(rows.operations.values())),
            BulkInsert(rows.entries),
            self._build_chain_rows(),
            BulkInsert([seat.card for seat in rows.seats]),
            BulkInsert(rows.seats),
            BulkInsert(rows.reasons),
            BulkInsert(rows.reviews),
        ]
        if rows.deleted_turns:
            # A new turn may have the slot of a deleted one, so delete that first.
            Turn.objects.filter(pk__in=rows.deleted_turns).delete()
        parts.append(BulkInsert(list(rows.turns.values()), TURN_FIELDS))
        stale_rows = BulkInsert(list(rows.stale_cards.values()))
        if rows.after_insert:
            insert_rows(*parts)
            for project in rows.after_insert:
                project()
            insert_rows(stale_rows)
        else:
            insert_rows(*parts, stale_rows)
        for contest_id in dict.fromkeys(contest_id for contest_id, _card in rows.stale_cards):
            after_commit("standings.follow", contest_id=str(contest_id))

    def count_operations(self) -> None:
        """Count the operations in the metrics, once they are committed."""
        for operation in self.pending.operations.values():
            OPERATIONS.labels(operation.kind, operation.outcome).inc()

    def _build_chain_rows(self) -> BulkInsert:
        """Return the chains that grew, each with its new snapshot, and those that were created."""
        grown = dict.fromkeys(entry.chain_id for entry in self.pending.entries)
        for chain_id in grown:
            state = self.cached_states.get(chain_id)
            self.chains[chain_id].snapshot = "" if state is None else state.make_snapshot()
        started = dict.fromkeys(seat.card_id for seat in self.pending.seats)
        # Existing chains are updated in the same statement, which takes no longer than inserting them.
        return BulkInsert([self.chains[chain_id] for chain_id in {**grown, **started}], CHAIN_FIELDS)
