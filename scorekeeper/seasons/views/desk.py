"""Pages on which organisers run a season: its settings and its rounds."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.common.concurrent_edits import Edit
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.common.sent_once import sent_once
from scorekeeper.players.selectors.holder_names import get_full_names
from scorekeeper.seasons.access import one_season_edit_at_a_time, season_required
from scorekeeper.seasons.forms.season import SeasonForm
from scorekeeper.seasons.models import MAX_ROUNDS, Season
from scorekeeper.seasons.selectors.seasons import can_delete, list_possible_contests, list_seasons
from scorekeeper.seasons.selectors.standings import get_season_standings
from scorekeeper.seasons.services import seasons as services


def index(request: HttpRequest) -> HttpResponse:
    """List the seasons that the user runs."""
    assert request.user.is_authenticated
    return render(request, "seasons/list.html", {"seasons": list_seasons(request.user)})


@sent_once
def create(request: HttpRequest) -> HttpResponse:
    """Create a season without rounds."""
    assert request.user.is_authenticated
    form = SeasonForm(request.POST or None)
    if form.is_valid():
        season = services.create_season(request.user, **form.cleaned_data)
        messages.success(request, _("%(season)s has been created. Add its first ride.") % {"season": season})
        return redirect("seasons:overview", season.slug)
    return render(request, "seasons/create.html", {"form": form}, status=422 if form.is_bound else 200)


@sent_once
@season_required
def overview(request: HttpRequest, season: Season) -> HttpResponse:
    """Show the standings and the rounds, and add a round."""
    assert request.user.is_authenticated
    possible = list(list_possible_contests(season, request.user))
    problem = ""
    if request.method == "POST":
        chosen = parse_uuid(request.POST.get("contest", ""))
        contest = next((contest for contest in possible if contest.pk == chosen), None)
        if contest is None:
            problem = _("Choose one of the contests on the list.")
        else:
            try:
                added = services.add_round(season, contest)
            except services.TooManyRounds:
                problem = _("A season can have %(most)s contests. Remove one first.") % {"most": MAX_ROUNDS}
            else:
                return redirect("seasons:link", season.slug, added.pk)
    context = {
        "season": season,
        "standings": get_season_standings(season, get_full_names),
        "possible": possible,
        "problem": problem,
        "share_link": settings.BASE_URL + reverse("seasons:season", args=[season.slug]),
    }
    return render(request, "seasons/overview.html", context, status=422 if problem else 200)


@season_required
@one_season_edit_at_a_time
def edit(request: HttpRequest, season: Season) -> HttpResponse:
    """Change a season."""
    editing = Edit(request, partial(SeasonForm, initial=SeasonForm.get_initial(season)))
    if editing.is_valid():
        services.change_season(season, **editing.form.cleaned_data)
        messages.success(request, _("The season has been changed."))
        editing.announce(request)
        return redirect("seasons:overview", season.slug)
    can = can_delete(request.user, season)
    context = {"season": season, "form": editing.form, "edit": editing, "can_delete": can}
    return render(request, "seasons/edit.html", context, status=editing.status)


@season_required
@one_season_edit_at_a_time
def remove_round(request: HttpRequest, season: Season, round_id: UUID) -> HttpResponse:
    """Remove a round from the season, after confirmation."""
    found = get_object_or_404(season.rounds.select_related("contest__event"), pk=round_id)
    if request.method == "POST":
        services.remove_round(found)
        messages.success(request, _("%(contest)s no longer counts for the season.") % {"contest": found.contest})
        return redirect("seasons:overview", season.slug)
    return render(request, "seasons/remove_round.html", {"season": season, "round": found})


@season_required
@one_season_edit_at_a_time
def delete(request: HttpRequest, season: Season) -> HttpResponse:
    """Delete a season, after confirmation. Only who created it may: it may have rounds of other people's rides."""
    if not can_delete(request.user, season):
        return render(request, "seasons/delete_refused.html", {"season": season}, status=403)
    if request.method == "POST":
        services.delete_season(season)
        messages.success(request, _("%(season)s has been deleted.") % {"season": season})
        return redirect("seasons:list")
    return render(request, "seasons/delete.html", {"season": season})
