"""Parsing which messages were read on a phone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.api.forms.operation_batch import MAX_OPERATIONS, MalformedBatch, get_sent_id
from scorekeeper.api.forms.operation_parser import parse_operation
from scorekeeper.api.json_parser import parse_json
from scorekeeper.crew.keys import is_signature_valid
from scorekeeper.crew.models import Device
from scorekeeper.crew.selectors import get_relayed_devices
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.batch import BatchOperation
from scorekeeper.ledger.services.recording import RecordingError
from scorekeeper.scorecards.selectors.quarantine import count_received_since

ENVELOPE_FIELDS = {"device", "operations_json", "signature"}
SIGNED_FIELDS = {"device", "sequence", "noted", "operation"}
MAX_TEXT_LENGTH = 300_000  # characters; a correction of 1,000 actions takes about 150,000
MAX_SEQUENCE = 2**53 - 1  # the largest safe integer in JavaScript
MAX_QUARANTINED = 500  # for one phone: more than anyone records, but not too many for the organiser to review
UNREADABLE = gettext_lazy("This cannot be read.")
FORGED = gettext_lazy(
    "This entry does not match the signature of the phone it was recorded on. Ask the "
    "person who recorded it to send it."
)
NO_KEY = gettext_lazy(
    "The phone it was recorded on has not registered its key yet. Keep the entry and send it again later."
)
SIGNED_OUT_WITHOUT_KEY = gettext_lazy(
    "The phone it was recorded on is signed out and never registered its key, so we cannot tell whose entry this is."
)
NOT_OPEN = gettext_lazy("The event it was recorded for is not open yet. Keep the entry and send it again later.")
UNKNOWN_PHONE = gettext_lazy("It was not recorded on a phone of this event.")
QUARANTINE_FULL = gettext_lazy(
    "The phone it was recorded on was signed out, and too many of its entries are already under review. Keep "
    "it and ask for a new link."
)
MAX_MESSAGES = 500


@dataclass(frozen=True)
class RejectedEnvelope:
    """An envelope whose operation is not recorded.

    Attributes:
        sent_id: the id of its operation, for the response; None if it has none.
        outcome: the outcome to return.
        message: the reason, in a sentence.
    """

    sent_id: str | None
    outcome: str
    message: str | Promise


@dataclass(frozen=True)
class ReadableEnvelope:
    """An envelope whose operation can be recorded.

    Attributes:
        position: its index in the request.
        sent_id: the id of its operation.
        origin: the phone it was recorded on.
        sequence: its position among that phone's operations.
        result: the operation to record.
    """

    position: int
    sent_id: str
    origin: Device
    sequence: int
    result: BatchOperation


@dataclass(frozen=True)
class UnreadableEnvelope:
    """An envelope with a valid signature, whose operation cannot be parsed.

    Attributes:
        sent_id: the id of its operation, or None.
        error: what is wrong with it.
    """

    sent_id: str | None
    error: RecordingError


Envelope = ReadableEnvelope | UnreadableEnvelope | RejectedEnvelope


@dataclass(frozen=True)
class _SignedText:
    """The fields of an envelope, before the signature is checked."""

    device: UUID
    text: str
    signature: str
    content: Mapping[str, Any]


def parse_envelopes(event: Event, data: object) -> list[Envelope]:
    """Parse the body of a request.

    Args:
        event: the event of the relaying phone.

    Raises:
        MalformedBatch: it is not an object with a list of at most 500 envelopes.
    """
    if not isinstance(data, dict) or data.keys() != {"carried"} or not isinstance(data["carried"], list):
        raise MalformedBatch(_("Send an object with the field “carried”, which is a list."))
    if len(data["carried"]) > MAX_OPERATIONS:
        words = {"count": len(data["carried"]), "most": MAX_OPERATIONS}
        raise MalformedBatch(_("You sent %(count)s operations. Send at most %(most)s at once, oldest first.") % words)
    texts = [_parse_signed_text(envelope) for envelope in data["carried"]]
    origins = get_relayed_devices(event, (text.device for text in texts if text is not None))
    full = {key for key, origin in origins.items() if _has_full_quarantine(origin)}
    return [_check_envelope(position, text, origins, full) for position, text in enumerate(texts)]


def _has_full_quarantine(origin: Device) -> bool:
    """Return whether a phone has sent the maximum number of entries for review since its access ended."""
    if origin.is_trusted():
        return False
    since = count_received_since(origin.member.group.event_id, origin.pk, origin.ended_at)
    return since >= MAX_QUARANTINED


def sort_by_sequence(envelopes: Sequence[Envelope]) -> list[ReadableEnvelope]:
    """Return the readable envelopes: each phone's in its recording order, else in the request's order."""
    readable = [envelope for envelope in envelopes if isinstance(envelope, ReadableEnvelope)]
    by_phone: dict[UUID, list[ReadableEnvelope]] = defaultdict(list)
    for envelope in sorted(readable, key=lambda envelope: envelope.sequence):
        by_phone[envelope.origin.pk].append(envelope)
    queues = {phone: iter(sorted_envelopes) for phone, sorted_envelopes in by_phone.items()}
    return [next(queues[envelope.origin.pk]) for envelope in readable]


def _parse_signed_text(data: object) -> _SignedText | None:
    if (
        not isinstance(data, dict)
        or data.keys() != ENVELOPE_FIELDS
        or not all(isinstance(value, str) for value in data.values())
    ):
        return None
    if len(data["operations_json"]) > MAX_TEXT_LENGTH:
        return None
    try:
        device, content = UUID(data["device"]), parse_json(data["operations_json"])
    except ValueError:
        return None
    if not isinstance(content, dict) or content.keys() != SIGNED_FIELDS or not isinstance(content["noted"], str):
        return None
    if type(content["sequence"]) is not int or not 0 <= content["sequence"] <= MAX_SEQUENCE:
        return None
    return _SignedText(device, data["operations_json"], data["signature"], content)


def _check_envelope(
    position: int, text: _SignedText | None, origins: Mapping[UUID, Device], full: Container[UUID]
) -> Envelope:
    if text is None:
        return RejectedEnvelope(None, "unreadable", UNREADABLE)
    sent_id, origin = get_sent_id(text.content["operation"]), origins.get(text.device)
    if origin is None:
        return RejectedEnvelope(sent_id, "not_yours", UNKNOWN_PHONE)
    if not origin.public_key:
        return (
            RejectedEnvelope(sent_id, "not_yet", NO_KEY)
            if origin.is_valid()
            else RejectedEnvelope(sent_id, "not_yours", SIGNED_OUT_WITHOUT_KEY)
        )
    is_its_own = text.content["device"] == str(origin.pk)
    if not is_its_own or not is_signature_valid(text.text, text.signature, origin.public_key):
        return RejectedEnvelope(sent_id, "forged", FORGED)
    if origin.pk in full:
        return RejectedEnvelope(sent_id, "not_yours", QUARANTINE_FULL)
    if not origin.member.group.event.is_open:  # a phone in the practice of a draft relays for the ride
        return RejectedEnvelope(sent_id, "not_yet", NOT_OPEN)
    # A phone that signed itself out is still trusted: signing out says nothing about whose entries these are.
    actor = replace(Actor.from_device(origin), needs_review=not origin.is_trusted())
    try:
        result = parse_operation(actor, text.content["operation"])
    except RecordingError as error:
        return UnreadableEnvelope(sent_id, error)
    assert sent_id is not None, "a parsed operation has an id"
    return ReadableEnvelope(position, sent_id, origin, text.content["sequence"], result)


class MalformedMessageIds(Exception):
    """The data are not ids of messages."""


def parse_message_ids(data: object) -> Collection[UUID]:
    """Return the ids in `{"messages": [id, …]}`.

    Raises:
        MalformedMessageIds: the data are anything else, or there are too many.
    """
    if not isinstance(data, dict) or data.keys() != {"messages"} or not isinstance(data["messages"], list):
        raise MalformedMessageIds
    ids = data["messages"]
    if len(ids) > MAX_MESSAGES or not all(isinstance(each, str) for each in ids):
        raise MalformedMessageIds
    try:
        return {UUID(each) for each in ids}
    except ValueError:
        raise MalformedMessageIds from None
