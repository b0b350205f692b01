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
from scorekeeper.api.forms.carried import Envelope, Readable, Unreadable, Untaken, list_in_order, read_carried
from scorekeeper.api.forms.operations import BadFrame
from scorekeeper.api.views.phones import NoBatch, PhoneView
from scorekeeper.crew.services.devices import note_carried
from scorekeeper.offline.answers import tell_all
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.batch import Answer, record_batch


class Carried(PhoneView):
    """Takes signed operations and answers each with its receipt.

    What they are worth is told by the signature, so a phone that was revoked or has expired may bring them too; its own
    go to the organiser. It may do nothing else.
    """

    @extend_schema(
        operation_id="record_carried_operations",
        request={"application/json": schema.CARRIED},
        responses={200: schema.ANSWER, **dict.fromkeys(schema.REFUSALS, schema.ERROR)},
    )
    def post(self, request: Request) -> Response:
        """Record the operations as their own phones', and note that these have so many fewer to send."""
        event = self.get_noting_phone(request).member.group.event
        try:
            envelopes = read_carried(event, request.data)
        except BadFrame as bad:
            raise NoBatch(str(bad)) from None
        ahead = list_in_order(envelopes)
        answers = record_batch([one.result for one in ahead])
        _note_brought(ahead, answers)
        receipts = _tell(envelopes, {one.place: answer for one, answer in zip(ahead, answers, strict=True)})
        return Response({"server_time": timezone.now().isoformat(), "receipts": receipts})


def _note_brought(ahead: Sequence[Readable], answers: Sequence[Answer]) -> None:
    # Whoever brings the same in the same instant is answered with copies: one request alone has inserted it.
    pairs = zip(ahead, answers, strict=True)
    new = [one.origin for one, answer in pairs if isinstance(answer, Receipt) and not answer.is_copy]
    for origin, count in Counter(new).items():
        note_carried(origin, count)


def _tell(envelopes: Sequence[Envelope], recorded: Mapping[int, Answer]) -> list[dict[str, Any]]:
    """Return the answers in the order of the request."""
    names = [one.name for one in envelopes if not isinstance(one, Untaken)]
    answers = [
        one.error if isinstance(one, Unreadable) else recorded[place]
        for place, one in enumerate(envelopes)
        if not isinstance(one, Untaken)
    ]
    told = iter(tell_all(names, answers))
    return [_tell_untaken(one) if isinstance(one, Untaken) else next(told) for one in envelopes]


def _tell_untaken(one: Untaken) -> dict[str, Any]:
    problem = {"code": one.outcome, "rule": "", "message": str(one.message), "href": ""}
    return {"id": one.name, "outcome": one.outcome, "entries": [], "review": None, "problems": [problem]}
