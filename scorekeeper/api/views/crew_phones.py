"""Views of the API: a phone's operations and those that it relays, its key, and which messages were read on it.

All take JSON from a phone and answer JSON. Their URLs are `/api/v1/operations`, `/api/v1/carried`, `/api/v1/key` and
`/api/v1/messages-read`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from scorekeeper.api import schema
from scorekeeper.api.authentication import (
    DeviceCookieAuthentication,
    is_by_bearer,
    refuse_as_json,
    serialize_phone_error,
)
from scorekeeper.api.batch_recording import RideNotOpen, UnprocessableBatch, record_operations, report_batch
from scorekeeper.api.etags import compare_when_rendered
from scorekeeper.api.examples import list_operation_examples, list_receipt_examples
from scorekeeper.api.forms.envelopes import (
    MAX_MESSAGES,
    Envelope,
    MalformedMessageIds,
    ReadableEnvelope,
    RejectedEnvelope,
    UnreadableEnvelope,
    parse_envelopes,
    parse_message_ids,
    sort_by_sequence,
)
from scorekeeper.api.forms.operation_batch import MalformedBatch
from scorekeeper.api.json_parser import StrictJsonParser
from scorekeeper.api.operation_results import count_unrecorded, make_receipt_problem, serialize_results
from scorekeeper.api.serializers.recording import BatchResultsSerializer, PhoneSerializer, RegisteredKeySerializer
from scorekeeper.common.access_control import refuse_with
from scorekeeper.common.cookies import get_cookie_name
from scorekeeper.crew.access import DEVICE_HEADER, OTHER_DEVICE_COOKIE
from scorekeeper.crew.keys import InvalidPhoneKey, check_key
from scorekeeper.crew.models import Device
from scorekeeper.crew.services.devices import DeviceKeyMismatch, record_phone_report, reduce_unsent, register_key
from scorekeeper.crew.services.messages import record_messages_read
from scorekeeper.crew.services.phone_memory import MEMORY_HEADER
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.phone_contact import record_phone_contact
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.batch import BatchResult, record_batch


class DeviceNotNamed(APIException):
    """The phone is a device of a ride and of its practice, and does not say which of the two the entries are from."""

    status_code = 409
    default_detail = _("This phone is in an event and in its practice. Load the page again to send its entries.")
    default_code = "device_not_named"


class PhoneView(APIView):
    """Receives JSON from a crew phone and returns JSON that is not cached."""

    authentication_classes: tuple[type[DeviceCookieAuthentication], ...] = (DeviceCookieAuthentication,)
    permission_classes = ()
    parser_classes = (StrictJsonParser,)
    renderer_classes = (JSONRenderer,)

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view. Refusals are JSON as well."""
        return refuse_with(refuse_as_json)(super().as_view(**initkwargs))

    def get_phone(self, request: Request) -> Device:
        """Return the requesting phone, with its member, group and event."""
        device = request.auth
        assert isinstance(device, Device), "the guard has checked the device"
        return device

    def get_recording_phone(self, request: Request) -> Device:
        """Return the requesting phone.

        Raises:
            RideNotOpen: nothing can be recorded at its event now.
        """
        device = self.get_phone(request)
        if not device.member.group.event.is_open:
            raise RideNotOpen
        return device

    def handle_exception(self, exc: Exception) -> Response:
        """Return errors as problem details, and as apps from before those read them."""
        response = super().handle_exception(exc)
        if isinstance(exc, APIException):
            response.data = serialize_phone_error(exc)
        return response

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        """Keep the response out of every cache. What is read has an ETag, for apps that keep it themselves."""
        response = super().finalize_response(request, response, *args, **kwargs)
        response.headers["Cache-Control"] = "private, no-store"
        patch_vary_headers(response, ["Authorization"])
        compare_when_rendered(request, response)
        return response


class OperationsView(PhoneView):
    """Records a phone's operations and returns a receipt for each."""

    @extend_schema(
        operation_id="record_operations",
        tags=["Phones"],
        examples=[*list_operation_examples(), *list_receipt_examples()],
        request={"application/json": schema.BATCH},
        responses={200: BatchResultsSerializer, **schema.describe_phone_refusals(*schema.REFUSALS)},
    )
    def post(self, request: Request) -> Response:
        """Record the operations in order, then the phone's report of pending entries, if there is one."""
        # A walk-up bike names no event, so it would go wherever the phone is by now.
        has_two = bool(request.COOKIES.get(get_cookie_name(OTHER_DEVICE_COOKIE))) and not is_by_bearer(request)
        if has_two and DEVICE_HEADER not in request.headers:
            raise DeviceNotNamed
        device = self.get_phone(request)
        record_phone_contact(device, request.headers.get(MEMORY_HEADER, ""))
        self.get_recording_phone(request)
        recorded = record_operations(Actor.from_device(device), request.data)
        if recorded.report is not None:
            # Operations that were not recorded are still on the phone, which did not know that when it made the report.
            unsent, attention = count_unrecorded(recorded.results)
            record_phone_report(device, recorded.report.unsent + unsent, recorded.report.attention + attention)
        return Response(recorded.to_data())


class InvalidKey(APIException):
    """The body is JSON but not a key."""

    status_code = 422
    default_detail = _("Send an object with the field “public_key”: a point on P-256, as SPKI in base64url.")
    default_code = "no_key"


class KeyAlreadyRegistered(APIException):
    """The device has registered another key; a key cannot be replaced."""

    status_code = 409
    default_detail = _(
        "This phone registered a different key before and seems to have lost it. Ask the organiser for a new "
        "link. Entries on the phone are kept and will be sent."
    )
    default_code = "other_key"


class KeyView(PhoneView):
    """The public key with which a phone's signatures are verified. `GET` reads it, `POST` registers it."""

    @extend_schema(
        operation_id="read_key",
        tags=["Phones"],
        responses={200: RegisteredKeySerializer, **schema.describe_phone_refusals(401, 403, 410)},
    )
    def get(self, request: Request) -> Response:
        """Return the device id and its key, "" if none is registered. A phone asks before it registers one."""
        device = self.get_phone(request)
        return Response({"device": str(device.pk), "public_key": device.public_key})

    @extend_schema(
        operation_id="register_key",
        tags=["Phones"],
        request={"application/json": schema.KEY},
        responses={200: PhoneSerializer, **schema.describe_phone_refusals(*schema.REFUSALS)},
    )
    def post(self, request: Request) -> Response:
        """Store the key, whether or not the ride is open; return the device id."""
        device = self.get_phone(request)
        key = self._parse_key(request.data)
        try:
            register_key(device, key)
        except DeviceKeyMismatch:
            raise KeyAlreadyRegistered from None
        return Response({"device": str(device.pk)})

    def _parse_key(self, data: object) -> str:
        if not isinstance(data, dict) or data.keys() != {"public_key"} or not isinstance(data["public_key"], str):
            raise InvalidKey
        key: str = data["public_key"]
        try:
            check_key(key)
        except InvalidPhoneKey:
            raise InvalidKey from None
        return key


class InvalidMessageIds(APIException):
    """The body is JSON but not a list of messages."""

    status_code = 422
    default_detail = _("Send an object with the field “messages”: the ids of at most %(most)s messages.") % {
        "most": MAX_MESSAGES
    }
    default_code = "no_messages"


class MessagesReadView(PhoneView):
    """Stores which of the organiser's messages were read on a phone.

    A phone may send the same again, and messages that are not for it are ignored.
    """

    @extend_schema(
        operation_id="record_messages_read",
        tags=["Phones"],
        request={"application/json": schema.MESSAGES_READ},
        responses={200: PhoneSerializer, **schema.describe_phone_refusals(*schema.REFUSALS)},
    )
    def post(self, request: Request) -> Response:
        """Store them, whether or not the ride is open; return the device id."""
        device = self.get_phone(request)
        try:
            message_ids = parse_message_ids(request.data)
        except MalformedMessageIds:
            raise InvalidMessageIds from None
        record_messages_read(device, message_ids)
        return Response({"device": str(device.pk)})


class RelayedOperationsView(PhoneView):
    """Records signed operations that a phone relays for others, and returns a receipt for each.

    The signature proves whose they are, so a revoked or expired phone may relay them too; its own operations go to the
    organiser's review. Such a phone may do nothing else.
    """

    @extend_schema(
        operation_id="record_carried_operations",
        tags=["Phones"],
        examples=list_receipt_examples(),
        request={"application/json": schema.RELAYED_BATCH},
        responses={200: BatchResultsSerializer, **schema.describe_phone_refusals(*schema.REFUSALS)},
    )
    def post(self, request: Request) -> Response:
        """Record the operations as their origins', and reduce the origins' numbers of unsent entries."""
        event = self.get_recording_phone(request).member.group.event
        try:
            envelopes = parse_envelopes(event, request.data)
        except MalformedBatch as bad:
            raise UnprocessableBatch(str(bad)) from None
        readable = sort_by_sequence(envelopes)
        results = _record_by_event(readable)
        _count_relayed(readable, results)
        recorded = {envelope.position: result for envelope, result in zip(readable, results, strict=True)}
        return Response(report_batch(_serialize_envelopes(envelopes, recorded)))


def _record_by_event(envelopes: Sequence[ReadableEnvelope]) -> list[BatchResult]:
    """Record each envelope for its origin's event; return the results in the same order."""
    by_event: dict[UUID, list[int]] = defaultdict(list)
    for index, envelope in enumerate(envelopes):
        by_event[envelope.origin.member.group.event_id].append(index)
    results: dict[int, BatchResult] = {}
    for indexes in by_event.values():
        recorded = record_batch([envelopes[index].result for index in indexes])
        results |= dict(zip(indexes, recorded, strict=True))
    return [results[index] for index in range(len(envelopes))]


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
    problem = make_receipt_problem(envelope.outcome, "", None, str(envelope.message), "")
    return {
        "id": envelope.sent_id,
        "outcome": envelope.outcome,
        "entries": [],
        "review": None,
        "problems": [problem],
    }
