"""What was corrected about who is in which class: who, when, from what to what, and why. For organisers."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.ledger.models import Entry, OperationReason
from scorekeeper.players.models import EventClass, Player
from scorekeeper.players.selectors import format_entrant, format_riders, list_bikes_with_people
from scorekeeper.scorecards.fold import ENTRY_READ_ERRORS


class ClassCorrection(NamedTuple):
    """A correction of one bike or person.

    Attributes:
        subject: "Bike 57 (Ann, Bo)", or the name of a person.
        before, after: the names of the classes.
        actor: who corrected it; "" once the name was erased.
        reason: "" once it was erased.
    """

    at: dt.datetime
    subject: str
    before: Sequence[str]
    after: Sequence[str]
    actor: str
    reason: str


def list_class_corrections(event: Event) -> list[ClassCorrection]:
    """Return the corrections of an event, the last one first, in a fixed number of statements."""
    entries = list(Entry.objects.filter(chain_id=event.pk, kind="set_classes").order_by("-seq"))
    if not entries:
        return []
    names = {str(pk): name for pk, name in EventClass.objects.filter(event=event).values_list("pk", "name")}
    subjects = _name_subjects(event)
    reasons = dict(
        OperationReason.objects.filter(operation__in=[entry.operation_id for entry in entries]).values_list(
            "pk", "text"
        )
    )
    bodies = [(entry, body) for entry in entries if (body := _read(entry)) is not None]
    actors = list_actor_names(event, {UUID(str(body["actor"])) for _entry, body in bodies})
    found = []
    for entry, body in bodies:
        actor, reason = actors.get(UUID(str(body["actor"])), ""), reasons.get(entry.operation_id, "")
        for change in body["data"]["changes"]:
            subject = subjects.get(change.get("bike") or change["player"], _("No longer on the roster"))
            before, after = (_name_classes(change[key], names) for key in ("from", "to"))
            found.append(ClassCorrection(entry.at, subject, before, after, actor, reason))
    return found


def _read(entry: Entry) -> Mapping[str, Mapping[str, Sequence[Mapping[str, str]]]] | None:
    try:
        body: Mapping[str, Mapping[str, Sequence[Mapping[str, str]]]] = json.loads(entry.body)
    except ENTRY_READ_ERRORS:
        return None  # `manage.py verify` reports it
    return body


def _name_subjects(event: Event) -> Mapping[str, str]:
    bikes = {str(bike.pk): format_entrant(bike.label, format_riders(bike)) for bike in list_bikes_with_people(event)}
    return {**bikes, **{str(pk): name for pk, name in Player.objects.filter(event=event).values_list("pk", "name")}}


def _name_classes(ids: Sequence[str], names: Mapping[str, str]) -> list[str]:
    return [names.get(class_id, _("a class that was deleted")) for class_id in ids]
