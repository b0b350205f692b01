"""Recording: the frame around every operation, so that it counts once or not at all.

The handler works on a book of locked chains, and what it wrote and the operation's row are committed together. The
operation's primary key decides what counts: a copy, whether it comes a day later or in the same instant, fails to
insert its row, is rolled back, and reads the receipt of the one that is there. The same id with another body is
refused. Nothing is looked up beforehand, since nearly every operation is new.

An id is its actor's own. Whoever carries another's operations knows their ids and may send something under one of them
first; the owner's is then recorded all the same, under an id that is worked out from the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from django.core.exceptions import BadRequest
from django.db import IntegrityError, transaction

from games.core.problems import Problem
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.canonical import is_storable
from scorekeeper.scorecards.models import Operation
from scorekeeper.scorecards.operation_body import matches_operation
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.operation_context import OperationContext
from scorekeeper.scorecards.services.unit_of_work import UnitOfWork


class RecordingError(Exception):
    """An operation that cannot be taken in at all, and so leaves no trace."""


class IdReused(RecordingError):
    """The actor has sent an operation with another body under this id."""


class UnknownTarget(RecordingError):
    """The operation names a card, bike or slot that is not known here yet; it may be sent again later."""


class BikeWithdrawn(RecordingError):
    """The registration of the bike was undone, so what was entered for it has no card."""


class NotAllowed(RecordingError):
    """The actor may not write there, or record operations of this kind."""


class MalformedOperation(RecordingError, BadRequest):
    """What was sent cannot be kept or contradicts itself. No page of ours sends such; sending it again is no use."""


class ReasonRequired(RecordingError):
    """The operation is taken with a reason only."""


@dataclass(frozen=True)
class OperationResult:
    """What a handler decided: the outcome, and for one that was not recorded, why."""

    outcome: Operation.Outcome
    problems: tuple[Problem | Mapping[str, Any], ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)


RECORDED = OperationResult(Operation.Outcome.RECORDED)
MERGED = OperationResult(Operation.Outcome.MERGED)

Handler = Callable[[OperationContext], OperationResult]


@dataclass(frozen=True)
class Submission:
    """One operation, ready to be taken in.

    Attributes:
        operation_id: made by the client; the same for every copy it sends.
        kind: what the operation does.
        body: what was sent, as plain data; with the id it tells a copy from another operation. Its words (see `sent`)
            are not kept with it: the reason is the note, and the handler puts names where they belong.
        handle: locks, judges and appends; it may be called twice.
        note: the reason given, if any.
        card_id: the one card it adds to, if it touches nothing else; such operations can be recorded together.
        dice_set_id: the dice it names.
        card_of: the contest and the bike whose card that is; None for one that no operation may start.
    """

    operation_id: UUID
    kind: str
    actor: Actor
    body: Mapping[str, Any]
    handle: Handler
    reason: str = ""
    card_id: UUID | None = None
    dice_set_id: UUID | None = None
    card_key: tuple[UUID, UUID] | None = None

    def validate(self) -> None:
        """Raise `Unreadable` where it cannot be kept."""
        # Ids of version 5 are those of turns that the log itself named; nobody else may claim one.
        if self.operation_id.version == 5 or not is_storable(self.body):
            raise MalformedOperation(self.operation_id)

    def belongs_to_another_actor(self, known: Operation) -> bool:
        """Whether the id was taken by somebody else."""
        return known.actor_id != self.actor.id

    def with_own_id(self) -> Submission:
        """Return the same under an id that nobody else can take, for where somebody else has taken its own."""
        return replace(self, operation_id=derive_own_id(self.actor, self.operation_id))

    def get_duplicate_receipt(self, known: Operation) -> Receipt:
        """Return the receipt of the operation of this actor that has the id already.

        Raises:
            OtherBody: it is another one.
        """
        if not matches_operation(known, self.kind, self.actor.id, self.body):
            raise IdReused(self.operation_id)
        return Receipt.from_data(known.receipt)

    def execute(self, ledger: UnitOfWork) -> Receipt:
        """Judge it and hand what it writes to the ledger; if it cannot be taken in, the ledger is as it was.

        Raises:
            NotYours: operations of this kind are not the actor's to record. A copy of one that once was is answered
                before it comes here.
        """
        if not self.actor.can_record(self.kind):
            raise NotAllowed(self.operation_id)
        book = OperationContext(ledger, self.operation_id, self.kind, self.actor, self.body, self.reason)
        try:
            verdict = self.handle(book)
        except Exception:
            book.rollback()
            raise
        return book.finish(verdict.outcome, verdict.problems, verdict.data)


def record(
    operation_id: UUID, kind: str, actor: Actor, body: Mapping[str, Any], handle: Handler, note: str = ""
) -> Receipt:
    """Take in one operation; see `Submission` for the arguments and `submit` for what is raised."""
    return submit(Submission(operation_id, kind, actor, body, handle, note))


def submit(submission: Submission) -> Receipt:
    """Take in one operation, in one transaction.

    Raises:
        Unreadable: the body cannot be kept.
        OtherBody: the actor has sent another body under the id.
        NotYours: the kind is not the actor's to record; like `NotYet` also raised by the handler. Nothing was written.
    """
    submission.validate()
    return _record(submission)


def derive_own_id(actor: Actor, sent_id: UUID) -> UUID:
    """Return the id under which something of an actor is kept where another has taken the id it was sent under."""
    return uuid5(NAMESPACE_URL, f"{sent_id}/of/{actor.id}")


def _record(submission: Submission) -> Receipt:
    try:
        return _attempt(submission)
    except (IntegrityError, RecordingError) as error:
        known = Operation.objects.filter(pk=submission.operation_id).first()
        if known is not None and submission.belongs_to_another_actor(known):
            return _record(submission.with_own_id())
        if known is not None:
            return submission.get_duplicate_receipt(known)
        if isinstance(error, RecordingError):
            raise
    # Not a copy: somebody took the same number or the like in the same instant. Now it can be seen, and judged.
    return _attempt(submission)


def _attempt(submission: Submission) -> Receipt:
    # Durable: a receipt is handed out only for what is committed.
    with transaction.atomic(durable=True):
        ledger = UnitOfWork()
        receipt = submission.execute(ledger)
        ledger.flush()
    ledger.count_operations()
    return receipt


def check_reason(reason: str) -> None:
    """Raise `ReasonNeeded` where nothing is said."""
    if not reason.strip():
        raise ReasonRequired
