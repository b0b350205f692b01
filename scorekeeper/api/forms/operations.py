"""Reading a batch of operations.

The frame around them is read as a whole; each operation is read by itself, so that one that nobody can read is answered
so and stops no other.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from scorekeeper.offline.forms.operations import read_operation
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.canonical import is_text
from scorekeeper.scorecards.services.batch import Sent
from scorekeeper.scorecards.services.recording import RecordingError

MOST = 500  # operations of one request
LONGEST_SHOWN = 64  # characters of an id that is none


FRAME = {"operations", "report"}
REPORT = {"unsent", "attention"}
MOST_HELD = 1_000_000  # notes of one phone: more than anybody takes in a life


class BadFrame(Exception):
    """The request is no batch of operations; the exception says why."""


@dataclass(frozen=True)
class Reading:
    """An operation as far as it could be read.

    Attributes:
        name: its id as it was sent, to be answered by.
        result: what can be recorded, or why nothing can.
    """

    name: str | None
    result: Sent | RecordingError


@dataclass(frozen=True)
class Report:
    """What a phone says it holds beside the operations it sends along.

    Attributes:
        unsent: notes it has yet to send.
        attention: notes that were sent and not taken in, and that somebody has to look at.
    """

    unsent: int
    attention: int


@dataclass(frozen=True)
class Batch:
    """The body of a request; the report is None for a phone that says nothing of what it holds."""

    readings: list[Reading]
    report: Report | None


def read_batch(actor: Actor, data: object) -> Batch:
    """Read the body of a request.

    Raises:
        BadFrame: it is not an object with a list of at most 500 operations and, perhaps, a report of two whole numbers.
    """
    if not isinstance(data, dict) or not isinstance(data.get("operations"), list) or data.keys() - FRAME:
        raise BadFrame(_("Send an object with the field “operations”, which is a list, and perhaps “report”."))
    operations = data["operations"]
    if len(operations) > MOST:
        words = {"count": len(operations), "most": MOST}
        raise BadFrame(_("These are %(count)s operations; send at most %(most)s at once, the oldest first.") % words)
    report = _read_report(data["report"]) if "report" in data else None
    return Batch([_read_one(actor, one) for one in operations], report)


def _read_report(data: object) -> Report:
    if not isinstance(data, dict) or data.keys() != REPORT:
        raise BadFrame(_("The field “report” is an object with two fields, “unsent” and “attention”."))
    if any(type(held) is not int or not 0 <= held <= MOST_HELD for held in data.values()):
        raise BadFrame(_("“unsent” and “attention” are whole numbers from 0 on."))
    return Report(**data)


def show_name(data: object) -> str | None:
    """Return the id of an operation as it was sent; None where no answer can repeat it."""
    name = data.get("id") if isinstance(data, dict) else None
    return name if isinstance(name, str) and len(name) <= LONGEST_SHOWN and is_text(name) else None


def _read_one(actor: Actor, data: object) -> Reading:
    shown = show_name(data)
    try:
        return Reading(shown, read_operation(actor, data))
    except RecordingError as error:
        return Reading(shown, error)
