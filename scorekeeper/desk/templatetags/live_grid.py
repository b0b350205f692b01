"""The rows of the live desk: `{% grid_row event row %}`.

They are put together here, since templates take several times as long for the thousand cells of a page
(`benchmarks/showing_the_desk.py`).
"""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from scorekeeper.bikes.numbers import pad_number
from scorekeeper.desk.selectors.live_grid import CellState, GridCell, GridRow
from scorekeeper.events.models import Event

# The cells lead to the card as the heading does, which is enough for the keyboard. A bike is at most stops that are not
# open yet, so these cells show only a dash; screen readers get the words.
CELL = '<td class="cell cell--{}"><a href="{}" tabindex="-1">{}</a></td>'
DASH = '<span aria-hidden="true">–</span><span class="visually-hidden">{}</span>'
ROW = '<tr id="bike-{}" data-number="{}.{}"><th scope="row"><a href="{}">{}</a> <small>{}</small></th>{}</tr>'

register = template.Library()


@register.simple_tag
def grid_row(event: Event, row: GridRow) -> SafeString:
    """Return a bike's row."""
    bike, href = row.bike, reverse("scorecards:desk_card", args=[event.slug, row.card_id])
    details = " · ".join(filter(None, (row.riders, bike.group.name if bike.group else "")))
    cells = format_html_join("", CELL, ((cell.state, href, _format_cell(cell)) for cell in row.cells))
    return format_html(ROW, bike.pk, pad_number(bike.number), bike.suffix, href, bike.label, details, cells)


def _format_cell(cell: GridCell) -> str:
    return format_html(DASH, cell.text) if cell.state == CellState.NOT_OPEN else cell.text
