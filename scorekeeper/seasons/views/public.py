"""The public pages of a season, and its file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render

from scorekeeper.common.public_files import limit_public_reads, send_public_file
from scorekeeper.events.noindex import NOINDEX, ROBOTS_HEADER
from scorekeeper.players.selectors.holder_names import get_public_names
from scorekeeper.results.exports.writers import write_csv
from scorekeeper.seasons.export_table import make_season_table
from scorekeeper.seasons.models import Season
from scorekeeper.seasons.selectors.season_version import get_season_version
from scorekeeper.seasons.selectors.seasons import get_public_season
from scorekeeper.seasons.selectors.standings import SeasonStandings, get_season_standings

R = TypeVar("R", bound=HttpResponseBase)

CSV = "text/csv; charset=utf-8"


def season(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the standings of a season and its rounds."""
    standings = _read(season_slug)
    response = render(request, "seasons/season.html", {"season": standings.season, "standings": standings})
    return _keep_unlisted(standings.season, response)


def rider(request: HttpRequest, season_slug: str, rider_id: UUID) -> HttpResponse:
    """Show what a rider has from each round, or that none of the rider's results is public now."""
    standings = _read(season_slug)
    get_object_or_404(standings.season.riders, pk=rider_id)
    context = {"season": standings.season, "row": standings.get_row(rider_id)}
    return _keep_unlisted(standings.season, render(request, "seasons/rider.html", context))


@limit_public_reads
def export(request: HttpRequest, season_slug: str) -> HttpResponseBase:
    """Send the standings as a file."""
    found = _find(season_slug)

    def make() -> tuple[str, Iterable[bytes]]:
        return f"{season_slug}.csv", write_csv(make_season_table(get_season_standings(found, get_public_names)))

    return _keep_unlisted(found, send_public_file(request, get_season_version(found), make, CSV))


def _keep_unlisted(season: Season, response: R) -> R:
    """Keep search engines away from a season that the front page does not list."""
    if not season.is_listed:
        response.headers[ROBOTS_HEADER] = NOINDEX
    return response


def _read(slug: str) -> SeasonStandings:
    return get_season_standings(_find(slug), get_public_names)


def _find(slug: str) -> Season:
    found: Season | None = get_public_season(slug)
    if found is None:
        raise Http404
    return found
