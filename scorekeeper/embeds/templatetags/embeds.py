"""Where programs find frames, feeds and calendars: `{% discover_embeds contest=contest %}` in the head of a page."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import template
from django.conf import settings
from django.urls import reverse

from scorekeeper.audience.leaderboard_presenter import LeaderboardPresenter
from scorekeeper.events.models import Contest, Event
from scorekeeper.seasons.models import Season

register = template.Library()


@register.inclusion_tag("embeds/_discovery.html")
def discover_embeds(
    event: Event | None = None,
    contest: Contest | None = None,
    season: Season | None = None,
    board: LeaderboardPresenter | None = None,
) -> dict[str, Any]:
    """Render the links of a page to its frame by oEmbed and to its feed. At most one argument is given.

    Args:
        event, contest, season: whose page it is; none for a page that lists events.
        board: the board of a class whose page it is.
    """
    if board is not None:
        path, title = board.url, f"{board.contest.name} · {board.class_name}"
    elif contest is not None:
        path, title = reverse("results:leaderboard", args=[contest.event.slug, contest.slug]), contest.name
    elif event is not None:
        path, title = reverse("results:event", args=[event.slug]), event.name
    else:
        path, title = ("", "") if season is None else (reverse("seasons:season", args=[season.slug]), season.name)
    query = urlencode({"url": f"{settings.BASE_URL}{path}", "format": "json"})
    return {
        "oembed": f"{settings.BASE_URL}{reverse('embeds:oembed')}?{query}" if path else "",
        "title": title,
        "feed": reverse("embeds:feed") if season is None else reverse("embeds:season_feed", args=[season.slug]),
    }
