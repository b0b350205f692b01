"""The seasons that pages of lower apps link to."""

from __future__ import annotations

from django import template
from django.db.models import QuerySet

from scorekeeper.events.models import Event
from scorekeeper.seasons.models import Season
from scorekeeper.seasons.selectors import list_listed_seasons, list_seasons_of

register = template.Library()


@register.simple_tag
def listed_seasons() -> QuerySet[Season]:
    """Return the seasons that the front page lists: `{% listed_seasons as seasons %}`."""
    return list_listed_seasons()


@register.simple_tag
def seasons_of(event: Event) -> QuerySet[Season]:
    """Return the seasons that an event counts for: `{% seasons_of event as seasons %}`."""
    return list_seasons_of(event)
