"""The way from one step of setting up an event to the next: `{% next_setup_step event %}` on the pages of the steps."""

from __future__ import annotations

from typing import Any

from django import template

from scorekeeper.desk.selectors.setup_steps import find_next_step, list_setup_steps
from scorekeeper.events.models import Event

register = template.Library()


@register.inclusion_tag("desk/_next_step.html", takes_context=True)
def next_setup_step(context: template.Context, event: Event) -> dict[str, Any]:
    """Render a link to the next step of a draft; nothing while this page is the next step itself."""
    if event.is_open or event.archived_at is not None:
        return {"is_shown": False}
    step = find_next_step(list_setup_steps(event))
    is_here = step is not None and step.href == context["request"].path
    return {"is_shown": not is_here, "step": step, "event": event}
