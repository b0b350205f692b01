"""Celery tasks that run after a commit. They take ids, call one service and are safe to repeat."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from scorekeeper.dice.services import count_dice


@shared_task(name="dice.count")
def count(event_id: str) -> None:
    """Count the dice of one event."""
    count_dice(UUID(event_id))
