"""Recording an operation, so that it counts once or not at all.

The handler works on an `OperationContext` with locked chains. What it wrote and the operation's row are committed
together.

- The operation's primary key makes it count once. A duplicate, whether a day later or at the same moment, fails to
  insert its row, is rolled back, and gets the stored receipt. Nothing is looked up beforehand, since nearly every
  operation is new.
- The same id with another body is refused.
- An id belongs to its actor. A phone that relays someone else's operations knows their ids, and could send something
  under one of them first. The owner's operation is then still recorded, under an id derived from the id and the actor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol
from uuid import NAMESPACE_URL, UUID, uuid5

from django.core.exceptions import BadRequest
from django.db import IntegrityError, transaction

from games.core.problems import Problem
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.canonical import MAX_CHARACTERS, is_storable
from scorekeeper.ledger.models import Operation
from scorekeeper.ledger.operation_body import matches_operation
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.unit_of_work import UnitOfWork


class RecordingError(Exception):
    """An operation that cannot be recorded at all, and so leaves no trace."""


class IdReused(RecordingError):
    """The actor has sent an operation with another body under this id."""


class UnknownTarget(RecordingError):
    """The operation names a card, bike or slot that does not exist here yet. It may be sent again later."""


class BikeWithdrawn(RecordingError):
    """The registration of the bike was undone, so what was entered for it has no card."""


class NotAllowed(RecordingError):
    """The actor may not write there, or record operations of this kind."""


class MalformedOperation(RecordingError, BadRequest):
    """What was sent cannot be stored or contradicts itself. None of our pages send this; a retry will not help."""


class ReasonRequired(RecordingError):
    """The operation needs a reason."""


@dataclass(frozen=True)
class OperationResult:
    """A handler's decision: the outcome, and for an operation that was not recorded, why."""

    outcome: Operation.Outcome
    problems: tuple[Problem | Mapping[str, Any], ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)


RECORDED = OperationResult(Operation.Outcome.RECORDED)
MERGED = OperationResult(Operation.Outcome.MERGED)

Handler = Callable[[OperationContext], OperationResult]


class BatchTarget(Protocol):
    """The one chain an operation adds to, so that it can be recorded together with others."""

    @property
    def chain_id(self) -> UUID:
        """The chain's id."""

    def lock_all(self, unit_of_work: UnitOfWork, event_id: UUID, targets: Sequence[Any]) -> None:
        """Lock all targets of a batch, this one among them, in an order that is the same for everyone.

        Args:
            targets: of the same class as this one.
        """

    def is_ready(self, unit_of_work: UnitOfWork) -> bool:
        """Whether the chain is locked, or can be created; called after `lock_all`."""


@dataclass(frozen=True)
class Submission:
    """One operation, ready to be recorded.

    Attributes:
        operation_id: made by the client; the same for every duplicate it sends.
        kind: what the operation does.
        body: what was sent, as plain data. Together with the id it tells a duplicate from another operation. Its
            personal fields (see `operation_body`) are not stored with it: the handler stores names where they belong.
        handle: locks, judges and appends; it may be called twice.
        reason: the reason given, if any.
        target: what it adds to, if it touches nothing else. Such operations can be recorded together.
        max_length: how many characters of canonical JSON its body may have.
    """

    operation_id: UUID
    kind: str
    actor: Actor
    body: Mapping[str, Any]
    handle: Handler
    reason: str = ""
    target: BatchTarget | None = None
    max_length: int = MAX_CHARACTERS

    def validate(self) -> None:
        """Raise `MalformedOperation` if it cannot be stored."""
        # Version 5 is reserved for ids that the server derives, such as those of moved turns.
        if self.operation_id.version == 5 or not is_storable(self.body, self.max_length):
            raise MalformedOperation(self.operation_id)

    def belongs_to_another_actor(self, known: Operation) -> bool:
        """Whether someone else has already used the id."""
        return known.actor_id != self.actor.id

    def with_own_id(self) -> Submission:
        """Return the same operation under an id that nobody else can use, for when someone else has used its own."""
        return replace(self, operation_id=derive_own_id(self.actor, self.operation_id))

    def get_duplicate_receipt(self, known: Operation) -> Receipt:
        """Return the receipt of this actor's operation that already has the id.

        Raises:
            IdReused: it is a different operation.
        """
        if not matches_operation(known, self.kind, self.actor.id, self.body):
            raise IdReused(self.operation_id)
        return Receipt.from_data(known.receipt)

    def execute(self, unit_of_work: UnitOfWork) -> Receipt:
        """Judge it and add what it writes to the unit of work, which stays unchanged if the operation fails.

        Raises:
            NotAllowed: the actor may not record operations of this kind. A duplicate of one that was allowed once gets
                its receipt before this check.
        """
        if not self.actor.can_record(self.kind):
            raise NotAllowed(self.operation_id)
        context = OperationContext(unit_of_work, self.operation_id, self.kind, self.actor, self.body, self.reason)
        try:
            result = self.handle(context)
        except Exception:
            context.rollback()
            raise
        return context.finish(result.outcome, result.problems, result.data)


def record(
    operation_id: UUID,
    kind: str,
    actor: Actor,
    body: Mapping[str, Any],
    handle: Handler,
    reason: str = "",
    max_length: int = MAX_CHARACTERS,
) -> Receipt:
    """Record one operation. See `Submission` for the arguments, and `submit` for the exceptions."""
    return submit(Submission(operation_id, kind, actor, body, handle, reason, max_length=max_length))


@dataclass(frozen=True)
class Recorded:
    """What recording an operation returns.

    Attributes:
        states: of the cards that it judged, by id, as it left them; empty for a duplicate.
    """

    receipt: Receipt
    states: Mapping[UUID, object] = field(default_factory=dict)


def submit(submission: Submission) -> Receipt:
    """Record one operation and return its receipt. See `execute`."""
    return execute(submission).receipt


def execute(submission: Submission) -> Recorded:
    """Record one operation, in one transaction. If it raises, nothing was written.

    Raises:
        MalformedOperation: the body cannot be stored.
        IdReused: the actor has sent another body under the id.
        NotAllowed: the actor may not record this kind. Like `UnknownTarget`, the handler may raise it too.
    """
    submission.validate()
    return _record(submission)


def derive_own_id(actor: Actor, sent_id: UUID) -> UUID:
    """Return the id under which something is stored if another actor has already used the id it was sent with."""
    return uuid5(NAMESPACE_URL, f"{sent_id}/of/{actor.id}")


def _record(submission: Submission) -> Recorded:
    try:
        return _attempt(submission)
    except (IntegrityError, RecordingError) as error:
        known = Operation.objects.filter(pk=submission.operation_id).first()
        if known is not None and submission.belongs_to_another_actor(known):
            return _record(submission.with_own_id())
        if known is not None:
            return Recorded(submission.get_duplicate_receipt(known))
        if isinstance(error, RecordingError):
            raise
    # Not a duplicate: someone took the same number or the like at the same moment. That is visible now, so retry.
    return _attempt(submission)


def _attempt(submission: Submission) -> Recorded:
    # Durable: a receipt must only be issued for what is committed.
    with transaction.atomic(durable=True):
        unit_of_work = UnitOfWork()
        receipt = submission.execute(unit_of_work)
        unit_of_work.flush()
    unit_of_work.count_operations()
    return Recorded(receipt, unit_of_work.cached_states)


def check_reason(reason: str) -> None:
    """Raise `ReasonRequired` if the reason is empty."""
    if not reason.strip():
        raise ReasonRequired
