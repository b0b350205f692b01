"""The pages that have an embed, a twin for the frames of other sites, and what that is called.

The address of the twin is that of the page with `/embed` before it. The pages of a contest and of a class have their
board, that of a season its standings, that of an event its prizes. A new kind of page needs its route in `EMBEDS` and
a view at the same address under `/embed/`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.http import QueryDict
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext as _

from scorekeeper.common.languages import speaking
from scorekeeper.embeds.framing import EmbedOptions
from scorekeeper.embeds.snippets import Embed
from scorekeeper.events.event_language import get_event_language
from scorekeeper.events.models import Contest, Event
from scorekeeper.results.public_lookups import get_public_class_name, get_public_contest, get_public_event
from scorekeeper.seasons.models import Season
from scorekeeper.seasons.selectors import get_public_season, list_rounds

PREFIX = "/embed"
PRIZE_ROWS = 5  # prizes are most likely so many


def get_season_language(season: Season) -> str:
    """Return the language of a season, which is that of its latest event; the installation's if it has none."""
    rounds = list_rounds(season)
    return get_event_language(rounds[-1].contest.event) if rounds else settings.LANGUAGE_CODE


def describe_board(contest: Contest, options: EmbedOptions) -> Embed:
    """Return the frame with the board of a contest."""
    path = reverse("embeds:board", args=[contest.event.slug, contest.slug])
    title = f"{contest.name}, {contest.event.name}"
    return Embed(path + options.to_query(), title, options.rows)


def describe_class_board(contest: Contest, class_id: UUID, class_name: str, options: EmbedOptions) -> Embed:
    """Return the frame with the board of a class."""
    path = reverse("embeds:class_board", args=[contest.event.slug, contest.slug, class_id])
    title = f"{contest.name} · {class_name}, {contest.event.name}"
    return Embed(path + options.to_query(), title, options.rows)


def describe_prizes(event: Event, options: EmbedOptions) -> Embed:
    """Return the frame with the prizes of an event."""
    with speaking(options.language or get_event_language(event)):
        title = _("Prizes, %(event)s") % {"event": event.name}
    return Embed(reverse("embeds:prizes", args=[event.slug]) + options.to_query(), title, PRIZE_ROWS)


def describe_season(season: Season, options: EmbedOptions) -> Embed:
    """Return the frame with the standings of a season."""
    return Embed(reverse("embeds:season", args=[season.slug]) + options.to_query(), season.name, options.rows)


def _find_board(options: EmbedOptions, slug: str, contest_slug: str) -> Embed:
    return describe_board(get_public_contest(slug, contest_slug), options)


def _find_class_board(options: EmbedOptions, slug: str, contest_slug: str, class_id: UUID) -> Embed:
    contest = get_public_contest(slug, contest_slug)
    return describe_class_board(contest, class_id, get_public_class_name(contest, class_id), options)


def _find_prizes(options: EmbedOptions, slug: str) -> Embed:
    return describe_prizes(get_public_event(slug), options)


def _find_season(options: EmbedOptions, season_slug: str) -> Embed | None:
    season = get_public_season(season_slug)
    return None if season is None else describe_season(season, options)


# The embed of a page, by the route of the page and by its own.
EMBEDS: Mapping[str, Callable[..., Embed | None]] = {
    **dict.fromkeys(("results:leaderboard", "embeds:board"), _find_board),
    **dict.fromkeys(("results:class_board", "embeds:class_board"), _find_class_board),
    **dict.fromkeys(("results:event", "embeds:prizes"), _find_prizes),
    **dict.fromkeys(("seasons:season", "embeds:season"), _find_season),
}


def find_embed(url: str) -> Embed | None:
    """Return the frame of one of our public pages; None for every other address.

    Nothing is fetched. Only the host and port in BASE_URL are ours.

    Raises:
        Http404: there is no such event, contest, class or season, or it is a draft.
    """
    try:
        address = urlsplit(url)
        if address.scheme not in ("http", "https") or address.netloc != urlsplit(settings.BASE_URL).netloc:
            return None
        match = resolve(address.path)
    except (ValueError, Resolver404):
        return None
    find: Callable[..., Any] | None = EMBEDS.get(match.view_name)
    return None if find is None else find(EmbedOptions.from_query(QueryDict(address.query)), **match.kwargs)
