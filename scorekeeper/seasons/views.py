"""The pages on which a season is run, its public page, and its export."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TypeVar
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.common.concurrent_edits import Edit
from scorekeeper.common.public_files import limit_public_reads, send_public_file
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.common.sent_once import sent_once
from scorekeeper.events.confirmation import Confirmation
from scorekeeper.events.noindex import NOINDEX, ROBOTS_HEADER
from scorekeeper.players.selectors import get_full_names, get_public_names
from scorekeeper.results.exports.export_sheets import CellValue, ExportSheet
from scorekeeper.results.exports.writers import write_csv
from scorekeeper.seasons import services
from scorekeeper.seasons.access import one_season_edit_at_a_time, season_required
from scorekeeper.seasons.forms import LinksForm, SeasonForm
from scorekeeper.seasons.models import MAX_ROUNDS, Season
from scorekeeper.seasons.selectors import (
    PresentedRow,
    RoundCell,
    SeasonClass,
    SeasonStandings,
    can_delete,
    get_public_season,
    get_season_standings,
    get_season_version,
    list_possible_contests,
    list_season_classes,
    list_seasons,
    propose_links,
)

R = TypeVar("R", bound=HttpResponseBase)
CSV = "text/csv; charset=utf-8"


def list_own(request: HttpRequest) -> HttpResponse:
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
        messages.success(request, _("%(season)s has been created. Add its first event.") % {"season": season})
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
                count = services.link_everyone_as_new(added)
                if count == 0:
                    return redirect("seasons:link", season.slug, added.pk)
                text = ngettext(
                    "%(contest)s has been added, and its rider counts. To leave someone out, open “Who is who”.",
                    "%(contest)s has been added, and all %(count)s riders in its result count. To leave someone out, "
                    "open “Who is who”.",
                    count,
                )
                messages.success(request, text % {"contest": contest, "count": count})
                return redirect("seasons:overview", season.slug)
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
        editing.announce(request, _("The season has been changed."))
        return redirect("seasons:overview", season.slug)
    can = can_delete(request.user, season)
    context = {"season": season, "form": editing.form, "edit": editing, "can_delete": can}
    return render(request, "seasons/edit.html", context, status=editing.status)


@season_required
@one_season_edit_at_a_time
def remove_round(request: HttpRequest, season: Season, round_id: UUID) -> HttpResponse:
    """Remove a round from the season, after confirmation."""
    found = get_object_or_404(season.rounds.select_related("contest__event"), pk=round_id)
    names = {"event": found.contest.event, "contest": found.contest}
    return Confirmation(
        title=_("Remove a contest"),
        question=_("Remove %(event)s: %(contest)s from the season?") % names,
        explanation=_("It no longer counts, and who is who of it is forgotten. Its result stays as it is."),
        button=_("Remove it"),
        done=_("%(contest)s no longer counts for the season.") % names,
        back=reverse("seasons:overview", args=[season.slug]),
    ).answer(request, partial(services.remove_round, found))


@season_required
@one_season_edit_at_a_time
def delete(request: HttpRequest, season: Season) -> HttpResponse:
    """Delete a season, after confirmation. Only who created it may: it may have rounds of other people's rides."""
    if not can_delete(request.user, season):
        return render(request, "seasons/delete_refused.html", {"season": season}, status=403)
    return Confirmation(
        title=_("Delete a season"),
        question=_("Delete “%(season)s”?") % {"season": season},
        explanation=_("Its public page is gone, and who is who in it is forgotten. The events and their results stay."),
        button=_("Delete this season"),
        done=_("%(season)s has been deleted.") % {"season": season},
        back=reverse("seasons:edit", args=[season.slug]),
        next_url=reverse("seasons:list"),
    ).answer(request, partial(services.delete_season, season))


@season_required
@one_season_edit_at_a_time
def link_riders(request: HttpRequest, season: Season, round_id: UUID) -> HttpResponse:
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
        editing.announce(request, _("The riders of %(contest)s have been saved.") % {"contest": found.contest})
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
def merge_riders(request: HttpRequest, season: Season, rider_id: UUID) -> HttpResponse:
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
                problem = _("These two took part in one event, so they are two people.")
            else:
                messages.success(request, _("Both are one rider now."))
                return redirect("seasons:overview", season.slug)
    context = {"season": season, "row": row, "possible": possible, "problem": problem}
    return render(request, "seasons/merge.html", context, status=422 if problem else 200)


def make_season_sheet(standings: SeasonStandings) -> ExportSheet:
    """Return a row for each rider, with the place and the points of every round; a dropped result is in brackets."""
    rounds = {
        f"round_{number}": f"{one.round.contest.event.name}, {one.round.contest.name}"
        for number, one in enumerate(standings.rounds, 1)
    }
    headings = {"place": _("Place"), "rider": _("Rider"), "total": _("Points"), **rounds}
    return ExportSheet(_("Standings"), headings, (_make_row(row) for row in standings.rows), fixed=2)


def _make_row(row: PresentedRow) -> list[CellValue]:
    return [row.row.rank_label, row.name, row.row.total, *(_format_cell(cell) for cell in row.cells)]


def _format_cell(cell: RoundCell | None) -> CellValue:
    if cell is None:
        return None
    return cell.result.points if cell.result.counts else f"({cell.result.points})"


def show_season(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the standings of a season and its rounds. `?class=` counts the places among the members of a class."""
    season = _find_season(season_slug)
    classes = list_season_classes(season)
    current = _find_class(request, classes)
    standings = get_season_standings(season, get_public_names, "" if current is None else current.key)
    context = {"season": season, "standings": standings, "classes": classes, "class": current}
    return _keep_unlisted(season, render(request, "seasons/season.html", context))


def show_rider(request: HttpRequest, season_slug: str, rider_id: UUID) -> HttpResponse:
    """Show what a rider has from each round, or that none of the rider's results is public now."""
    standings = _read_standings(season_slug)
    get_object_or_404(standings.season.riders, pk=rider_id)
    context = {"season": standings.season, "row": standings.get_row(rider_id)}
    return _keep_unlisted(standings.season, render(request, "seasons/rider.html", context))


@limit_public_reads
def export_season(request: HttpRequest, season_slug: str) -> HttpResponseBase:
    """Send the standings as a file. `?class=` is as for the page."""
    found = _find_season(season_slug)
    current = _find_class(request, list_season_classes(found))
    key, name = ("", "") if current is None else current

    def make() -> tuple[str, Iterable[bytes]]:
        standings = get_season_standings(found, get_public_names, key)
        file = f"{season_slug}-{slugify(name)}.csv" if name else f"{season_slug}.csv"
        return file, write_csv(make_season_sheet(standings))

    return _keep_unlisted(found, send_public_file(request, (get_season_version(found), key), make, CSV))


def _find_class(request: HttpRequest, classes: Sequence[SeasonClass]) -> SeasonClass | None:
    """Return the class that the address asks for; None for everyone.

    Raises:
        Http404: no published result of the season has it.
    """
    key = request.GET.get("class", "")
    found = next((one for one in classes if one.key == key), None)
    if key and found is None:
        raise Http404
    return found


def _keep_unlisted(season: Season, response: R) -> R:
    """Keep search engines away from a season that the front page does not list."""
    if not season.is_listed:
        response.headers[ROBOTS_HEADER] = NOINDEX
    return response


def _read_standings(slug: str) -> SeasonStandings:
    return get_season_standings(_find_season(slug), get_public_names)


def _find_season(slug: str) -> Season:
    found: Season | None = get_public_season(slug)
    if found is None:
        raise Http404
    return found
