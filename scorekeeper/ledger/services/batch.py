"""Recording a batch: the operations a phone saved while it had no signal, in the order they were entered.

Operations that add to one chain each (their *target*) are recorded *together*: in one transaction, with all their
chains locked at once in the order of their ids, and with one statement per table for all their rows, including new
chains. They use the same handlers as single operations and share one unit of work, so each sees what the earlier ones
did. An operation that fails leaves nothing behind and does not stop the others.

All other operations get a *separate* transaction:

- Other kinds, in their position in the order.
- *Deferred* operations, after the others: those whose target cannot be written to or started, such as the card of a
  merged bike; those that need a log this batch is still writing; those whose id someone else has used; and every later
  operation on the same target.
- Every operation, if the whole transaction fails because of a deadlock or a duplicate arriving at the same moment.

Invariant: each operation gets a result, and the same one as if it had been recorded separately in its position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

import structlog
from django.db import IntegrityError, OperationalError, transaction

from scorekeeper.common.database_errors import get_database_message
from scorekeeper.ledger.models import Operation
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.recording import RecordingError, Submission, submit
from scorekeeper.ledger.services.unit_of_work import EntriesNotWritten, UnitOfWork

log = structlog.get_logger("tailgunner.batch")


@dataclass(frozen=True)
class SeparateTransaction:
    """An operation of a kind that needs its own transaction."""

    record: Callable[[], Receipt]


BatchOperation = Submission | SeparateTransaction
BatchResult = Receipt | RecordingError


def record_batch(sent: Sequence[BatchOperation]) -> list[BatchResult]:
    """Record operations of one event. Return, in the same order, the receipt of each or the error."""
    results: list[BatchResult] = []
    for can_be_together, group in groupby(
        sent, key=lambda operation: isinstance(operation, Submission) and operation.target is not None
    ):
        operations = list(group)
        if can_be_together and len(operations) > 1:
            results += _record_together([operation for operation in operations if isinstance(operation, Submission)])
        else:
            results += map(_record_separately, operations)
    return results


def _record_separately(operation: BatchOperation) -> BatchResult:
    try:
        return operation.record() if isinstance(operation, SeparateTransaction) else submit(operation)
    except RecordingError as error:
        return error


def _record_together(submissions: Sequence[Submission]) -> list[BatchResult]:
    unit_of_work = UnitOfWork()
    try:
        # Durable: a receipt must only be issued for what is committed.
        with transaction.atomic(durable=True):
            results = _execute_together(submissions, unit_of_work)
    except (IntegrityError, OperationalError) as error:
        if isinstance(error, OperationalError):
            log.warning("batch_split", operations=len(submissions), why=get_database_message(error))
        return [_record_separately(submission) for submission in submissions]
    unit_of_work.count_operations()
    return [result or _record_separately(submission) for submission, result in zip(submissions, results, strict=True)]


def _execute_together(submissions: Sequence[Submission], unit_of_work: UnitOfWork) -> list[BatchResult | None]:
    """Judge and write the operations; the result of a deferred one is None."""
    deferred: set[UUID] = set()  # operations and chains
    existing = Operation.objects.in_bulk([submission.operation_id for submission in submissions])
    targets = [submission.target for submission in submissions if submission.target is not None]
    targets[0].lock_all(unit_of_work, submissions[0].actor.event_id, targets)
    results: list[BatchResult | None] = []
    for submission, target in zip(submissions, targets, strict=True):
        ids = {submission.operation_id, target.chain_id}
        result: BatchResult | None = None
        if target.is_ready(unit_of_work) and deferred.isdisjoint(ids):
            result = _execute_one(submission, unit_of_work, existing.get(submission.operation_id))
        if result is None:
            deferred |= ids
        results.append(result)
    unit_of_work.flush()
    return results


def _execute_one(submission: Submission, unit_of_work: UnitOfWork, existing: Operation | None) -> BatchResult | None:
    try:
        submission.validate()
        earlier = existing or unit_of_work.pending.operations.get(submission.operation_id)
        if earlier is None:
            return submission.execute(unit_of_work)
        return None if submission.belongs_to_another_actor(earlier) else submission.get_duplicate_receipt(earlier)
    except RecordingError as error:
        return error
    except EntriesNotWritten:
        return None
