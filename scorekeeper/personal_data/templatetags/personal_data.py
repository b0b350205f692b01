"""Values of a person's sections as a page shows them."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

from django import template
from django.utils.translation import gettext as _

from scorekeeper.common.date_wording import format_date
from scorekeeper.events.models import Event
from scorekeeper.personal_data.person_record import PersonSection, Row

register = template.Library()

EMPTY: tuple[object, ...] = ("", [], {})
LONG = 40  # characters


@register.filter
def cells(section: PersonSection, row: Row) -> list[tuple[str, Any]]:
    """Return the heading and the value of each cell of a row."""
    return [(heading, row.get(name)) for name, heading in section.headings.items()]


@register.filter
def filled_cells(section: PersonSection, row: Row) -> list[tuple[str, Any]]:
    """Return the same without empty cells."""
    return [(heading, value) for heading, value in cells(section, row) if value is not None and value not in EMPTY]


@register.filter
def is_long(value: Any, event: Event) -> bool:
    """Whether the text of a value needs a line of its own."""
    return len(stored_value(value, event)) > LONG


@register.filter
def stored_value(value: Any, event: Event) -> str:
    """Return a stored value as a text; times in the event's time zone."""
    if value is None or value in EMPTY:
        return "–"
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    if isinstance(value, dt.datetime):
        return format_date(value.astimezone(event.zone), _("j M Y, H:i:s"))
    if isinstance(value, list) and all(isinstance(item, str | int) for item in value):
        return ", ".join(map(str, value))
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)
