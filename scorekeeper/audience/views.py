"""The button that puts a draw of cards on the screens of an event, and the one that takes it off."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from scorekeeper.audience.services import hide_draw, show_draw
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.standings.forms import make_entrants_key
from scorekeeper.standings.selectors.draws import list_draws
from scorekeeper.standings.selectors.leaderboard import get_leaderboard


@organiser_required
def steer_draw(request: OrganiserRequest, event: Event, contest_slug: str) -> HttpResponse:
    """Put the draw of a tie on the screens, or take it off them, depending on the button."""
    contest = get_object_or_404(Contest.objects.select_related("event"), event=event, slug=contest_slug)
    key = request.POST.get("holders", "")
    if not key:
        hide_draw(event)
        messages.success(request, _("The draw is off the screens."))
        return redirect("desk:ties", event.slug, contest.slug)
    draws = list_draws(contest, get_leaderboard(contest))
    draw = next((draw for draw in draws for one in draw.rounds if make_entrants_key(one.entrants) == key), None)
    if draw is None:
        messages.warning(request, _("These bikes are no longer tied. This page now shows the current state."))
    else:
        show_draw(contest, draw.entrants)
        messages.success(request, _("The draw is on the screens."))
    return redirect("desk:ties", event.slug, contest.slug)
