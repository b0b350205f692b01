"""What an event still needs, on the pages of other apps.

`{% next_setup_step event %}` leads from one step to the next. `{% unready event %}` lists, on the page that opens the
event, what is missing and what may be a mistake. `{% bike_questions event %}` and `{% hour_questions event %}` ask on
the page that follows the form of a bike or of a stop.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template

from scorekeeper.desk.selectors.ready_questions import (
    ReadyQuestion,
    ask_about_bikes,
    ask_about_hours,
    list_ready_questions,
)
from scorekeeper.desk.selectors.setup_steps import find_next_step, list_missing_steps, list_setup_steps
from scorekeeper.events.models import Event

register = template.Library()


@register.inclusion_tag("desk/_next_step.html", takes_context=True)
def next_setup_step(context: template.Context, event: Event) -> dict[str, Any]:
    """Render a link to the next step of a draft; nothing while this page is the next step itself."""
    if event.is_open or event.archived_at is not None:
        return {"is_shown": False}
    step = find_next_step(list_setup_steps(event))
    questions = [] if step is not None else list_ready_questions(event)
    is_here = step is not None and step.href == context["request"].path
    return {"is_shown": not is_here, "step": step, "questions": questions, "event": event}


@register.inclusion_tag("desk/_unready.html")
def unready(event: Event) -> dict[str, Any]:
    """Render what is missing and what may be a mistake; nothing if there is neither."""
    return {"steps": list_missing_steps(list_setup_steps(event)), "questions": list_ready_questions(event)}


@register.inclusion_tag("desk/_form_questions.html", takes_context=True)
def bike_questions(context: template.Context, event: Event) -> dict[str, Any]:
    """Render the questions about bikes; nothing if there are none."""
    return _make_questions(context, event, ask_about_bikes(event))


@register.inclusion_tag("desk/_form_questions.html", takes_context=True)
def hour_questions(context: template.Context, event: Event) -> dict[str, Any]:
    """Render the questions about the hours of stops; nothing if there are none."""
    return _make_questions(context, event, ask_about_hours(event))


def _make_questions(context: template.Context, event: Event, questions: Iterable[ReadyQuestion]) -> dict[str, Any]:
    """Return the questions. In the archive nothing can be changed, so none is asked."""
    is_asked = event.archived_at is None
    return {"questions": list(questions) if is_asked else [], "here": context["request"].path}
