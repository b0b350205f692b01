"""The context of one operation: the chains it has locked, and the entries it writes to them.

A context is created inside a transaction, on top of that transaction's unit of work. Handlers read the locked chains
and `append` to them. Nothing reaches the unit of work before `finish`; `rollback` discards an operation that failed.
"""

from __future__ import annotations

import datetime as dt
import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Model
from django.utils import timezone

from games.core.problems import Problem
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.ledger.models import (
    Chain,
    Entry,
    Operation,
    OperationReason,
    ReviewItem,
    StaleCard,
    derive_review_chain_id,
)
from scorekeeper.ledger.operation_body import compute_digest, redact
from scorekeeper.ledger.problem_messages import problems_to_data
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.unit_of_work import PendingRows, Snapshotable, UnitOfWork

LOG_VERSION = 1
IDENTITY_VERSION = 2  # of an event's log, from which on the first entry of a chain says what the event is


@dataclass
class EventIdentity:
    """What the first entries of a transaction say about the event, which is read only once."""

    event_id: UUID | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


def make_identity_data(event_id: UUID, is_practice: bool) -> dict[str, Any]:
    """Return what the first entry of a chain says about its event."""
    return {"event": {"id": str(event_id), "practice": is_practice}}


class OperationContext:
    """The log as one operation sees it.

    Attributes:
        unit_of_work: the transaction's unit of work.
        now: the server's time, the same for everything the operation writes.
        reason: the reason given with the operation. Only a salted digest of it enters the chain.
    """

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        operation_id: UUID,
        kind: str,
        actor: Actor,
        body: Mapping[str, Any],
        reason: str = "",
    ):
        self.unit_of_work = unit_of_work
        self.operation_id = operation_id
        self.kind = kind
        self.actor = actor
        self.body = body
        self.reason = reason.strip()
        self.now: dt.datetime = timezone.now()
        self._salt = secrets.token_hex(16)
        self._pending = PendingRows()
        self._undo: list[Callable[[], Any]] = []
        self._chains_before: dict[UUID, tuple[int, str, Snapshotable | None]] = {}
        # The digest of the stored body, so that the operation's row can be checked against every entry it wrote.
        self._body_digest = compute_digest(kind, actor.id, redact(body))

    def lock_chains(self, ids: Iterable[UUID]) -> dict[UUID, Chain]:
        """Lock those of the chains that exist, in the order of their ids. Return all locked chains, by id."""
        self.unit_of_work.lock_chains(ids)
        return self.unit_of_work.chains

    def lock_or_create_chain(self, chain_id: UUID, kind: Chain.Kind) -> Chain:
        """Lock the chain of a contest or an event. Create it if there is none."""
        if chain_id not in self.lock_chains([chain_id]):
            fresh = Chain(id=chain_id, event_id=self.actor.event_id, kind=kind)
            Chain.objects.bulk_create([fresh], ignore_conflicts=True)
            self.lock_chains([chain_id])
        return self.get_chain(chain_id)

    def add_locked(self, chain: Chain) -> None:
        """Add a chain that the caller has locked with its own query."""
        self.unit_of_work.chains[chain.pk] = chain

    def create_chain(self, chain: Chain) -> None:
        """Create a chain with this operation. No other transaction may be able to create it meanwhile."""
        self.unit_of_work.chains[chain.pk] = chain
        self._pending.new_chains.append(chain)

    def get_chain(self, chain_id: UUID) -> Chain:
        """Return a chain that is already locked."""
        return self.unit_of_work.chains[chain_id]

    def append(
        self,
        chain: Chain,
        kind: str,
        *,
        actions: Sequence[Mapping[str, Any]] = (),
        slot_id: UUID | None = None,
        dice_set_id: UUID | None = None,
        data: Mapping[str, Any] | None = None,
        rules: str = "",
        numbers: Iterable[Bike] | None = None,
    ) -> Entry:
        """Append an entry to a locked chain and return it.

        Args:
            kind: what the entry does: record, amend, settle, close …
            actions: as in a transcript; a rule book defines them.
            data: other data of this kind of entry, as plain data with whole numbers only.
            rules: the digest of the rules that a card or contest is played by; only its first entry has it.
            numbers: bikes whose numbers go into the log. From then on, only an operation changes them. An empty list is
                written too: it says that there are none.
        """
        assert chain.pk in self.unit_of_work.chains, "a chain may only be written to while it is locked"
        recorded_at = self.now.astimezone(dt.UTC)
        body = canonical_json(
            {
                "v": LOG_VERSION,
                "chain": str(chain.pk),
                "seq": chain.length + 1,
                "prev": chain.head,
                "op": str(self.operation_id),
                "kind": kind,
                "actions": [dict(action) for action in actions],
                "slot": None if slot_id is None else str(slot_id),
                "dice_set": None if dice_set_id is None else str(dice_set_id),
                "actor": str(self.actor.id),
                "device": None if self.actor.device_id is None else str(self.actor.device_id),
                "at": recorded_at.isoformat(timespec="microseconds"),
                "note": compute_reason_digest(self._salt, self.reason) if self.reason else None,
                "sent": self._body_digest,
                "data": dict(data or {}),
                **({"rules": rules} if rules and chain.length == 0 else {}),
                **(self._describe_event() if chain.length == 0 else {}),
                **(
                    {} if numbers is None else {"bikes": {str(bike.pk): [bike.number, bike.suffix] for bike in numbers}}
                ),
            }
        )
        entry = Entry(
            chain=chain,
            seq=chain.length + 1,
            operation_id=self.operation_id,
            kind=kind,
            slot_id=slot_id,
            body=body,
            hash=sha256(body),
            at=self.now,
        )
        self._chains_before.setdefault(
            chain.pk, (chain.length, chain.head, self.unit_of_work.cached_states.get(chain.pk))
        )
        chain.length, chain.head = entry.seq, entry.hash
        self._pending.entries.append(entry)
        # Callers that know the card's new state cache it again.
        self.unit_of_work.cached_states.pop(chain.pk, None)
        return entry

    def _describe_event(self) -> Mapping[str, Any]:
        """Return what the event is, for the first entry of a chain; nothing where the event's log began without."""
        identity = self.unit_of_work.attach(EventIdentity)
        if identity.event_id != self.actor.event_id:
            is_practice, version = Event.objects.values_list("is_practice", "log_version").get(pk=self.actor.event_id)
            identity.event_id = self.actor.event_id
            identity.data = {} if version < IDENTITY_VERSION else make_identity_data(self.actor.event_id, is_practice)
        return identity.data

    def cache_state(self, chain_id: UUID, state: Snapshotable) -> None:
        """Cache what a chain folds to after everything that was appended to it."""
        self.unit_of_work.cached_states[chain_id] = state

    def mark_stale(self, contest_id: UUID, card_id: UUID | None = None) -> None:
        """Mark the standings of a card, or of a whole contest, as stale."""
        self._pending.stale_cards[contest_id, card_id] = StaleCard(contest_id=contest_id, card_id=card_id)

    def project(
        self, *rows: Model, table: type[Model], removed: Iterable[UUID] = (), update_fields: tuple[str, ...] = ()
    ) -> None:
        """Write rows of a table that is folded from the log, with the log.

        Args:
            rows: the rows to write, with their primary keys.
            removed: the primary keys of rows to delete first.
            update_fields: the fields to update where a row already exists; without any, that is an error.
        """
        self._pending.update_projection(table, removed, rows, update_fields)

    def on_rollback(self, undo: Callable[[], Any]) -> None:
        """Call a function if the operation is rolled back, to undo what it changed in memory."""
        self._undo.append(undo)

    def add_review_item(
        self,
        reason: ReviewItem.Reason,
        contest_id: UUID,
        *,
        card_id: UUID | None = None,
        slot_id: UUID | None = None,
        against: Iterable[UUID] = (),
        problems: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """Send the operation to review instead of writing it to the chain of a card."""
        item = ReviewItem(
            operation_id=self.operation_id,
            contest_id=contest_id,
            card_id=card_id,
            slot_id=slot_id,
            reason=reason,
            against=[str(turn) for turn in against],
            problems=[dict(problem) for problem in problems],
            opened_at=self.now,
        )
        self._pending.reviews = [item]
        self._append_review_entry(item)

    def review_earlier_operation(self, item: ReviewItem) -> None:
        """Send an earlier operation to review, because of what this one does."""
        self.after_insert(lambda: item.save(force_insert=True))
        self._append_review_entry(item, operation=str(item.operation_id))

    def _append_review_entry(self, item: ReviewItem, **extra: str) -> None:
        """Append a review item to the event's review chain.

        That chain is always locked last, after everything else the operation touches, so that no transaction waits for
        a card while it has this lock.
        """
        chain = self.lock_or_create_chain(derive_review_chain_id(self.actor.event_id), Chain.Kind.REVIEW)
        self.append(chain, "review", slot_id=item.slot_id, data={**review_item_to_data(item), **extra})

    def after_insert(self, project: Callable[[], Any]) -> None:
        """Call a function that updates a projection once the entries are written, in the same transaction."""
        self._pending.after_insert.append(project)

    def finish(
        self,
        outcome: Operation.Outcome,
        problems: Sequence[Problem | Mapping[str, Any]] = (),
        data: Mapping[str, Any] | None = None,
    ) -> Receipt:
        """Add everything to the unit of work and return the receipt, which is valid once that is committed."""
        pending = self._pending
        receipt = Receipt(
            self.operation_id,
            outcome,
            tuple({"chain": str(entry.chain_id), "seq": entry.seq, "hash": entry.hash} for entry in pending.entries),
            next((item.pk for item in pending.reviews), None),
            tuple(_problem_to_data(problem) for problem in problems),
            data,
        )
        operation = Operation(
            id=self.operation_id,
            event_id=self.actor.event_id,
            kind=self.kind,
            actor_id=self.actor.id,
            device_id=self.actor.device_id,
            digest=compute_digest(self.kind, self.actor.id, self.body),
            body=redact(self.body),
            outcome=outcome,
            receipt=receipt.to_data(),
            received_at=self.now,
        )
        pending.operations = {operation.pk: operation}
        if self.reason:
            pending.reasons = [OperationReason(operation_id=self.operation_id, salt=self._salt, text=self.reason)]
        self.unit_of_work.pending.merge(pending)
        return receipt

    def rollback(self) -> None:
        """Discard what was created and appended: chains and cached states are as they were before the operation."""
        for chain_id, (length, head, state) in self._chains_before.items():
            chain = self.get_chain(chain_id)
            chain.length, chain.head = length, head
            if state is not None:
                self.unit_of_work.cached_states[chain_id] = state
        for chain in self._pending.new_chains:
            self.unit_of_work.remove_chain(chain.pk)
        for undo in self._undo:
            undo()


def review_item_to_data(item: ReviewItem) -> dict[str, Any]:
    """Return a review item's data for the log. Its problems may be long, so the log only has their digest."""
    return {
        "reason": str(item.reason),
        "contest": str(item.contest_id),
        "card": None if item.card_id is None else str(item.card_id),
        "against": item.against,
        "problems": sha256(canonical_json(item.problems)),
    }


def compute_reason_digest(salt: str, text: str) -> str:
    """Return the digest that a chain has of a reason, or of the name of a witness.

    It can be checked while the text exists, and reveals nothing.
    """
    return sha256(salt + text)


def _problem_to_data(problem: Problem | Mapping[str, Any]) -> Mapping[str, Any]:
    return problems_to_data([problem])[0] if isinstance(problem, Problem) else problem


def parse_entry_body(entry: Entry) -> dict[str, Any]:
    """Return an entry's body as plain data."""
    body: dict[str, Any] = json.loads(entry.body)
    return body
