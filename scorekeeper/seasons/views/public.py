"""The public pages of a season, and its file."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render

from scorekeeper.common.downloads import stream_file
from scorekeeper.players.selectors.holder_names import get_public_names
from scorekeeper.results.exports.writers import write_csv
from scorekeeper.seasons.export_table import make_season_table
from scorekeeper.seasons.models import Season
from scorekeeper.seasons.selectors.seasons import get_public_season
from scorekeeper.seasons.selectors.standings import SeasonStandings, get_season_standings

CSV = "text/csv; charset=utf-8"


def season(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the standings of a season and its rounds."""
    standings = _read(season_slug)
    return render(request, "seasons/season.html", {"season": standings.season, "standings": standings})


def rider(request: HttpRequest, season_slug: str, rider_id: UUID) -> HttpResponse:
    """Show what a rider has from each round, or that none of the rider's results is public now."""
    standings = _read(season_slug)
    get_object_or_404(standings.season.riders, pk=rider_id)
    context = {"season": standings.season, "row": standings.get_row(rider_id)}
    return render(request, "seasons/rider.html", context)


def export(request: HttpRequest, season_slug: str) -> HttpResponseBase:
    """Send the standings as a file."""
    standings = _read(season_slug)
    return stream_file(request, write_csv(make_season_table(standings)), CSV, f"{season_slug}.csv")


def _read(slug: str) -> SeasonStandings:
    found: Season | None = get_public_season(slug)
    if found is None:
        raise Http404
    return get_season_standings(found, get_public_names)
