"""The paired screens of an event as its organisers see them: what each shows, and whether it is on."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from scorekeeper.common.word_lists import join_and
from scorekeeper.events.models import Contest, Event
from scorekeeper.live.models import ALL_CONTESTS, PartKind, Screen
from scorekeeper.live.selectors.screen import list_paired_screens, list_parts

# Longer than two of the television's checks (`data-check` in `live/screen.html`), of which one may be lost.
ON_FOR = dt.timedelta(seconds=75)


@dataclass(frozen=True)
class PairedScreen:
    """A paired screen.

    Attributes:
        content_text: what it shows, in words.
        is_on: whether its television has asked for something just now.
    """

    screen: Screen
    content_text: str
    is_on: bool


def present_paired_screens(event: Event) -> list[PairedScreen]:
    """Return the paired screens of an event by name."""
    now = timezone.now()
    return [_present(event, screen, now) for screen in list_paired_screens(event)]


def _present(event: Event, screen: Screen, now: dt.datetime) -> PairedScreen:
    screen.event = event
    seen = screen.last_seen_at
    return PairedScreen(screen, _describe_content(screen), seen is not None and now - seen <= ON_FOR)


def _describe_content(screen: Screen) -> str:
    parts = list_parts(screen)
    names = [str(part.label) if isinstance(part, PartKind) else part.name for part in parts]
    if ALL_CONTESTS in screen.parts:
        others = [name for part, name in zip(parts, names, strict=True) if not isinstance(part, Contest)]
        names = [_("All contests"), *others]
    if screen.has_messages:
        names.append(_("Messages"))
    return join_and(names) if names else _("Nothing")
