"""Reading a batch of operations.

The frame around them is read as a whole; each operation is read by itself, so that one that nobody can read is answered
so and stops no other.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from scorekeeper.offline.forms.operation_parser import parse_operation
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.canonical import is_storable_text
from scorekeeper.scorecards.services.batch import BatchOperation
from scorekeeper.scorecards.services.recording import RecordingError

MAX_OPERATIONS = 500  # operations of one request
MAX_ID_LENGTH = 64  # characters of an id that is none


BATCH_FIELDS = {"operations", "report"}
REPORT_FIELDS = {"unsent", "attention"}
MAX_REPORTED = 1_000_000  # notes of one phone: more than anybody takes in a life


class MalformedBatch(Exception):
    """The request is no batch of operations; the exception says why."""


@dataclass(frozen=True)
class BatchItem:
    """An operation as far as it could be read.

    Attributes:
        name: its id as it was sent, to be answered by.
        result: what can be recorded, or why nothing can.
    """

    sent_id: str | None
    result: BatchOperation | RecordingError


@dataclass(frozen=True)
class QueueReport:
    """What a phone says it holds beside the operations it sends along.

    Attributes:
        unsent: notes it has yet to send.
        attention: notes that were sent and not taken in, and that somebody has to look at.
    """

    unsent: int
    attention: int


@dataclass(frozen=True)
class OperationBatch:
    """The body of a request; the report is None for a phone that says nothing of what it holds."""

    items: list[BatchItem]
    report: QueueReport | None


def parse_batch(actor: Actor, data: object) -> OperationBatch:
    """Read the body of a request.

    Raises:
        BadFrame: it is not an object with a list of at most 500 operations and, perhaps, a report of two whole numbers.
    """
    if not isinstance(data, dict) or not isinstance(data.get("operations"), list) or data.keys() - BATCH_FIELDS:
        raise MalformedBatch(_("Send an object with the field “operations”, which is a list, and optionally “report”."))
    operations = data["operations"]
    if len(operations) > MAX_OPERATIONS:
        words = {"count": len(operations), "most": MAX_OPERATIONS}
        raise MalformedBatch(_("You sent %(count)s operations. Send at most %(most)s at once, oldest first.") % words)
    report = _parse_report(data["report"]) if "report" in data else None
    return OperationBatch([_parse_item(actor, one) for one in operations], report)


def _parse_report(data: object) -> QueueReport:
    if not isinstance(data, dict) or data.keys() != REPORT_FIELDS:
        raise MalformedBatch(_("The field “report” must be an object with two fields, “unsent” and “attention”."))
    if any(type(held) is not int or not 0 <= held <= MAX_REPORTED for held in data.values()):
        raise MalformedBatch(_("“unsent” and “attention” must be whole numbers, 0 or more."))
    return QueueReport(**data)


def get_sent_id(data: object) -> str | None:
    """Return the id of an operation as it was sent; None where no answer can repeat it."""
    name = data.get("id") if isinstance(data, dict) else None
    return name if isinstance(name, str) and len(name) <= MAX_ID_LENGTH and is_storable_text(name) else None


def _parse_item(actor: Actor, data: object) -> BatchItem:
    shown = get_sent_id(data)
    try:
        return BatchItem(shown, parse_operation(actor, data))
    except RecordingError as error:
        return BatchItem(shown, error)
