"""Work after the commit. Tasks take ids, call one service and are safe to repeat."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from scorekeeper.standings.services.follow import follow_contest


@shared_task(name="standings.follow")
def follow(contest_id: str) -> None:
    """Take in what is outdated of one contest."""
    follow_contest(UUID(contest_id))
