"""Asking workers to send what is due.

Invariants:
- What is due is in the database. A Celery message only hints at it: the sweeper asks again for whatever was lost.
- A batch is for one push service, which has at most `MAX_BATCHES` of the worker's threads at a time, and one while it
  fails.
- The sweeper and all workers load this module, and not the libraries that encrypt, which take 9 MB in each of them.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scorekeeper.common.dispatch import after_commit
from scorekeeper.push.contact import get_subject
from scorekeeper.push.models import PushKey, PushSubscription
from scorekeeper.push.selectors import list_due

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
    # One batch finds out whether a service works again.
    failing = {receiver for receiver, _pk, _asked_at, tries in rows if tries}
    free = Counter({row[0]: BATCH_SIZE * (1 if row[0] in failing else MAX_BATCHES) for row in rows})
    due: dict[str, list[UUID]] = {}
    for receiver, pk, asked_at, _tries in rows:
        if asked_at is not None and asked_at > now - ASK_INTERVAL:
            free[receiver] -= 1
        else:
            due.setdefault(receiver, []).append(pk)
    for receiver, ids in due.items():
        asked = ids[: max(0, free[receiver])]
        for start in range(0, len(asked), BATCH_SIZE):
            _ask_worker(asked[start : start + BATCH_SIZE], now)


def release_claims(subscription_ids: Sequence[str]) -> None:
    """Release what a worker had claimed that has died. Its attempt counts as failed."""
    PushSubscription.objects.filter(pk__in=subscription_ids).update(claimed_at=None)


def _ask_worker(subscription_ids: Sequence[UUID], now: dt.datetime) -> None:
    with transaction.atomic():
        PushSubscription.objects.filter(pk__in=subscription_ids).update(asked_at=now)
        after_commit("push.send", subscription_ids=[str(pk) for pk in subscription_ids])
