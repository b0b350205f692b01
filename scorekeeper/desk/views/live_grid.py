"""The live desk: a grid of bikes and slots that follows what crews record."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from scorekeeper.desk.forms import GridFilterForm
from scorekeeper.desk.selectors.live_grid import LiveGrid, LogPosition, get_live_grid, list_changed_bikes
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import list_contests


@organiser_required
def show_grid(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show the grid of one contest."""
    form = _read_filters(request, event)
    if form is None:
        return render(request, "desk/live.html", {"event": event})
    grid = get_live_grid(form.chosen_contest, form.chosen)
    return render(request, "desk/live.html", {**_make_context(event, grid), "form": form})


@organiser_required
def show_changes(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Return the rows that have changed since the page was made, or the whole grid if that cannot be told.

    Changed rows that do not match the filters are empty, so that the page removes them.
    """
    form, since = _read_filters(request, event), LogPosition.parse(request.GET.get("since", ""))
    if form is None:
        return HttpResponse(status=204)
    contest = form.chosen_contest
    bikes = None if since is None else list_changed_bikes(contest, since)
    grid = get_live_grid(contest, form.chosen, bikes)
    if bikes is not None and since is not None and grid.position.open_slots != since.open_slots:
        bikes, grid = None, get_live_grid(contest, form.chosen)
    context = _make_context(event, grid)
    if bikes is None:
        return render(request, "desk/_grid_whole.html", context)
    no_match = bikes - {row.bike.pk for row in grid.rows}
    return render(request, "desk/_grid_changes.html", {**context, "no_match": no_match})


def _read_filters(request: HttpRequest, event: Event) -> GridFilterForm | None:
    """Return the filters; None if no contest of the event is played at stops."""
    contests = list(list_contests(event).filter(slots__isnull=False).distinct())
    return GridFilterForm(request.GET, event=event, contests=contests) if contests else None


def _make_context(event: Event, grid: LiveGrid) -> dict[str, Any]:
    counts = [(state.value, state.label, count) for state, count in grid.counts.items()]
    return {"event": event, "grid": grid, "counts": counts}
