"""`POST /api/v1/operations`: a phone sends what it has kept, and is told what became of each."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from scorekeeper.api import schema
from scorekeeper.api.forms.operations import BadFrame, read_batch
from scorekeeper.api.views.phones import NoBatch, PhoneView
from scorekeeper.crew.services.devices import note_report
from scorekeeper.offline.answers import count_kept, tell_all
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.services.batch import Answer, record_batch
from scorekeeper.scorecards.services.recording import RecordingError


class Operations(PhoneView):
    """Takes operations and answers each with its receipt."""

    @extend_schema(
        operation_id="record_operations",
        request={"application/json": schema.BATCH},
        responses={200: schema.ANSWER, **dict.fromkeys(schema.REFUSALS, schema.ERROR)},
    )
    def post(self, request: Request) -> Response:
        """Record the operations in their order, then keep what the phone still holds, if it says so."""
        device = self.get_noting_phone(request)
        try:
            batch = read_batch(Actor.of_device(device), request.data)
        except BadFrame as bad:
            raise NoBatch(str(bad)) from None
        readable = [one.result for one in batch.readings if not isinstance(one.result, RecordingError)]
        recorded = iter(record_batch(readable))
        answers: list[Answer] = [
            one.result if isinstance(one.result, RecordingError) else next(recorded) for one in batch.readings
        ]
        receipts = tell_all([one.name for one in batch.readings], answers)
        if batch.report is not None:
            # What was not taken in is still on the phone, which could not know that when it wrote its report.
            unsent, attention = count_kept(answers)
            note_report(device, batch.report.unsent + unsent, batch.report.attention + attention)
        return Response({"server_time": timezone.now().isoformat(), "receipts": receipts})
