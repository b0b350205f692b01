"""Freezing a contest: from its first entry on, be it on a card or that it was closed, its rules never change."""

from __future__ import annotations

from django.utils import timezone

from scorekeeper.events.models import Contest


def freeze_contest(contest: Contest) -> None:
    """Freeze the options and slots of a contest, unless they are frozen already.

    Args:
        contest: locked by this transaction.
    """
    if contest.frozen_at is None:
        contest.frozen_at = timezone.now()
        contest.save(update_fields=["frozen_at"])
