"""Links to the pages about a card of either kind: `{% card_page_url page_context "void" turn.id %}`."""

from __future__ import annotations

from uuid import UUID

from django import template

from scorekeeper.scorecards.views.page_context import PageContext

register = template.Library()


@register.simple_tag
def card_page_url(page_context: PageContext, page: str, turn_id: UUID | None = None) -> str:
    """Return the URL of a page about the card, or about one of its turns."""
    return page_context.get_page_url(page, {} if turn_id is None else {page_context.target_field: turn_id})
