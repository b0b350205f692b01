"""Telling a room further up that something happened: by the name of its task, after the commit.

Invariant: a message is a hint. What it is about lies in the database already, so a broker that is away costs time
(the sweeper finds the rest), never an entry.
"""

from __future__ import annotations

from functools import partial

import structlog
from celery import current_app
from django.db import transaction

log = structlog.get_logger("tailgunner.dispatch")


def after_commit(task_name: str, **kwargs: str | int | list[str]) -> None:
    """Send a task once the running transaction has committed; nothing is sent if it is rolled back.

    Args:
        task_name: the task's registered name, such as `standings.refresh`.
        kwargs: its arguments, as JSON can hold them; ids as text.
    """
    transaction.on_commit(partial(_send, task_name, kwargs))


def _send(task_name: str, kwargs: dict[str, str | int | list[str]]) -> None:
    try:
        current_app.send_task(task_name, kwargs=kwargs, retry=False)
    except Exception as error:  # noqa: BLE001 - whatever the transport raises: the entry stands, and its writer is told so
        log.warning("task_not_sent", task=task_name, error=type(error).__name__)
