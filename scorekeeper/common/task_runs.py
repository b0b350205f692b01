"""The tasks that workers run now, so that what a killed worker leaves behind is taken up again within seconds.

Terms: a *run* is a task with its arguments that a worker has begun. Its worker renews it every second, by the
database's clock, until it ends. A run that was not renewed for `LEASE` is *abandoned*: its process was killed, or its
machine is gone.

- A message whose worker was killed comes back only after minutes from Redis, and never from the broker of files. The
  sweeper finds an abandoned run, releases what the task had claimed (`TASK_RELEASES`), and asks for the task again.
- A task that ends its worker again and again is left alone after `MAX_ABANDONED` times.
- Refreshing standings is not recorded: it is too short, and the sweeper does what is left of it.

Invariant: all this is a hint. A run that only looked abandoned, in a process that stood still, is done twice, which
every task allows. Without the sweeper, a task is taken up again when whoever waits for it asks.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from uuid import UUID

import structlog
from celery import Task, signals
from django.db import Error, connection, transaction
from django.db.models import F
from django.db.models.functions import Now

from scorekeeper.common.database_errors import get_database_message
from scorekeeper.common.database_unavailable import is_database_unavailable
from scorekeeper.common.dispatch import after_commit
from scorekeeper.common.hooks import Hook
from scorekeeper.common.models import TaskRun

RENEW_INTERVAL = 1.0  # seconds
LEASE = dt.timedelta(seconds=4)
QUEUED = dt.timedelta(seconds=60)  # until a task that was asked for again and has not begun is asked for once more
MAX_ABANDONED = 3
UNRECORDED = {"standings.follow"}

log = structlog.get_logger("tailgunner.tasks")


class TaskRelease(NamedTuple):
    """What releases what a worker had claimed for a task when it died. It gets the task's arguments."""

    task: str
    release: Callable[..., object]


TASK_RELEASES = Hook[TaskRelease]()


def record_task_runs() -> None:
    """Record the runs of this worker."""
    signals.task_prerun.connect(_begin)
    signals.task_postrun.connect(_end)


def take_up_abandoned_tasks() -> list[str]:
    """Ask again for every task whose worker has died, and return their names. The sweeper runs it."""
    abandoned = TaskRun.objects.filter(renewed_at__lt=Now() - LEASE).order_by("renewed_at")
    return [run.task for run in abandoned if _take_up_whatever_fails(run)]


def take_up_task(task_name: str, **kwargs: str) -> bool:
    """Ask again for one task if its worker has died; return whether it was asked for."""
    key = _make_key(task_name, kwargs)
    run = TaskRun.objects.filter(pk=key, renewed_at__lt=Now() - LEASE).first()
    return run is not None and _take_up(run)


def _take_up_whatever_fails(run: TaskRun) -> bool:
    """Take up a run. One that cannot be, such as one of an older version, does not keep others waiting."""
    try:
        return _take_up(run)
    except Exception as error:
        if is_database_unavailable(error):
            raise
        log.exception("task_not_taken_up", task=run.task, arguments=run.arguments)
        found = TaskRun.objects.filter(pk=run.pk, run=run.run)
        found.update(abandoned=F("abandoned") + 1, renewed_at=Now() + QUEUED)
        return False


def _take_up(run: TaskRun) -> bool:
    kwargs = json.loads(run.arguments)
    with transaction.atomic():
        # Of two that find it, one asks.
        found = TaskRun.objects.filter(pk=run.pk, run=run.run, renewed_at__lt=Now() - LEASE)
        if run.abandoned >= MAX_ABANDONED:
            if found.delete()[0]:
                log.error("task_given_up", task=run.task, arguments=run.arguments)
            return False
        if not found.update(abandoned=F("abandoned") + 1, renewed_at=Now() + QUEUED):
            return False
        log.warning("task_abandoned", task=run.task, arguments=run.arguments)
        for entry in TASK_RELEASES:
            if entry.task == run.task:
                entry.release(**kwargs)
        after_commit(run.task, **kwargs)
    return True


def _make_key(task_name: str, kwargs: Mapping[str, Any]) -> str:
    return hashlib.sha256(f"{task_name} {json.dumps(kwargs, sort_keys=True)}".encode()).hexdigest()


def _begin(task: Task, task_id: str, kwargs: Mapping[str, Any], **_: Any) -> None:
    if task.name in UNRECORDED:
        return
    key, arguments = _make_key(task.name, kwargs), json.dumps(kwargs, sort_keys=True)
    TaskRun.objects.bulk_create(
        [TaskRun(key=key, run=UUID(task_id), task=task.name, arguments=arguments, renewed_at=Now())],
        update_conflicts=True,
        unique_fields=["key"],
        update_fields=["run", "renewed_at"],
    )
    _renewer.add(UUID(task_id))


def _end(task: Task, task_id: str, **_: Any) -> None:
    if task.name in UNRECORDED:
        return
    _renewer.remove(UUID(task_id))
    TaskRun.objects.filter(run=UUID(task_id)).delete()
    if not task.request.is_eager:  # Celery may have closed the task's connection before
        connection.close()


class RunRenewer:
    """A thread that renews the runs of this process, over a connection of its own, while there are any."""

    def __init__(self) -> None:
        self._runs: set[UUID] = set()
        self._condition = threading.Condition()
        self._thread: threading.Thread | None = None

    def add(self, run: UUID) -> None:
        """Renew a run from now on."""
        with self._condition:
            self._runs.add(run)
            if self._thread is None or not self._thread.is_alive():  # also after a fork
                self._thread = threading.Thread(target=self._renew, name="task-runs", daemon=True)
                self._thread.start()
            self._condition.notify()

    def remove(self, run: UUID) -> None:
        """Renew a run no longer."""
        with self._condition:
            self._runs.discard(run)

    def _renew(self) -> None:
        while True:
            with self._condition:
                if not self._runs:
                    connection.close()
                    self._condition.wait_for(lambda: self._runs)
            time.sleep(RENEW_INTERVAL)  # most runs have ended by then
            with self._condition:
                runs = list(self._runs)
            if not runs:
                continue
            try:
                TaskRun.objects.filter(run__in=runs).update(renewed_at=Now())
            except Error as error:  # it may be back soon, and a run that is done twice does no harm
                log.warning("task_runs_not_renewed", why=get_database_message(error))
                connection.close()


_renewer = RunRenewer()
