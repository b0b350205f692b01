"""A filter that counts the tables of a contest, for the pages of any app: `{{ contest|table_count }}`."""

from django import template

from scorekeeper.events.models import Contest
from scorekeeper.tables.selectors.table_summaries import format_table_count, list_tables

register = template.Library()


@register.filter
def table_count(contest: Contest) -> str:
    """Return the count in words: "3 tables, 1 finished"."""
    return format_table_count(list_tables(contest))
