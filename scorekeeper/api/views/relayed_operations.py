"""`POST /api/v1/carried`: records operations that a phone relays for others, and returns a receipt for each."""

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
from scorekeeper.api.operation_results import serialize_results
from scorekeeper.api.views.phone_view import PhoneView, UnprocessableBatch
from scorekeeper.crew.services.devices import reduce_unsent
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.batch import BatchResult, record_batch


class RelayedOperationsView(PhoneView):
    """Records signed operations and returns their receipts.

    The signature proves whose they are, so a revoked or expired phone may relay them too; its own operations go to the
    organiser's review. Such a phone may do nothing else.
    """

    @extend_schema(
        operation_id="record_carried_operations",
        request={"application/json": schema.RELAYED_BATCH},
        responses={200: schema.RESULTS, **dict.fromkeys(schema.REFUSALS, schema.ERROR)},
    )
    def post(self, request: Request) -> Response:
        """Record the operations as their origins', and reduce the origins' numbers of unsent entries."""
        event = self.get_recording_phone(request).member.group.event
        try:
            envelopes = parse_envelopes(event, request.data)
        except MalformedBatch as bad:
            raise UnprocessableBatch(str(bad)) from None
        readable = sort_by_sequence(envelopes)
        results = record_batch([envelope.result for envelope in readable])
        _count_relayed(readable, results)
        receipts = _serialize_envelopes(
            envelopes, {envelope.position: result for envelope, result in zip(readable, results, strict=True)}
        )
        return Response({"server_time": timezone.now().isoformat(), "receipts": receipts})


def _count_relayed(envelopes: Sequence[ReadableEnvelope], results: Sequence[BatchResult]) -> None:
    # If two phones relay the same envelope at the same time, only one request inserts it; the other gets a duplicate.
    pairs = zip(envelopes, results, strict=True)
    new = [envelope.origin for envelope, result in pairs if isinstance(result, Receipt) and not result.is_duplicate]
    for origin, count in Counter(new).items():
        reduce_unsent(origin, count)


def _serialize_envelopes(envelopes: Sequence[Envelope], recorded: Mapping[int, BatchResult]) -> list[dict[str, Any]]:
    """Return the receipts in the order of the request."""
    sent_ids = [envelope.sent_id for envelope in envelopes if not isinstance(envelope, RejectedEnvelope)]
    results = [
        envelope.error if isinstance(envelope, UnreadableEnvelope) else recorded[position]
        for position, envelope in enumerate(envelopes)
        if not isinstance(envelope, RejectedEnvelope)
    ]
    receipts = iter(serialize_results(sent_ids, results))
    return [
        _serialize_rejected(envelope) if isinstance(envelope, RejectedEnvelope) else next(receipts)
        for envelope in envelopes
    ]


def _serialize_rejected(envelope: RejectedEnvelope) -> dict[str, Any]:
    problem = {"code": envelope.outcome, "rule": "", "message": str(envelope.message), "href": ""}
    return {
        "id": envelope.sent_id,
        "outcome": envelope.outcome,
        "entries": [],
        "review": None,
        "problems": [problem],
    }
