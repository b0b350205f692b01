"""Sends tasks to apps higher up in the import order: by the task's name, after the commit.

Invariant: a message is a hint. What it is about is in the database already. A broker that is down costs time, since the
sweeper finds the rest later; it never costs an entry, and never delays the person who made the entry.
"""

from __future__ import annotations

import json
from functools import partial

import structlog
from celery import current_app
from django.db import transaction

from scorekeeper.common.metrics import QUEUED_MESSAGES
from scorekeeper.common.outbox import Outbox, TaskMessage


def after_commit(task_name: str, **kwargs: str | int | list[str]) -> None:
    """Send a task once the current transaction has committed; send nothing if it is rolled back.

    Args:
        task_name: the task's registered name, such as `standings.follow`.
        kwargs: its arguments as JSON values; ids are strings.
    """
    request_id = structlog.contextvars.get_contextvars().get("request_id", "")
    message = TaskMessage(task_name, json.dumps(kwargs, sort_keys=True), request_id)
    transaction.on_commit(partial(OUTBOX.put, message))


def _send(message: TaskMessage) -> None:
    headers = {"request_id": message.request_id} if message.request_id else None
    current_app.send_task(message.task, kwargs=json.loads(message.arguments), headers=headers, retry=False)


OUTBOX = Outbox(_send)
QUEUED_MESSAGES.set_function(OUTBOX.count)
