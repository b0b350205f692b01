"""When the workers of each queue last did something, for `/readyz` and `/metrics`.

The sweeper sends a message through each queue every minute, and the worker that takes it says so in the database. So an
idle worker answers too, and an answer proves that the whole way works: sweeper, broker, worker and database. A worker
that is busy answers once its task is done.

Invariants:
- All times are the database's, as for the sweeper: no machine's clock decides anything.
- A message that was not answered is sent again only after `ASK_AGAIN_AFTER`, so a queue without workers does not fill.
- Nothing depends on an answer.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from prometheus_client.core import CounterMetricFamily

from scorekeeper.common.dispatch import after_commit
from scorekeeper.common.models import WorkerHeartbeat

ASK_SECONDS = 60  # between two messages
ASK_AGAIN_AFTER = dt.timedelta(minutes=10)
MAX_AGE = dt.timedelta(seconds=3 * ASK_SECONDS)  # of an answer, where tasks are short


def list_queues() -> Sequence[str]:
    """Return the names of the queues, each of which has workers of its own."""
    return [queue.name for queue in settings.CELERY_TASK_QUEUES]


def get_task_name(queue: str) -> str:
    """Return the name of the task that the workers of a queue answer by; `config.broker` routes it."""
    return f"common.heartbeat_{queue}"


def ask_workers() -> None:
    """Send a message through each queue, unless one is still waiting there. The sweeper runs it."""
    WorkerHeartbeat.objects.bulk_create(
        [WorkerHeartbeat(queue=queue) for queue in list_queues()], ignore_conflicts=True
    )
    is_answered = Q(asked_at=None) | Q(answered_at__gte=F("asked_at"))
    is_due = is_answered | Q(asked_at__lt=Now() - ASK_AGAIN_AFTER) | Q(asked_at__gt=Now())
    for queue in list_queues():
        with transaction.atomic():
            if WorkerHeartbeat.objects.filter(is_due, queue=queue).update(asked_at=Now()):
                after_commit(get_task_name(queue))


def store_answer(queue: str) -> None:
    """Store that a worker of a queue has done something just now."""
    WorkerHeartbeat.objects.filter(queue=queue).update(answered_at=Now(), answers=F("answers") + 1)


def report_workers() -> dict[str, object]:
    """Return for each queue whether its workers are "ok" or "late" or have "never" answered, and when they last did."""
    stored = WorkerHeartbeat.objects.annotate(now=Now()).values_list("queue", "answered_at", "now")
    answers = {queue: (answered_at, now) for queue, answered_at, now in stored}
    return {"workers": {queue: _describe(queue, *answers.get(queue, (None, None))) for queue in list_queues()}}


def _describe(queue: str, answered_at: dt.datetime | None, now: dt.datetime | None) -> dict[str, object]:
    if answered_at is None or now is None:
        return {"state": "never", "last_answer": None}
    # A worker of the queue for long tasks answers after the task that it is at.
    is_long = queue == settings.CELERY_TASK_DEFAULT_QUEUE
    max_age = MAX_AGE + dt.timedelta(seconds=settings.CELERY_TASK_TIME_LIMIT if is_long else 0)
    is_recent = dt.timedelta(0) <= now - answered_at <= max_age
    return {"state": "ok" if is_recent else "late", "last_answer": answered_at.isoformat(timespec="seconds")}


def count_answers() -> Iterator[CounterMetricFamily]:
    """Return how often the workers of each queue have answered; while a number does not grow, none is running."""
    counter = CounterMetricFamily("tailgunner_worker_answers", "Answers of the workers of a queue", labels=["queue"])
    stored = dict(WorkerHeartbeat.objects.values_list("queue", "answers"))
    for queue in list_queues():
        counter.add_metric([queue], stored.get(queue, 0))
    yield counter
