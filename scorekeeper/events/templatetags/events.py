"""The menu of an event's organiser pages, `{% event_tabs event "stops" %}`, warnings about addresses, and filters."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings
from django.forms import BaseForm, BoundField

from scorekeeper.common.public_address import get_address_problem
from scorekeeper.events.forms.options.row_buttons import list_row_buttons
from scorekeeper.events.models import Event
from scorekeeper.events.navigation import Phase, get_menu, get_phase_page, get_start_page

register = template.Library()
register.filter("start_page", get_start_page)
register.filter("buttons", list_row_buttons)
register.filter("phase_page", get_phase_page)


@register.filter
def field(form: BaseForm, name: str) -> BoundField:
    """Return a form's field by a name that is not fixed in the template: `{% with field=form|field:part.name %}`."""
    return form[name]


@register.inclusion_tag("events/_menu.html")
def event_tabs(event: Event, current: str, shown: Phase | None = None) -> dict[str, Any]:
    """Render the menu of the event.

    Args:
        current: the key of the page that the reader is at, as in `navigation.PAGES`; "overview" or a phase for those.
        shown: the phase that the overview is about.
    """
    return {"menu": get_menu(event, current, shown), "label": event.name}


@register.inclusion_tag("events/_address_warning.html")
def address_warning(event: Event | None = None) -> dict[str, Any]:
    """Warn if the address that links and codes begin with does not work on every phone; nothing if it does.

    Args:
        event: whose settings say what to do about it; None on a page that belongs to no event.
    """
    return {"address": settings.BASE_URL, "problem": get_address_problem(), "event": event}


@register.inclusion_tag("events/_address_help.html")
def address_help() -> dict[str, Any]:
    """Say which address links and codes carry, and how to get a better one."""
    return {"address": settings.BASE_URL, "problem": get_address_problem()}
