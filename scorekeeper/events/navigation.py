"""The tabs above an event's organiser pages, for all apps.

Apps in higher layers are referred to by URL names only; nothing is imported from them.
"""

from __future__ import annotations

from typing import TypedDict

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scorekeeper.events.models import Event


class Tab(TypedDict):
    """One tab, as `components/tabs.html` expects it."""

    href: str
    text: str | Promise
    current: bool


# The key that pages refer to, the URL name and the label of each tab.
TABS = (
    ("overview", "desk:event", _("Overview")),
    ("live", "desk:live", _("Live")),
    ("stops", "stops:list", _("Stops")),
    ("groups", "crew:groups", _("Groups and crew")),
    ("roster", "players:roster", _("Bikes and riders")),
    ("contests", "events:contests", _("Contests")),
    ("settings", "events:edit", _("Settings")),
)


def list_tabs(event: Event, current: str) -> list[Tab]:
    """Return the tabs; `current` is the key of the tab that the page belongs to."""
    return [Tab(href=reverse(page, args=[event.slug]), text=text, current=key == current) for key, page, text in TABS]


def get_start_page(event: Event) -> str:
    """Return the URL of the page on which an organiser starts."""
    return reverse("desk:event", args=[event.slug])
