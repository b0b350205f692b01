"""The unit of work: what one transaction has locked for its operations, and the rows it writes at its end.

- The rows of an operation are added when the operation is finished. Nothing reaches the database before `flush`, which
  writes everything in one statement per table, however many operations there are.
- Other apps fold rows of their own from the log, their *projections*. They are written with it.
- What a chain folds to after the added operations is *cached*, so that a later operation of the same transaction sees
  it, and so that its snapshot can be made.
- Invariant: rows of an operation that was rolled back or never finished are never added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet

from scorekeeper.common.bulk_insert import BulkInsert, insert_rows
from scorekeeper.common.compiled_query import CompiledQuery
from scorekeeper.common.dispatch import after_commit
from scorekeeper.common.metrics import OPERATIONS
from scorekeeper.ledger.models import Chain, Entry, Operation, OperationReason, ReviewItem, StaleCard

T = TypeVar("T")
# Runs for almost every operation.
_LOCKED_CHAIN_QUERY = CompiledQuery(
    lambda chain: Chain.objects.select_for_update().filter(pk=chain), {"chain": UUID(int=1)}
)
CHAIN_FIELDS = ("length", "head", "is_sealed", "snapshot")


class EntriesNotWritten(Exception):
    """The log to be read is not written yet, so the operation needs its own transaction."""


class Snapshotable(Protocol):
    """What a chain folds to after everything that was written to it."""

    def make_snapshot(self) -> str:
        """Return the snapshot to store beside the log."""


@dataclass
class ProjectionChanges:
    """Changes to a table that is folded from the log.

    Attributes:
        rows: the rows to write, by primary key.
        removed: the primary keys of rows to delete.
        update_fields: the fields to update where a row already exists; without any, that is an error.
    """

    rows: dict[UUID, Model] = field(default_factory=dict)
    removed: set[UUID] = field(default_factory=set)
    update_fields: tuple[str, ...] = ()

    def update(self, removed: Iterable[UUID], rows: Iterable[Model]) -> None:
        """Mark rows for deletion, and others to be written."""
        for key in removed:
            self.removed.add(key)
            self.rows.pop(key, None)
        self.rows |= {row.pk: row for row in rows}


@dataclass
class PendingRows:
    """The rows of one operation, or of several.

    Attributes:
        new_chains: chains to create, even if nothing was written to them.
        projections: by table, in the order in which they are written.
    """

    operations: dict[UUID, Operation] = field(default_factory=dict)
    new_chains: list[Chain] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    reasons: list[OperationReason] = field(default_factory=list)
    reviews: list[ReviewItem] = field(default_factory=list)
    projections: dict[type[Model], ProjectionChanges] = field(default_factory=dict)
    stale_cards: dict[tuple[UUID, UUID | None], StaleCard] = field(default_factory=dict)
    after_insert: list[Callable[[], Any]] = field(default_factory=list)

    def merge(self, other: PendingRows) -> None:
        """Add the rows of a finished operation."""
        self.operations |= other.operations
        self.new_chains += other.new_chains
        self.entries += other.entries
        self.reasons += other.reasons
        self.reviews += other.reviews
        for table, changes in other.projections.items():
            self.update_projection(table, changes.removed, changes.rows.values(), changes.update_fields)
        self.stale_cards |= other.stale_cards
        self.after_insert += other.after_insert

    def update_projection(
        self, table: type[Model], removed: Iterable[UUID], rows: Iterable[Model], update_fields: tuple[str, ...]
    ) -> None:
        """Mark rows of a table for deletion, and others to be written."""
        changes = self.projections.setdefault(table, ProjectionChanges(update_fields=update_fields))
        changes.update(removed, rows)


class UnitOfWork:
    """The locks and the unwritten rows of a transaction.

    Attributes:
        chains: the locked chains.
        cached_states: what the chains fold to.
        pending: the rows to write.
    """

    def __init__(self) -> None:
        self.chains: dict[UUID, Chain] = {}
        self.cached_states: dict[UUID, Snapshotable] = {}
        self.pending = PendingRows()
        self._attached: dict[type[Any], Any] = {}

    def lock_chains(self, ids: Iterable[UUID]) -> None:
        """Lock those of the chains that exist, in the order of their ids."""
        wanted = set(ids) - self.chains.keys()
        locked: Iterable[Chain]
        if len(wanted) == 1:
            locked = _LOCKED_CHAIN_QUERY.fetch(chain=next(iter(wanted)))
        else:
            locked = Chain.objects.select_for_update().filter(pk__in=wanted).order_by("pk")
        self.chains.update({chain.pk: chain for chain in locked})

    def attach(self, make: type[T]) -> T:
        """Return the transaction's one object of a class, made at the first call.

        Other apps keep there what they have read along with the chains.
        """
        if make not in self._attached:
            self._attached[make] = make()
        attached: T = self._attached[make]
        return attached

    def remove_chain(self, chain_id: UUID) -> None:
        """Remove a chain that was created by an operation that is rolled back."""
        del self.chains[chain_id]
        self.cached_states.pop(chain_id, None)

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
            BulkInsert(rows.reasons),
            BulkInsert(rows.reviews),
        ]
        for table, changes in rows.projections.items():
            if changes.removed:
                # A new row may have the place of a deleted one, such as a turn's slot, so delete that first.
                QuerySet(table).filter(pk__in=changes.removed).delete()
            parts.append(BulkInsert(list(changes.rows.values()), changes.update_fields))
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
        started = dict.fromkeys(chain.pk for chain in self.pending.new_chains)
        # Existing chains are updated in the same statement, which takes no longer than inserting them.
        return BulkInsert([self.chains[chain_id] for chain_id in {**grown, **started}], CHAIN_FIELDS)
