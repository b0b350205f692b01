"""`POST /api/v1/operations`: a phone sends what it has kept, and is told what became of each."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from scorekeeper.api import schema
from scorekeeper.api.forms.operation_batch import MalformedBatch, parse_batch
from scorekeeper.api.views.phone_view import PhoneView, UnprocessableBatch
from scorekeeper.crew.services.devices import record_phone_report
from scorekeeper.offline.operation_results import count_unrecorded, serialize_results
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.services.batch import BatchResult, record_batch
from scorekeeper.scorecards.services.recording import RecordingError


class OperationsView(PhoneView):
    """Takes operations and answers each with its receipt."""

    @extend_schema(
        operation_id="record_operations",
        request={"application/json": schema.BATCH},
        responses={200: schema.RESULTS, **dict.fromkeys(schema.REFUSALS, schema.ERROR)},
    )
    def post(self, request: Request) -> Response:
        """Record the operations in their order, then keep what the phone still holds, if it says so."""
        device = self.get_recording_phone(request)
        try:
            batch = parse_batch(Actor.from_device(device), request.data)
        except MalformedBatch as bad:
            raise UnprocessableBatch(str(bad)) from None
        readable = [one.result for one in batch.items if not isinstance(one.result, RecordingError)]
        recorded = iter(record_batch(readable))
        answers: list[BatchResult] = [
            one.result if isinstance(one.result, RecordingError) else next(recorded) for one in batch.items
        ]
        receipts = serialize_results([one.sent_id for one in batch.items], answers)
        if batch.report is not None:
            # What was not taken in is still on the phone, which could not know that when it wrote its report.
            unsent, attention = count_unrecorded(answers)
            record_phone_report(device, batch.report.unsent + unsent, batch.report.attention + attention)
        return Response({"server_time": timezone.now().isoformat(), "receipts": receipts})
