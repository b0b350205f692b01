"""Celery tasks that run after a commit. They take ids, call one service and are safe to repeat."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from scorekeeper.webhooks.services.deliveries import deliver as deliver_message


@shared_task(name="webhooks.deliver")
def deliver(delivery_id: str) -> None:
    """Try to deliver a message, once."""
    deliver_message(UUID(delivery_id))
