"""Services that set up the big screen. Every change is published to all open screens."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from scorekeeper.common.pubsub import publish_change
from scorekeeper.events.models import Contest, Event
from scorekeeper.live.models import Screen


@transaction.atomic
def configure_screen(event: Event, contests: Sequence[Contest], seconds: int, sponsor: str) -> None:
    """Choose which contests the screen shows, and in which order; an empty list means all contests."""
    Screen.objects.get_or_create(event=event)
    screen = Screen.objects.select_for_update().get(event=event)
    screen.contests = [str(contest.pk) for contest in contests]
    screen.seconds, screen.sponsor = seconds, sponsor
    screen.version += 1
    screen.save()
    publish_change(event.pk)
