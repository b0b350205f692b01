"""`POST /api/v1/operations`: records a phone's operations and returns a receipt for each."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from scorekeeper.api import schema
from scorekeeper.api.forms.operation_batch import MalformedBatch, parse_batch
from scorekeeper.api.operation_results import count_unrecorded, serialize_results
from scorekeeper.api.views.phone_view import PhoneView, UnprocessableBatch
from scorekeeper.crew.services.devices import record_phone_report
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.batch import BatchResult, record_batch
from scorekeeper.ledger.services.recording import RecordingError


class OperationsView(PhoneView):
    """Records operations and returns their receipts."""

    @extend_schema(
        operation_id="record_operations",
        request={"application/json": schema.BATCH},
        responses={200: schema.RESULTS, **dict.fromkeys(schema.REFUSALS, schema.ERROR)},
    )
    def post(self, request: Request) -> Response:
        """Record the operations in order, then the phone's report of pending entries, if there is one."""
        device = self.get_recording_phone(request)
        try:
            batch = parse_batch(Actor.from_device(device), request.data)
        except MalformedBatch as bad:
            raise UnprocessableBatch(str(bad)) from None
        readable = [item.result for item in batch.items if not isinstance(item.result, RecordingError)]
        recorded = iter(record_batch(readable))
        results: list[BatchResult] = [
            item.result if isinstance(item.result, RecordingError) else next(recorded) for item in batch.items
        ]
        receipts = serialize_results([item.sent_id for item in batch.items], results)
        if batch.report is not None:
            # Operations that were not recorded are still on the phone, which did not know that when it made the report.
            unsent, attention = count_unrecorded(results)
            record_phone_report(device, batch.report.unsent + unsent, batch.report.attention + attention)
        return Response({"server_time": timezone.now().isoformat(), "receipts": receipts})
