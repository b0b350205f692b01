"""Parsing of a batch of operations.

The body is parsed as a whole, and each operation separately, so that an invalid operation does not affect the others.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from scorekeeper.api.forms.operation_parser import parse_operation
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.canonical import is_storable_text
from scorekeeper.ledger.services.batch import BatchOperation
from scorekeeper.ledger.services.recording import RecordingError

MAX_OPERATIONS = 500  # per request
MAX_ID_LENGTH = 64  # a longer id is not repeated in the response


BATCH_FIELDS = {"operations", "report"}
REPORT_FIELDS = {"unsent", "attention"}
MAX_REPORTED = 1_000_000  # entries of one phone: more than anyone ever records


class MalformedBatch(Exception):
    """The body is not a batch of operations; the text says why."""


@dataclass(frozen=True)
class BatchItem:
    """A parsed operation, or the error.

    Attributes:
        sent_id: its id as it was sent, for the response.
        result: the operation to record, or why it cannot be recorded.
    """

    sent_id: str | None
    result: BatchOperation | RecordingError


@dataclass(frozen=True)
class QueueReport:
    """How many entries a phone has, apart from the operations in the request.

    Attributes:
        unsent: entries that are not sent yet.
        attention: entries that were not accepted and need the user's attention.
    """

    unsent: int
    attention: int


@dataclass(frozen=True)
class OperationBatch:
    """The body of a request; the report is None if the phone does not send one."""

    items: list[BatchItem]
    report: QueueReport | None


def parse_batch(actor: Actor, data: object) -> OperationBatch:
    """Parse the body of a request.

    Raises:
        MalformedBatch: it is not an object with a list of at most 500 operations and, optionally, a report of two whole
            numbers.
    """
    if not isinstance(data, dict) or not isinstance(data.get("operations"), list) or data.keys() - BATCH_FIELDS:
        raise MalformedBatch(_("Send an object with the field “operations”, which is a list, and optionally “report”."))
    operations = data["operations"]
    if len(operations) > MAX_OPERATIONS:
        words = {"count": len(operations), "most": MAX_OPERATIONS}
        raise MalformedBatch(_("You sent %(count)s operations. Send at most %(most)s at once, oldest first.") % words)
    report = _parse_report(data["report"]) if "report" in data else None
    return OperationBatch([_parse_item(actor, operation) for operation in operations], report)


def _parse_report(data: object) -> QueueReport:
    if not isinstance(data, dict) or data.keys() != REPORT_FIELDS:
        raise MalformedBatch(_("The field “report” must be an object with two fields, “unsent” and “attention”."))
    if any(type(count) is not int or not 0 <= count <= MAX_REPORTED for count in data.values()):
        raise MalformedBatch(_("“unsent” and “attention” must be whole numbers, 0 or more."))
    return QueueReport(**data)


def get_sent_id(data: object) -> str | None:
    """Return the id of an operation as it was sent; None if the response cannot repeat it."""
    sent_id = data.get("id") if isinstance(data, dict) else None
    is_repeatable = isinstance(sent_id, str) and len(sent_id) <= MAX_ID_LENGTH and is_storable_text(sent_id)
    return sent_id if is_repeatable else None


def _parse_item(actor: Actor, data: object) -> BatchItem:
    sent_id = get_sent_id(data)
    try:
        return BatchItem(sent_id, parse_operation(actor, data))
    except RecordingError as error:
        return BatchItem(sent_id, error)
