"""Celery tasks that run after a commit. They take ids, call one service and are safe to repeat."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from scorekeeper.standings.services.chances_computation import compute_chances
from scorekeeper.standings.services.luck_computation import compute_luck
from scorekeeper.standings.services.refresh import refresh_standings


@shared_task(name="standings.follow")
def refresh(contest_id: str) -> None:
    """Refresh the standings of one contest."""
    refresh_standings(UUID(contest_id))


@shared_task(name="standings.luck")
def measure_luck(contest_id: str) -> None:
    """Compute the luck of one closed contest."""
    compute_luck(UUID(contest_id))


@shared_task(name="standings.chances")
def compute_contest_chances(contest_id: str) -> None:
    """Compute the chances to win of one open contest."""
    compute_chances(UUID(contest_id))
