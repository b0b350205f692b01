"""Asking workers to send what is due.

Invariants:
- What is due is in the database. A Celery message only hints at it: the sweeper asks again for whatever was lost.
- A batch is for one push service, which has at most `MAX_BATCHES` of the worker's threads at a time. All services that
  fail or have never taken a message have as many together, and one each: anyone may subscribe with a hundred addresses
  that answer late.
- The sweeper and all workers load this module, and not the libraries that encrypt, which take 9 MB in each of them.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scorekeeper.common.dispatch import after_commit
from scorekeeper.push.contact import get_subject
from scorekeeper.push.models import PushKey, PushSubscription
from scorekeeper.push.selectors import list_due, list_working_receivers

BATCH_SIZE, MAX_BATCHES = 50, 4  # MAX_BATCHES for each push service: half of the worker's threads
ASK_INTERVAL = dt.timedelta(seconds=60)  # before a worker is asked again for the same subscription


def make_first_key() -> None:
    """Make the key of this installation, if there is none. The sweeper runs it."""
    if not PushKey.objects.exists():
        from scorekeeper.push.vapid import ensure_key

        ensure_key()


def ask_for_due_messages() -> None:
    """Ask workers for whatever is due, in batches for each push service. The sweeper runs it."""
    if not get_subject():
        return
    now = timezone.now()
    rows = list(list_due(now).values_list("receiver", "pk", "asked_at", "tries"))
    if not rows:
        return
    working = list_working_receivers() - {receiver for receiver, _pk, _asked_at, tries in rows if tries}
    asked, due = Counter[str](), defaultdict[str, list[UUID]](list)
    for receiver, pk, asked_at, _tries in rows:
        if asked_at is not None and asked_at > now - ASK_INTERVAL:
            asked[receiver] += 1
        else:
            due[receiver].append(pk)
    others = MAX_BATCHES - len(asked.keys() - working)
    for receiver, ids in due.items():
        free = BATCH_SIZE * MAX_BATCHES - asked[receiver]
        if receiver not in working:
            free = BATCH_SIZE if others > 0 and not asked[receiver] else 0
            others -= free > 0
        for start in range(0, min(len(ids), max(0, free)), BATCH_SIZE):
            _ask_worker(ids[start : min(start + BATCH_SIZE, free)], now)


def release_claims(subscription_ids: Sequence[str]) -> None:
    """Release what a worker had claimed that has died. Its attempt counts as failed."""
    PushSubscription.objects.filter(pk__in=subscription_ids).update(claimed_at=None)


def _ask_worker(subscription_ids: Sequence[UUID], now: dt.datetime) -> None:
    with transaction.atomic():
        PushSubscription.objects.filter(pk__in=subscription_ids).update(asked_at=now)
        after_commit("push.send", subscription_ids=[str(pk) for pk in subscription_ids])
