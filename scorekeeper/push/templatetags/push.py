"""The switch for notifications on a public page, `{% push_switch event contest bike.pk %}`."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import template

from scorekeeper.events.models import Contest, Event
from scorekeeper.push.contact import get_subject

register = template.Library()


@register.inclusion_tag("push/_switch.html")
def push_switch(event: Event, contest: Contest | None = None, entrant: UUID | None = None) -> dict[str, Any]:
    """Render the switch. It is hidden without JavaScript, and is the same for every reader; its script fills it in.

    Args:
        contest, entrant: whom it is about; None for the official results of the event.
    """
    return {"event": event, "contest": contest, "entrant": entrant, "is_set_up": bool(get_subject())}
