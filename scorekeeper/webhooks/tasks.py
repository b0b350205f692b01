"""Celery tasks that run after a commit. They take ids, call one service and are safe to repeat."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from scorekeeper.webhooks.deliveries import deliver as deliver_message


# In a thread Celery's time limit has no effect; the attempt has one of its own (`receiver_connection.MAX_SECONDS`).
@shared_task(name="webhooks.deliver", time_limit=30)
def deliver(delivery_id: str) -> None:
    """Try to deliver a message, once."""
    deliver_message(UUID(delivery_id))
