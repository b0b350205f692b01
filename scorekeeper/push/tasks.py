"""Celery tasks that run after a commit. They take ids, call one service and are safe to repeat."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task


# In a thread Celery's time limit has no effect; a batch has one of its own (`sending.MAX_SECONDS`), and each attempt
# (`webhooks.receiver_connection.MAX_SECONDS`).
@shared_task(name="push.send", time_limit=60)
def send(subscription_ids: list[str]) -> None:
    """Send what is due to these subscriptions, once each."""
    from scorekeeper.push.sending import send_batch  # the other workers need no library that encrypts

    send_batch([UUID(one) for one in subscription_ids])
