"""The contests of an event: listing them, choosing a game for a new one, and deleting one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from scorekeeper.common.game_adapter import list_games, translate
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.events.services import contests as services


@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the event's contests."""
    rows = [(contest, translate(contest.game.name)) for contest in list_contests(event)]
    return render(request, "events/contests.html", {"event": event, "rows": rows})


@organiser_required
def choose_game(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Ask which game is played. With only one game there is nothing to choose."""
    games = list_games()
    if len(games) == 1:
        return redirect("events:create_contest", event.slug, *games)
    choices = [(key, translate(game.name)) for key, game in games.items()]
    return render(request, "events/choose_game.html", {"event": event, "games": choices})


@organiser_required
def delete(request: OrganiserRequest, event: Event, contest_slug: str) -> HttpResponse:
    """Delete a contest that was never played, after confirmation."""
    contest = get_object_or_404(event.contests, slug=contest_slug)
    if request.method == "POST":
        try:
            services.delete_contest(contest)
        except services.ContestFrozen:
            messages.error(request, _("%(contest)s has been played, so it cannot be deleted.") % {"contest": contest})
            return redirect("events:edit_contest", event.slug, contest.slug)
        messages.success(request, _("%(contest)s has been deleted.") % {"contest": contest})
        return redirect("events:contests", event.slug)
    return render(request, "events/delete_contest.html", {"event": event, "contest": contest})
