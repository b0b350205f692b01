"""The button that puts a draw of cards on the screens of an event, and the one that takes it off."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from scorekeeper.audience.draws import DrawBoard, list_draw_boards
from scorekeeper.audience.services import hide_draw, show_draw
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.standings.draw import Draw
from scorekeeper.standings.forms import make_entrants_key
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
    found = _find_draw(contest, key)
    if found is None:
        messages.warning(request, _("These bikes are no longer tied. This page now shows the current state."))
    else:
        show_draw(contest, found[1].entrants, found[0])
        messages.success(request, _("The draw is on the screens."))
    return redirect("desk:ties", event.slug, contest.slug)


def _find_draw(contest: Contest, key: str) -> tuple[UUID | None, Draw] | None:
    """Return the draw of one of the groups that cut, with its class; None if they are no longer tied.

    Args:
        key: of those who cut, for a class after its id and a colon.
    """
    class_id, _colon, entrants = key.rpartition(":")
    for one in list_draw_boards(contest, get_leaderboard(contest)):
        if class_id == _get_class_key(one):
            for draw in one.list_draws():
                if any(make_entrants_key(each.entrants) == entrants for each in draw.rounds):
                    return (one.board_class.id if one.board_class else None), draw
    return None


def _get_class_key(board: DrawBoard) -> str:
    return "" if board.board_class is None else str(board.board_class.id)
