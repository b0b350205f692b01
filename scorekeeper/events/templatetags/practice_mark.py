"""Whether a page belongs to a practice event: `{% practice_page as is_practice %}` in the base templates.

Every page, screen and print takes its mark from here. A page belongs to the event in its context; else to that of the
organiser or of the phone that asked for it.
"""

from __future__ import annotations

from django import template
from django.template.context import Context

from scorekeeper.events.models import Event

register = template.Library()


@register.simple_tag(takes_context=True)
def practice_page(context: Context) -> bool:
    """Return whether the page belongs to a practice event."""
    event = context.get("event")
    if not isinstance(event, Event):
        event = _get_callers_event(context.get("request"))
    return event is not None and event.is_practice


def _get_callers_event(request: object) -> Event | None:
    organiser, device = getattr(request, "organiser", None), getattr(request, "device", None)
    found = organiser.event if organiser is not None else device.member.group.event if device is not None else None
    return found if isinstance(found, Event) else None
