"""Telling a room further up that something happened: by the name of its task, after the commit.

Invariant: a message is a hint. What it is about lies in the database already, so a broker that is away costs time
(the sweeper finds the rest), never an entry, and never a moment of whoever made the entry.
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
    """Send a task once the running transaction has committed; nothing is sent if it is rolled back.

    Args:
        task_name: the task's registered name, such as `standings.follow`.
        kwargs: its arguments, as JSON can hold them; ids as text.
    """
    request_id = structlog.contextvars.get_contextvars().get("request_id", "")
    message = TaskMessage(task_name, json.dumps(kwargs, sort_keys=True), request_id)
    transaction.on_commit(partial(OUTBOX.put, message))


def _send(message: TaskMessage) -> None:
    headers = {"request_id": message.request_id} if message.request_id else None
    current_app.send_task(message.task, kwargs=json.loads(message.arguments), headers=headers, retry=False)


OUTBOX = Outbox(_send)
QUEUED_MESSAGES.set_function(OUTBOX.count)
