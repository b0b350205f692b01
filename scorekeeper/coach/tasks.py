"""Celery tasks that run after a commit. They take ids, call one service and are safe to repeat."""

from __future__ import annotations

from celery import shared_task

from scorekeeper.coach.services import compute_answers


@shared_task(name="coach.answer")
def answer(digests: list[str]) -> None:
    """Answer the questions with these digests."""
    compute_answers(digests)
