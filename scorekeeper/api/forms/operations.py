"""Reading a batch of operations.

The frame around them is read as a whole; each operation is read by itself, so that one that nobody can read is answered
so and stops no other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.forms.kinds import KINDS as CARD_KINDS
from scorekeeper.scorecards.forms.wire import Form, Id, Kind
from scorekeeper.scorecards.services.batch import Sent
from scorekeeper.scorecards.services.recording import RecordingError, Unreadable
from scorekeeper.tables.forms.kinds import KINDS as TABLE_KINDS

MOST = 500  # operations of one request
LONGEST_SHOWN = 64  # characters of an id that is none

KINDS: Mapping[str, Kind] = {**CARD_KINDS, **TABLE_KINDS}
FORMS: Mapping[str, Form] = {name: Form({"id": Id(), **kind.form.fields}) for name, kind in KINDS.items()}


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


def read_batch(actor: Actor, data: object) -> list[Reading]:
    """Read the body of a request.

    Raises:
        BadFrame: it is not an object with a list of at most 500 operations.
    """
    if not isinstance(data, dict) or data.keys() != {"operations"} or not isinstance(data["operations"], list):
        raise BadFrame(_("Send an object with one field, “operations”, which is a list."))
    operations = data["operations"]
    if len(operations) > MOST:
        words = {"count": len(operations), "most": MOST}
        raise BadFrame(_("These are %(count)s operations; send at most %(most)s at once, the oldest first.") % words)
    return [_read_one(actor, one) for one in operations]


def _read_one(actor: Actor, data: object) -> Reading:
    name = data.get("id") if isinstance(data, dict) else None
    shown = name if isinstance(name, str) and len(name) <= LONGEST_SHOWN else None
    try:
        return Reading(shown, _prepare(actor, data))
    except RecordingError as error:
        return Reading(shown, error)


def _prepare(actor: Actor, data: object) -> Sent:
    if not isinstance(data, dict):
        raise Unreadable(_("An operation is an object."))
    fields: dict[str, Any] = dict(data)
    name = fields.pop("kind", None)
    if not isinstance(name, str) or name not in KINDS:
        raise Unreadable(_("The field “kind” takes one of these: %(kinds)s.") % {"kinds": ", ".join(KINDS)})
    values = FORMS[name].read(fields)
    operation_id: UUID = values["id"]
    prepared: Sent = KINDS[name].prepare(actor, operation_id, values)
    return prepared
