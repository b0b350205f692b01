"""Celery tasks that run after a commit. They take ids, call one service and are safe to repeat."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from scorekeeper.desk.services.practice import continue_run


@shared_task(name="desk.play")
def play(run_id: str) -> None:
    """Play a practice event on for some seconds."""
    continue_run(UUID(run_id))
