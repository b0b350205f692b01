"""Counting the dice of an event: asked for by the page that shows them, done by the worker.

Invariants:
- The count can be repeated at any time, even by two workers at once.
- A message that was lost, or a worker that died, costs time only: the page that waits asks for the task again.
- Entries that arrive while it counts leave the count stale.
"""

from __future__ import annotations

import datetime as dt
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scorekeeper.common.dispatch import after_commit
from scorekeeper.dice.models import DiceAudit
from scorekeeper.dice.selectors.samples import count_unsplit_turns, get_log_length, judge_event_dice
from scorekeeper.events.models import Event

ASK_AGAIN_AFTER = dt.timedelta(seconds=10)


@transaction.atomic
def request_audit(event: Event) -> DiceAudit:
    """Return the last count, and ask for a new one if entries have arrived since."""
    now = timezone.now()
    audit, is_new = DiceAudit.objects.get_or_create(event=event, defaults={"requested_at": now})
    is_due = is_new or now - audit.requested_at > ASK_AGAIN_AFTER
    if is_due and audit.log_length != get_log_length(event):
        DiceAudit.objects.filter(pk=event.pk).update(requested_at=now)
        after_commit("dice.count", event_id=str(event.pk))
    return audit


def count_dice(event_id: UUID) -> None:
    """Count the dice of an event and store what they say; do nothing if the event is gone."""
    event = Event.objects.filter(pk=event_id).first()
    if event is None:
        return
    values = {
        "log_length": get_log_length(event),  # before the entries are read
        "samples": judge_event_dice(event),
        "unsplit_turns": count_unsplit_turns(event),
        "counted_at": timezone.now(),
    }
    # Not `save`: if the event was deleted meanwhile, this row must not come back.
    DiceAudit.objects.filter(pk=event_id).update(**values)
