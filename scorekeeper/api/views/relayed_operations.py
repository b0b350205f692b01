"""`POST /api/v1/carried`: a phone brings what others have noted, and is told what became of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from scorekeeper.api import schema
from scorekeeper.api.forms.envelopes import (
    Envelope,
    ReadableEnvelope,
    RejectedEnvelope,
    UnreadableEnvelope,
    parse_envelopes,
    sort_by_sequence,
)
from scorekeeper.api.forms.operation_batch import MalformedBatch
from scorekeeper.api.views.phone_view import PhoneView, UnprocessableBatch
from scorekeeper.crew.services.devices import reduce_unsent
from scorekeeper.offline.operation_results import serialize_results
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.batch import BatchResult, record_batch


class RelayedOperationsView(PhoneView):
    """Takes signed operations and answers each with its receipt.

    What they are worth is told by the signature, so a phone that was revoked or has expired may bring them too; its own
    go to the organiser. It may do nothing else.
    """

    @extend_schema(
        operation_id="record_carried_operations",
        request={"application/json": schema.RELAYED_BATCH},
        responses={200: schema.RESULTS, **dict.fromkeys(schema.REFUSALS, schema.ERROR)},
    )
    def post(self, request: Request) -> Response:
        """Record the operations as their own phones', and note that these have so many fewer to send."""
        event = self.get_recording_phone(request).member.group.event
        try:
            envelopes = parse_envelopes(event, request.data)
        except MalformedBatch as bad:
            raise UnprocessableBatch(str(bad)) from None
        ahead = sort_by_sequence(envelopes)
        answers = record_batch([one.result for one in ahead])
        _count_relayed(ahead, answers)
        receipts = _serialize_envelopes(
            envelopes, {one.position: answer for one, answer in zip(ahead, answers, strict=True)}
        )
        return Response({"server_time": timezone.now().isoformat(), "receipts": receipts})


def _count_relayed(ahead: Sequence[ReadableEnvelope], answers: Sequence[BatchResult]) -> None:
    # Whoever brings the same in the same instant is answered with copies: one request alone has inserted it.
    pairs = zip(ahead, answers, strict=True)
    new = [one.origin for one, answer in pairs if isinstance(answer, Receipt) and not answer.is_duplicate]
    for origin, count in Counter(new).items():
        reduce_unsent(origin, count)


def _serialize_envelopes(envelopes: Sequence[Envelope], recorded: Mapping[int, BatchResult]) -> list[dict[str, Any]]:
    """Return the answers in the order of the request."""
    names = [one.sent_id for one in envelopes if not isinstance(one, RejectedEnvelope)]
    answers = [
        one.error if isinstance(one, UnreadableEnvelope) else recorded[place]
        for place, one in enumerate(envelopes)
        if not isinstance(one, RejectedEnvelope)
    ]
    told = iter(serialize_results(names, answers))
    return [_serialize_rejected(one) if isinstance(one, RejectedEnvelope) else next(told) for one in envelopes]


def _serialize_rejected(one: RejectedEnvelope) -> dict[str, Any]:
    problem = {"code": one.outcome, "rule": "", "message": str(one.message), "href": ""}
    return {"id": one.sent_id, "outcome": one.outcome, "entries": [], "review": None, "problems": [problem]}
