"""Pages on which organisers say who of one ride is who of another."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from scorekeeper.common.concurrent_edits import Edit
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.players.selectors.holder_names import get_full_names
from scorekeeper.seasons.access import one_season_edit_at_a_time, season_required
from scorekeeper.seasons.forms.links import LinksForm
from scorekeeper.seasons.models import Season
from scorekeeper.seasons.selectors.proposals import propose_links
from scorekeeper.seasons.selectors.standings import get_season_standings
from scorekeeper.seasons.services import seasons as services


@season_required
@one_season_edit_at_a_time
def link(request: HttpRequest, season: Season, round_id: UUID) -> HttpResponse:
    """Show everyone in the result of a round with a proposal, and save who counts as whom."""
    found = get_object_or_404(season.rounds.select_related("contest__event", "season"), pk=round_id)
    proposals = propose_links(found)
    is_first_time = not found.links.exists()
    editing = Edit(
        request,
        lambda data, _files: LinksForm(data, proposals, is_first_time=is_first_time),
        data=LinksForm.name_new_riders(request.POST, proposals),
    )
    if proposals and editing.is_valid():
        services.link_riders(found, editing.form.riders)
        messages.success(request, _("The riders of %(contest)s have been saved.") % {"contest": found.contest})
        editing.announce(request)
        return redirect("seasons:overview", season.slug)
    context = {
        "season": season,
        "round": found,
        "form": editing.form,
        "edit": editing,
        "has_result": bool(proposals),
    }
    return render(request, "seasons/link.html", context, status=editing.status)


@season_required
def merge(request: HttpRequest, season: Season, rider_id: UUID) -> HttpResponse:
    """Show a rider's rounds, and make the rider one with another."""
    rider = get_object_or_404(season.riders, pk=rider_id)
    standings = get_season_standings(season, get_full_names)
    row = standings.get_row(rider_id)
    rounds = set(rider.links.values_list("round_id", flat=True))
    possible = [
        other
        for other in standings.rows
        if other is not row and rounds.isdisjoint(cell.presented.round.pk for cell in other.results)
    ]
    problem = ""
    if request.method == "POST":
        chosen = parse_uuid(request.POST.get("into", ""))
        into = None if chosen is None else season.riders.filter(pk=chosen).first()
        if into is None or into == rider:
            problem = _("Choose who it is.")
        else:
            try:
                services.merge_riders(rider, into)
            except services.SameRound:
                problem = _("These two took part in one ride, so they are two people.")
            else:
                messages.success(request, _("Both are one rider now."))
                return redirect("seasons:overview", season.slug)
    context = {"season": season, "row": row, "possible": possible, "problem": problem}
    return render(request, "seasons/merge.html", context, status=422 if problem else 200)
