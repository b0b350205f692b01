"""Correcting who is in a class once anything is recorded, with a reason.

- One operation may change several bikes and people. It says what each is to have and had, so equal corrections from two
  pages are one, and one that somebody else has overtaken is refused.
- What it writes into the log is in `scorecards.services.class_changes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import (
    MERGED,
    RECORDED,
    MalformedOperation,
    NotAllowed,
    OperationResult,
    RecordingError,
    check_reason,
    record,
)
from scorekeeper.players.class_members import read_own_classes
from scorekeeper.players.models import EventClass, Player
from scorekeeper.scorecards.services.class_changes import ClassChange, record_class_changes

MAX_CHANGES = 2_000
MAX_BODY = 400 * MAX_CHANGES  # characters: ids of a bike or person, and of a few classes before and after


class ClassesChanged(RecordingError):
    """Somebody else has changed the classes of one of them, or one of them is gone."""


def correct_classes(actor: Actor, operation_id: UUID, changes: Sequence[ClassChange], reason: str) -> Receipt:
    """Change the own classes of bikes and people.

    If all of them already have what they are to have, nothing happens (the outcome is "merged").

    Raises:
        ClassesChanged: one of them has other classes than before, or is not on the roster any more.
        ReasonRequired: there is no reason.
        NotAllowed, IdReused: as for every operation.
    """
    check_reason(reason)
    if len(changes) > MAX_CHANGES or len({change.subject_id for change in changes}) != len(changes):
        raise MalformedOperation(operation_id)
    data = [change.to_data() for change in sorted(changes, key=lambda one: str(one.subject_id))]

    def handle(context: OperationContext) -> OperationResult:
        chain = context.lock_or_create_chain(actor.event_id, Chain.Kind.EVENT)
        contests = list(Contest.objects.select_for_update(no_key=True).filter(event=actor.event_id).order_by("pk"))
        due = _check_changes(actor, changes)
        if not due:
            return MERGED
        record_class_changes(context, chain, contests, due)
        return RECORDED

    body = {"changes": data, "reason": reason}
    return record(operation_id, "set_classes", actor, body, handle, reason, max_length=MAX_BODY)


def _check_changes(actor: Actor, changes: Sequence[ClassChange]) -> list[ClassChange]:
    """Return the changes that are still due.

    Raises:
        NotAllowed: a class belongs to another event.
        ClassesChanged: as for `correct_classes`.
    """
    known = set(EventClass.objects.filter(event=actor.event_id).values_list("pk", flat=True))
    if any(not known.issuperset(change.after) for change in changes):
        raise ClassesChanged
    own = read_own_classes(actor.event_id)
    due = [change for change in changes if own.get(change.subject_id, frozenset()) != change.after]
    if any(own.get(change.subject_id, frozenset()) != change.before for change in due):
        raise ClassesChanged
    bikes = {change.subject_id for change in due if change.column == "bike"}
    people = {change.subject_id for change in due if change.column == "player"}
    there = Bike.objects.filter(pk__in=bikes, event=actor.event_id).count()
    if there + Player.objects.filter(pk__in=people, event=actor.event_id).count() != len(due):
        if Bike.objects.filter(pk__in=bikes).exclude(event=actor.event_id).exists():
            raise NotAllowed(actor.event_id)
        raise ClassesChanged
    return due
