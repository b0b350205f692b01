"""Recording: the frame around every operation, so that it counts once or not at all.

The handler works on a book of locked chains, and what it wrote and the operation's row are committed together. The
operation's primary key decides what counts: a copy, whether it comes a day later or in the same instant, fails to
insert its row, is rolled back, and reads the receipt of the one that is there. The same id with another body is
refused. Nothing is looked up beforehand, since nearly every operation is new.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.core.exceptions import BadRequest
from django.db import IntegrityError, transaction

from games.core.problems import Problem
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.canonical import is_plain
from scorekeeper.scorecards.models import Operation
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.sent import is_copy
from scorekeeper.scorecards.services.book import Book
from scorekeeper.scorecards.services.ledger import Ledger


class RecordingError(Exception):
    """An operation that cannot be taken in at all, and so leaves no trace."""


class OtherBody(RecordingError):
    """The id belongs to an operation with another body."""


class NotYet(RecordingError):
    """The operation names a card, bike or slot that is not known here yet; it may be sent again later."""


class NotYours(RecordingError):
    """The actor may not write there."""


class Unreadable(RecordingError, BadRequest):
    """What was sent cannot be kept or contradicts itself. No page of ours sends such; sending it again is no use."""


class ReasonNeeded(RecordingError):
    """The operation is taken with a reason only."""


@dataclass(frozen=True)
class Verdict:
    """What a handler decided: the outcome, and for one that was not recorded, why."""

    outcome: Operation.Outcome
    problems: tuple[Problem | Mapping[str, Any], ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)


RECORDED = Verdict(Operation.Outcome.RECORDED)
MERGED = Verdict(Operation.Outcome.MERGED)

Handler = Callable[[Book], Verdict]


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
    """

    operation_id: UUID
    kind: str
    actor: Actor
    body: Mapping[str, Any]
    handle: Handler
    note: str = ""
    card_id: UUID | None = None
    dice_set_id: UUID | None = None

    def check(self) -> None:
        """Raise `Unreadable` where it cannot be kept."""
        # Ids of version 5 are those of turns that the log itself named; nobody else may claim one.
        if self.operation_id.version == 5 or not is_plain(self.body):
            raise Unreadable(self.operation_id)

    def answer_copy(self, known: Operation) -> Receipt:
        """Return the receipt of the operation that has the id already.

        Raises:
            OtherBody: it is another one.
        """
        if not is_copy(known, self.kind, self.actor.id, self.body):
            raise OtherBody(self.operation_id)
        return Receipt.from_data(known.receipt)

    def carry_out(self, ledger: Ledger) -> Receipt:
        """Judge it and hand what it writes to the ledger; if it cannot be taken in, the ledger is as it was."""
        book = Book(ledger, self.operation_id, self.kind, self.actor, self.body, self.note)
        try:
            verdict = self.handle(book)
        except Exception:
            book.drop()
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
        OtherBody: the id is known with another body.
        NotYet, NotYours: raised by the handler; nothing was written.
    """
    submission.check()
    try:
        return _attempt(submission)
    except (IntegrityError, RecordingError) as error:
        known = Operation.objects.filter(pk=submission.operation_id).first()
        if known is not None:
            return submission.answer_copy(known)
        if isinstance(error, RecordingError):
            raise
    # Not a copy: somebody took the same number or the like in the same instant. Now it can be seen, and judged.
    return _attempt(submission)


def _attempt(submission: Submission) -> Receipt:
    # Durable: a receipt is handed out only for what is committed.
    with transaction.atomic(durable=True):
        ledger = Ledger()
        receipt = submission.carry_out(ledger)
        ledger.write()
    ledger.count()
    return receipt


def check_reason(reason: str) -> None:
    """Raise `ReasonNeeded` where nothing is said."""
    if not reason.strip():
        raise ReasonNeeded
