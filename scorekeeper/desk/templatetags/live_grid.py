"""The cells of a row of the live desk: `{% grid_cells row href %}`.

They are put together here because a template takes ten times as long, and a page has a thousand of them
(`benchmarks/showing_the_desk.py`).
"""

from __future__ import annotations

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from scorekeeper.desk.selectors.live_grid import GridRow

CELL = '<td class="cell cell--{}"><a href="{}" tabindex="-1">{}</a></td>'

register = template.Library()


@register.simple_tag
def grid_cells(row: GridRow, href: str) -> SafeString:
    """Return the cells; each leads to the card, as the link in the row's heading does, which the keyboard reaches."""
    return format_html_join("", CELL, ((cell.state, href, cell.text) for cell in row.cells))
