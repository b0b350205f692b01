"""Log lines of Celery tasks: one for each task, and the id of the request that caused it in all of them."""

from __future__ import annotations

import time
from typing import Any

import structlog
from celery import Task, signals

log = structlog.get_logger("tailgunner.tasks")


def log_tasks() -> None:
    """Log every task of this process."""
    signals.task_prerun.connect(_log_start)
    signals.task_postrun.connect(_log_end)


def _log_start(task: Task, **_: Any) -> None:
    origin = task.request.get("request_id")
    bound = {"request_id": origin} if origin else {}
    structlog.contextvars.bind_contextvars(task=task.name, **bound)
    task.request.tailgunner_began = time.perf_counter()


def _log_end(task: Task, state: str | None = None, **_: Any) -> None:
    milliseconds = round((time.perf_counter() - task.request.tailgunner_began) * 1000)
    log.info("task", state=state, ms=milliseconds)
    structlog.contextvars.unbind_contextvars("task", "request_id")
