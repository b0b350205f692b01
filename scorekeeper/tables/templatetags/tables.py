"""How many tables a contest has, for pages of any room: `{{ contest|table_count }}`."""

from django import template

from scorekeeper.events.models import Contest
from scorekeeper.tables.selectors.listing import list_tables, say_count

register = template.Library()


@register.filter
def table_count(contest: Contest) -> str:
    """Return the count in words: "3 tables, 1 finished"."""
    return say_count(list_tables(contest))
