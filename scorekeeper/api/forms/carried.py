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

from scorekeeper.api.forms.operations import MOST, BadFrame, show_name
from scorekeeper.api.parsing import read_json
from scorekeeper.crew.keys import is_signed
from scorekeeper.crew.models import Device
from scorekeeper.crew.selectors import get_origins
from scorekeeper.events.models import Event
from scorekeeper.offline.forms.operations import read_operation
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.selectors.quarantine import count_received_since
from scorekeeper.scorecards.services.batch import Sent
from scorekeeper.scorecards.services.recording import RecordingError

ENVELOPE = {"device", "operations_json", "signature"}
SIGNED = {"device", "sequence", "noted", "operation"}
LONGEST_TEXT = 100_000  # characters
LAST = 2**53 - 1  # as far as a browser counts
MOST_QUARANTINED = 500  # of one phone: more than anybody holds, and no flood for the organiser

UNREADABLE = gettext_lazy("This cannot be read.")
FORGED = gettext_lazy("This is not as the phone it was noted on has signed it. Ask whoever noted it to send it.")
NO_KEY = gettext_lazy("The phone it was noted on has not told its key yet. Keep it and send it again.")
KEYLESS = gettext_lazy(
    "The phone it was noted on is signed out and has never told its key, so nobody can tell whose note this is."
)
STRANGER = gettext_lazy("It was not noted on a phone of this ride.")
TOO_MANY = gettext_lazy(
    "The phone it was recorded on was signed out, and too many of its entries are with the organiser already. Keep it "
    "and ask for a new link."
)


@dataclass(frozen=True)
class Untaken:
    """An envelope of which nothing is recorded.

    Attributes:
        name: the id of its operation, to be answered by; None where it tells none.
        outcome: what became of it.
        message: why, in a sentence.
    """

    name: str | None
    outcome: str
    message: str | Promise


@dataclass(frozen=True)
class Readable:
    """An envelope whose operation can be recorded.

    Attributes:
        place: where it stands in the request.
        name: the id of its operation.
        origin: the phone it was noted on.
        sequence: its place among what that phone noted.
        result: what can be recorded.
    """

    place: int
    name: str
    origin: Device
    sequence: int
    result: Sent


@dataclass(frozen=True)
class Unreadable:
    """An envelope that is its origin's, with an operation that nobody can read.

    Attributes:
        name: the id of its operation, or None.
        error: what is wrong with it.
    """

    name: str | None
    error: RecordingError


Envelope = Readable | Unreadable | Untaken


@dataclass(frozen=True)
class _Text:
    """The parts of an envelope, not checked yet."""

    device: UUID
    signed: str
    signature: str
    said: Mapping[str, Any]


def read_carried(event: Event, data: object) -> list[Envelope]:
    """Read the body of a request.

    Args:
        event: the carrier's.

    Raises:
        BadFrame: it is not an object with a list of at most 500 envelopes.
    """
    if not isinstance(data, dict) or data.keys() != {"carried"} or not isinstance(data["carried"], list):
        raise BadFrame(_("Send an object with the field “carried”, which is a list."))
    if len(data["carried"]) > MOST:
        words = {"count": len(data["carried"]), "most": MOST}
        raise BadFrame(_("These are %(count)s operations; send at most %(most)s at once, the oldest first.") % words)
    texts = [_read_text(one) for one in data["carried"]]
    origins = get_origins(event, (one.device for one in texts if one is not None))
    flooding = {key for key, origin in origins.items() if _is_flooding(origin)}
    return [_open(place, one, origins, flooding) for place, one in enumerate(texts)]


def _is_flooding(origin: Device) -> bool:
    """Whether a phone that has ended has sent so many entries since that nobody could review more."""
    if origin.is_trusted():
        return False
    since = count_received_since(origin.member.group.event_id, origin.pk, origin.ended_at)
    return since >= MOST_QUARANTINED


def list_in_order(envelopes: Sequence[Envelope]) -> list[Readable]:
    """Return those that can be recorded: of each phone in the order in which it noted them, else as they were sent."""
    readable = [one for one in envelopes if isinstance(one, Readable)]
    noted: dict[UUID, list[Readable]] = defaultdict(list)
    for one in sorted(readable, key=lambda one: one.sequence):
        noted[one.origin.pk].append(one)
    ahead = {phone: iter(some) for phone, some in noted.items()}
    return [next(ahead[one.origin.pk]) for one in readable]


def _read_text(data: object) -> _Text | None:
    if not isinstance(data, dict) or data.keys() != ENVELOPE or not all(isinstance(one, str) for one in data.values()):
        return None
    if len(data["operations_json"]) > LONGEST_TEXT:
        return None
    try:
        device, said = UUID(data["device"]), read_json(data["operations_json"])
    except ValueError:
        return None
    if not isinstance(said, dict) or said.keys() != SIGNED or not isinstance(said["noted"], str):
        return None
    if type(said["sequence"]) is not int or not 0 <= said["sequence"] <= LAST:
        return None
    return _Text(device, data["operations_json"], data["signature"], said)


def _open(place: int, text: _Text | None, origins: Mapping[UUID, Device], flooding: Container[UUID]) -> Envelope:
    if text is None:
        return Untaken(None, "unreadable", UNREADABLE)
    name, origin = show_name(text.said["operation"]), origins.get(text.device)
    if origin is None:
        return Untaken(name, "not_yours", STRANGER)
    if not origin.public_key:
        return Untaken(name, "not_yet", NO_KEY) if origin.is_valid() else Untaken(name, "not_yours", KEYLESS)
    is_its_own = text.said["device"] == str(origin.pk)
    if not is_its_own or not is_signed(text.signed, text.signature, origin.public_key):
        return Untaken(name, "forged", FORGED)
    if origin.pk in flooding:
        return Untaken(name, "not_yours", TOO_MANY)
    # A phone that signed out by itself is trusted: that tells nothing about whose entries these are.
    actor = replace(Actor.of_device(origin), needs_review=not origin.is_trusted())
    try:
        result = read_operation(actor, text.said["operation"])
    except RecordingError as error:
        return Unreadable(name, error)
    assert name is not None, "it was read by it"
    return Readable(place, name, origin, text.said["sequence"], result)
