"""Celery tasks that run after a commit. They take ids, call one service and are safe to repeat."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from scorekeeper.prints.services import carry_out_job


@shared_task(name="prints.make")
def make(job_id: str) -> None:
    """Make the file of a job."""
    carry_out_job(UUID(job_id))
