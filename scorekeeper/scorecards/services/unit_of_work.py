"""The ledger: what one transaction holds for its operations, and puts down at its end.

Terms: a chain is *held* once it is locked. What an operation writes is *taken* into the ledger when the operation is
through; nothing of it reaches the database before `write`, which puts everything down in one statement a table, however
many operations there are. A card is *kept open* as it stands after what was taken, so that a later operation of the
same transaction finds it so, and so that its snapshot can be made.

Invariant: what one operation took back, or never finished, is in no ledger.
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
    """The log that is to be read is not written yet: the operation has to have a transaction of its own."""


class Snapshotable(Protocol):
    """A card as it stands after everything that was written to it."""

    def make_snapshot(self) -> str:
        """Return what is kept beside the log."""


@dataclass
class PendingRows:
    """The rows of one operation, or of several.

    Attributes:
        seats: those of new cards, each with its card and chain.
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
        """Add the rows of an operation that is through."""
        self.operations |= other.operations
        self.seats += other.seats
        self.entries += other.entries
        self.reasons += other.reasons
        self.reviews += other.reviews
        self.update_turns(other.deleted_turns, other.turns.values())
        self.stale_cards |= other.stale_cards
        self.after_insert += other.after_insert

    def update_turns(self, gone: Iterable[UUID], turns: Iterable[Turn]) -> None:
        """Have turns deleted, and others put where they stand now."""
        for turn_id in gone:
            self.deleted_turns.add(turn_id)
            self.turns.pop(turn_id, None)
        self.turns |= {turn.pk: turn for turn in turns}


class UnitOfWork:
    """What a transaction holds.

    Attributes:
        chains: those that are locked.
        seats: the first seat of every card that was locked together with it, or started.
        missing: the first seat of every card that does not exist yet and that an operation may start; nobody else can
            start it meanwhile.
        dice_sets: those of the event, of the ones that were named.
        opened: cards that are open, by their chain.
        written: the rows to be put down.
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
        """Take in seats that were read together with their cards' chains, which are locked."""
        for seat in locked:
            self.seats[seat.card_id] = seat
            self.chains[seat.card_id] = seat.card.chain

    def has_card(self, card_id: UUID | None) -> bool:
        """Whether a card is locked, or can be started."""
        return card_id in self.seats or card_id in self.unsaved_seats

    def remove_seat(self, seat: Seat) -> None:
        """Let go of a card that was started for nothing."""
        del self.seats[seat.card_id], self.chains[seat.card_id]
        self.cached_states.pop(seat.card_id, None)

    def list_entries(self, chain_id: UUID) -> list[Entry]:
        """Return the whole log of a chain that is held.

        Raises:
            Unwritten: a part of it lies in this ledger still.
        """
        if any(entry.chain_id == chain_id for entry in self.pending.entries):
            raise EntriesNotWritten(chain_id)
        return list(Entry.objects.filter(chain_id=chain_id).order_by("seq"))

    def flush(self) -> None:
        """Put everything down.

        Raises:
            IntegrityError: an operation's id is there already, among other reasons.
        """
        rows = self.pending
        # The operations come first: a copy fails at their primary key.
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
            # A turn takes the place of one that goes, so that one has to be gone before.
            Turn.objects.filter(pk__in=rows.deleted_turns).delete()
        parts.append(BulkInsert(list(rows.turns.values()), TURN_FIELDS))
        outdated = BulkInsert(list(rows.stale_cards.values()))
        if rows.after_insert:
            insert_rows(*parts)
            for project in rows.after_insert:
                project()
            insert_rows(outdated)
        else:
            insert_rows(*parts, outdated)
        for contest_id in dict.fromkeys(contest_id for contest_id, _card in rows.stale_cards):
            after_commit("standings.follow", contest_id=str(contest_id))

    def count_operations(self) -> None:
        """Have what was written counted, once it is committed."""
        for operation in self.pending.operations.values():
            OPERATIONS.labels(operation.kind, operation.outcome).inc()

    def _build_chain_rows(self) -> BulkInsert:
        """Return the chains that grew, each with what it folds to now, and those that were started."""
        grown = dict.fromkeys(entry.chain_id for entry in self.pending.entries)
        for chain_id in grown:
            opened = self.cached_states.get(chain_id)
            self.chains[chain_id].snapshot = "" if opened is None else opened.make_snapshot()
        started = dict.fromkeys(seat.card_id for seat in self.pending.seats)
        # Those that exist are updated: in one statement, and no longer than an insert of them.
        return BulkInsert([self.chains[chain_id] for chain_id in {**grown, **started}], CHAIN_FIELDS)
