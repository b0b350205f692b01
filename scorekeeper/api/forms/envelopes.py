"""Reading what a phone carries for others: operations that their own phones have signed.

Terms: an *envelope* is one operation as its *origin*, the phone it was noted on, has signed it: the exact text, which
nobody has to spell anew to check it. Whoever brings it, it is recorded as its origin's.

The frame is read as a whole and each envelope by itself, so that a bad one is answered so and stops no other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.api.forms.operation_batch import MAX_OPERATIONS, MalformedBatch, get_sent_id
from scorekeeper.api.json_parser import parse_json
from scorekeeper.crew.keys import is_signature_valid
from scorekeeper.crew.models import Device
from scorekeeper.crew.selectors import get_event_devices
from scorekeeper.events.models import Event
from scorekeeper.offline.forms.operation_parser import parse_operation
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.selectors.quarantine import count_received_since
from scorekeeper.scorecards.services.batch import BatchOperation
from scorekeeper.scorecards.services.recording import RecordingError

ENVELOPE_FIELDS = {"device", "operations_json", "signature"}
SIGNED_FIELDS = {"device", "sequence", "noted", "operation"}
MAX_TEXT_LENGTH = 100_000  # characters
MAX_SEQUENCE = 2**53 - 1  # as far as a browser counts
MAX_QUARANTINED = 500  # of one phone: more than anybody holds, and no flood for the organiser

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
UNKNOWN_PHONE = gettext_lazy("It was not recorded on a phone of this ride.")
QUARANTINE_FULL = gettext_lazy(
    "The phone it was recorded on was signed out, and too many of its entries are already under review. Keep "
    "it and ask for a new link."
)


@dataclass(frozen=True)
class RejectedEnvelope:
    """An envelope of which nothing is recorded.

    Attributes:
        name: the id of its operation, to be answered by; None where it tells none.
        outcome: what became of it.
        message: why, in a sentence.
    """

    sent_id: str | None
    outcome: str
    message: str | Promise


@dataclass(frozen=True)
class ReadableEnvelope:
    """An envelope whose operation can be recorded.

    Attributes:
        place: where it stands in the request.
        name: the id of its operation.
        origin: the phone it was noted on.
        sequence: its place among what that phone noted.
        result: what can be recorded.
    """

    position: int
    sent_id: str
    origin: Device
    sequence: int
    result: BatchOperation


@dataclass(frozen=True)
class UnreadableEnvelope:
    """An envelope that is its origin's, with an operation that nobody can read.

    Attributes:
        name: the id of its operation, or None.
        error: what is wrong with it.
    """

    sent_id: str | None
    error: RecordingError


Envelope = ReadableEnvelope | UnreadableEnvelope | RejectedEnvelope


@dataclass(frozen=True)
class _SignedText:
    """The parts of an envelope, not checked yet."""

    device: UUID
    text: str
    signature: str
    content: Mapping[str, Any]


def parse_envelopes(event: Event, data: object) -> list[Envelope]:
    """Read the body of a request.

    Args:
        event: the carrier's.

    Raises:
        BadFrame: it is not an object with a list of at most 500 envelopes.
    """
    if not isinstance(data, dict) or data.keys() != {"carried"} or not isinstance(data["carried"], list):
        raise MalformedBatch(_("Send an object with the field “carried”, which is a list."))
    if len(data["carried"]) > MAX_OPERATIONS:
        words = {"count": len(data["carried"]), "most": MAX_OPERATIONS}
        raise MalformedBatch(_("You sent %(count)s operations. Send at most %(most)s at once, oldest first.") % words)
    texts = [_parse_signed_text(one) for one in data["carried"]]
    origins = get_event_devices(event, (one.device for one in texts if one is not None))
    flooding = {key for key, origin in origins.items() if _has_full_quarantine(origin)}
    return [_check_envelope(place, one, origins, flooding) for place, one in enumerate(texts)]


def _has_full_quarantine(origin: Device) -> bool:
    """Whether a phone that has ended has sent so many entries since that nobody could review more."""
    if origin.is_trusted():
        return False
    since = count_received_since(origin.member.group.event_id, origin.pk, origin.ended_at)
    return since >= MAX_QUARANTINED


def sort_by_sequence(envelopes: Sequence[Envelope]) -> list[ReadableEnvelope]:
    """Return those that can be recorded: of each phone in the order in which it noted them, else as they were sent."""
    readable = [one for one in envelopes if isinstance(one, ReadableEnvelope)]
    noted: dict[UUID, list[ReadableEnvelope]] = defaultdict(list)
    for one in sorted(readable, key=lambda one: one.sequence):
        noted[one.origin.pk].append(one)
    ahead = {phone: iter(some) for phone, some in noted.items()}
    return [next(ahead[one.origin.pk]) for one in readable]


def _parse_signed_text(data: object) -> _SignedText | None:
    if (
        not isinstance(data, dict)
        or data.keys() != ENVELOPE_FIELDS
        or not all(isinstance(one, str) for one in data.values())
    ):
        return None
    if len(data["operations_json"]) > MAX_TEXT_LENGTH:
        return None
    try:
        device, said = UUID(data["device"]), parse_json(data["operations_json"])
    except ValueError:
        return None
    if not isinstance(said, dict) or said.keys() != SIGNED_FIELDS or not isinstance(said["noted"], str):
        return None
    if type(said["sequence"]) is not int or not 0 <= said["sequence"] <= MAX_SEQUENCE:
        return None
    return _SignedText(device, data["operations_json"], data["signature"], said)


def _check_envelope(
    place: int, text: _SignedText | None, origins: Mapping[UUID, Device], flooding: Container[UUID]
) -> Envelope:
    if text is None:
        return RejectedEnvelope(None, "unreadable", UNREADABLE)
    name, origin = get_sent_id(text.content["operation"]), origins.get(text.device)
    if origin is None:
        return RejectedEnvelope(name, "not_yours", UNKNOWN_PHONE)
    if not origin.public_key:
        return (
            RejectedEnvelope(name, "not_yet", NO_KEY)
            if origin.is_valid()
            else RejectedEnvelope(name, "not_yours", SIGNED_OUT_WITHOUT_KEY)
        )
    is_its_own = text.content["device"] == str(origin.pk)
    if not is_its_own or not is_signature_valid(text.text, text.signature, origin.public_key):
        return RejectedEnvelope(name, "forged", FORGED)
    if origin.pk in flooding:
        return RejectedEnvelope(name, "not_yours", QUARANTINE_FULL)
    # A phone that signed out by itself is trusted: that tells nothing about whose entries these are.
    actor = replace(Actor.from_device(origin), needs_review=not origin.is_trusted())
    try:
        result = parse_operation(actor, text.content["operation"])
    except RecordingError as error:
        return UnreadableEnvelope(name, error)
    assert name is not None, "it was read by it"
    return ReadableEnvelope(place, name, origin, text.content["sequence"], result)
