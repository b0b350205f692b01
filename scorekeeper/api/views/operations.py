"""`POST /api/v1/operations`: a phone sends what it has kept, and is told what became of each."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from scorekeeper.api import schema
from scorekeeper.api.access import DeviceCookie
from scorekeeper.api.forms.operations import BadFrame, read_batch
from scorekeeper.api.parsing import StrictJsonParser
from scorekeeper.crew.models import Device
from scorekeeper.crew.services.devices import note_report
from scorekeeper.offline.answers import count_kept, tell_all
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.services.batch import Answer, record_batch
from scorekeeper.scorecards.services.recording import RecordingError


class NotOpen(APIException):
    """Nothing is noted at an event that is not open."""

    status_code = 409
    default_detail = _(
        "The ride is not open: nothing can be noted. Keep what is noted on the phone, and send it later."
    )
    default_code = "not_open"


class NoBatch(APIException):
    """The body is JSON, and no batch of operations."""

    status_code = 422
    default_code = "no_batch"


class Operations(APIView):
    """Takes operations and answers each with its receipt."""

    authentication_classes = (DeviceCookie,)
    permission_classes = ()
    parser_classes = (StrictJsonParser,)
    renderer_classes = (JSONRenderer,)

    @extend_schema(
        operation_id="record_operations",
        request={"application/json": schema.BATCH},
        responses={200: schema.ANSWER, **dict.fromkeys(schema.REFUSALS, schema.ERROR)},
    )
    def post(self, request: Request) -> Response:
        """Record the operations in their order, then keep what the phone still holds, if it says so."""
        device = request.auth
        assert isinstance(device, Device), "nobody comes in without"
        if not device.member.group.event.is_open:
            raise NotOpen
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

    def handle_exception(self, exc: Exception) -> Response:
        """Answer what cannot be taken in with a code and a sentence."""
        response = super().handle_exception(exc)
        if isinstance(exc, APIException):
            response.data = {"error": {"code": exc.get_codes(), "message": str(exc.detail)}}
        return response

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        """Keep the answer out of every cache."""
        response.headers["Cache-Control"] = "private, no-store"
        return super().finalize_response(request, response, *args, **kwargs)
