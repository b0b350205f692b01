"""The tabs above an event's organiser pages, `{% event_tabs event "stops" %}`, and filters for the options form."""

from __future__ import annotations

from typing import Any

from django import template
from django.forms import BaseForm, BoundField

from scorekeeper.events.forms.options.row_buttons import list_row_buttons
from scorekeeper.events.models import Event
from scorekeeper.events.navigation import get_start_page, list_tabs

register = template.Library()
register.filter("start_page", get_start_page)
register.filter("buttons", list_row_buttons)


@register.filter
def field(form: BaseForm, name: str) -> BoundField:
    """Return a form's field by a name that is not fixed in the template: `{% with field=form|field:part.name %}`."""
    return form[name]


@register.inclusion_tag("components/tabs.html")
def event_tabs(event: Event, current: str) -> dict[str, Any]:
    """Render the tabs of the event; `current` is the key of the tab that the page belongs to."""
    return {"tabs": list_tabs(event, current), "label": event.name}
