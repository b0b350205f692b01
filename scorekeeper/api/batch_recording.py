"""Recording a batch of operations, whoever sends it: a phone, an app, or an organiser's program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException

from scorekeeper.api.forms.operation_batch import BatchItem, MalformedBatch, QueueReport, parse_batch
from scorekeeper.api.operation_results import ResultData, serialize_results
from scorekeeper.api.serializers.recording import BatchResultsSerializer
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.batch import BatchResult, record_batch
from scorekeeper.ledger.services.recording import RecordingError


class RideNotOpen(APIException):
    """Nothing can be recorded at an event that is not open."""

    status_code = 409
    default_detail = _(
        "The event is not open, so nothing can be recorded. Keep the entries on the phone and send them later."
    )
    default_code = "not_open"


class UnprocessableBatch(APIException):
    """The body is JSON but not a batch of operations."""

    status_code = 422
    default_code = "no_batch"


def report_batch(receipts: Sequence[ResultData]) -> dict[str, Any]:
    """Return the answer to a request with operations, as plain data.

    Args:
        receipts: one for each operation, in the order of the request.
    """
    return BatchResultsSerializer({"server_time": timezone.now(), "receipts": receipts}).data


@dataclass(frozen=True)
class RecordedBatch:
    """What became of a batch; the report is None if none was sent."""

    items: Sequence[BatchItem]
    results: Sequence[BatchResult]
    report: QueueReport | None

    def to_data(self) -> dict[str, Any]:
        """Return a receipt for each operation, in the order of the request."""
        receipts = serialize_results([item.sent_id for item in self.items], self.results)
        return report_batch(receipts)


def record_operations(actor: Actor, data: object) -> RecordedBatch:
    """Record the operations of a request in their order. One that cannot be recorded stops no other.

    Raises:
        UnprocessableBatch: the body is not a batch.
    """
    try:
        batch = parse_batch(actor, data)
    except MalformedBatch as bad:
        raise UnprocessableBatch(str(bad)) from None
    readable = [item.result for item in batch.items if not isinstance(item.result, RecordingError)]
    recorded = iter(record_batch(readable))
    results = [item.result if isinstance(item.result, RecordingError) else next(recorded) for item in batch.items]
    return RecordedBatch(batch.items, results, batch.report)
