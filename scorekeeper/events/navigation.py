"""The tabs over an event's organiser pages, for all rooms.

Rooms further up are named by the addresses of their pages alone; nothing of them is imported.
"""

from __future__ import annotations

from typing import TypedDict

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scorekeeper.events.models import Event


class Tab(TypedDict):
    """One tab, as `components/tabs.html` takes it."""

    href: str
    text: str | Promise
    current: bool


# The word by which a page says where it belongs, the page's address, and what people read.
TABS = (
    ("overview", "desk:event", _("Overview")),
    ("stops", "stops:list", _("Stops")),
    ("groups", "crew:groups", _("Groups and crew")),
    ("roster", "players:roster", _("Bikes and riders")),
    ("contests", "events:contests", _("Contests")),
    ("settings", "events:edit", _("Settings")),
)


def list_tabs(event: Event, current: str) -> list[Tab]:
    """Return the tabs; `current` is the word of the one the page belongs to."""
    return [Tab(href=reverse(page, args=[event.slug]), text=text, current=word == current) for word, page, text in TABS]


def get_start_page(event: Event) -> str:
    """Return the address of the page on which an organiser starts."""
    return reverse("desk:event", args=[event.slug])
