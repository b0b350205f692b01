"""A batch: what a phone has kept while it had no signal, recorded in the order in which it was noted.

Operations that add to one card each are recorded *together*: one transaction, all their cards locked at once in the
order of their ids, and one statement a table for whatever they write, new cards included. They go through the same
handlers as single ones, over one ledger, so that a later one finds what an earlier one has left. One that cannot be
taken in leaves nothing behind and stops no other.

What does not fit into that is recorded *alone*, in a transaction of its own: other kinds, at their place in the order;
and *aside*, after the others, an operation whose card cannot be written to or started, as that of a bike that was
merged, or whose judging needs a log that this batch is still writing, with everything that follows on the same card.
Should the whole transaction fail, for a copy arriving in the same instant or a deadlock, all of it is recorded one by
one. Aside goes as well what was sent under an id that somebody else has taken.

Invariant: each operation is answered, and with what recording it alone at its place would have answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

import structlog
from django.db import IntegrityError, OperationalError, transaction

from scorekeeper.common.database_errors import get_database_message
from scorekeeper.scorecards.models import Operation
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.cards import lock_cards, prepare_missing_cards
from scorekeeper.scorecards.services.recording import RecordingError, Submission, submit
from scorekeeper.scorecards.services.unit_of_work import EntriesNotWritten, UnitOfWork

log = structlog.get_logger("tailgunner.batch")


@dataclass(frozen=True)
class SeparateTransaction:
    """An operation of a kind that has a transaction of its own."""

    record: Callable[[], Receipt]


BatchOperation = Submission | SeparateTransaction
BatchResult = Receipt | RecordingError


def record_batch(sent: Sequence[BatchOperation]) -> list[BatchResult]:
    """Record operations of one event and return, in the same order, the receipt of each or why there is none."""
    answers: list[BatchResult] = []
    for can_be_together, run in groupby(sent, key=lambda one: isinstance(one, Submission) and one.card_id is not None):
        some = list(run)
        if can_be_together and len(some) > 1:
            answers += _record_together([one for one in some if isinstance(one, Submission)])
        else:
            answers += map(_record_separately, some)
    return answers


def _record_separately(one: BatchOperation) -> BatchResult:
    try:
        return one.record() if isinstance(one, SeparateTransaction) else submit(one)
    except RecordingError as error:
        return error


def _record_together(run: Sequence[Submission]) -> list[BatchResult]:
    ledger = UnitOfWork()
    try:
        # Durable: a receipt is handed out only for what is committed.
        with transaction.atomic(durable=True):
            answers = _execute_together(run, ledger)
    except (IntegrityError, OperationalError) as error:
        if isinstance(error, OperationalError):
            log.warning("batch_taken_apart", operations=len(run), why=get_database_message(error))
        return [_record_separately(one) for one in run]
    ledger.count_operations()
    return [answer or _record_separately(one) for one, answer in zip(run, answers, strict=True)]


def _execute_together(run: Sequence[Submission], ledger: UnitOfWork) -> list[BatchResult | None]:
    """Judge and write the operations; None stands for one that was put aside."""
    aside: set[UUID] = set()  # operations and cards
    known = Operation.objects.in_bulk([one.operation_id for one in run])
    event_id = run[0].actor.event_id
    prepare_missing_cards(ledger, event_id, [one.card_key for one in run if one.card_key])
    lock_cards(ledger, event_id, _list_card_ids(run), [one.dice_set_id for one in run if one.dice_set_id])
    answers: list[BatchResult | None] = []
    for one in run:
        names = {one.operation_id, one.card_id}
        answer: BatchResult | None = None
        if ledger.has_card(one.card_id) and aside.isdisjoint(names):
            answer = _execute_one(one, ledger, known.get(one.operation_id))
        if answer is None:
            aside |= {name for name in names if name is not None}
        answers.append(answer)
    ledger.flush()
    return answers


def _execute_one(one: Submission, ledger: UnitOfWork, known: Operation | None) -> BatchResult | None:
    try:
        one.validate()
        before = known or ledger.pending.operations.get(one.operation_id)
        if before is None:
            return one.execute(ledger)
        return None if one.belongs_to_another_actor(before) else one.get_duplicate_receipt(before)
    except RecordingError as error:
        return error
    except EntriesNotWritten:
        return None


def _list_card_ids(run: Iterable[Submission]) -> list[UUID]:
    return [one.card_id for one in run if one.card_id is not None]
