"""Services that set up screens. Every change is published to the screen that it concerns."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from scorekeeper.common.pubsub import publish_change
from scorekeeper.live.models import Screen

SEEN_INTERVAL = dt.timedelta(seconds=20)


@transaction.atomic
def save_screen(screen: Screen) -> None:
    """Store what a screen shows. Nothing happens to a paired screen that is not paired any more."""
    if screen.is_public:
        stored, _is_new = Screen.objects.get_or_create(event_id=screen.event_id, is_public=True)
        screen.pk = stored.pk
    Screen.objects.filter(pk=screen.pk).update(
        name=screen.name,
        parts=screen.parts,
        groups=screen.groups,
        has_messages=screen.has_messages,
        seconds=screen.seconds,
        theme=screen.theme,
        sponsor=screen.sponsor,
        version=F("version") + 1,
    )
    publish_change(screen.event_id if screen.is_public else screen.pk)


@transaction.atomic
def unpair_screen(screen: Screen) -> None:
    """Forget a paired screen and what it shows. Its television shows a code again at once."""
    Screen.objects.filter(pk=screen.pk, is_public=False).delete()
    publish_change(screen.pk)


def record_screen_seen(screen: Screen) -> None:
    """Store that the television has asked for something, every few seconds at most."""
    now = timezone.now()
    if screen.last_seen_at is None or now - screen.last_seen_at >= SEEN_INTERVAL:
        Screen.objects.filter(pk=screen.pk).update(last_seen_at=now)
        screen.last_seen_at = now
