"""Lookups for public URLs, and the breadcrumbs of public pages.

A draft event and a missing one are both not found (404), so nobody can tell them apart.
"""

from __future__ import annotations

from uuid import UUID

from django.http import Http404
from django.urls import reverse

from scorekeeper.audience.leaderboard_presenter import find_board_class
from scorekeeper.audience.visible_standings import get_audience_view
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_freeze, get_open_contest, get_open_event
from scorekeeper.players.class_members import list_classes


def get_public_event(slug: str) -> Event:
    """Return an open event, listed or not.

    Raises:
        Http404: there is none at this URL.
    """
    event = get_open_event(slug)
    if event is None:
        raise Http404
    return event


def get_public_contest(slug: str, contest_slug: str) -> Contest:
    """Return a contest of an open event.

    Raises:
        Http404: there is none at this URL.
    """
    contest = get_open_contest(slug, contest_slug)
    if contest is None:
        raise Http404
    return contest


def get_public_class_name(contest: Contest, class_id: UUID) -> str:
    """Return the name of a class that has a board in a contest.

    Raises:
        Http404: there is none at this URL.
    """
    # A frozen or published leaderboard has the names of then, also of classes that were deleted since.
    if get_freeze(contest.event) is not None or contest.status == Contest.Status.OFFICIAL:
        found = find_board_class(contest, get_audience_view(contest).get_leaderboard(), class_id)
        name = None if found is None else found.name
    else:
        name = list_classes(contest.event).filter(pk=class_id).values_list("name", flat=True).first()
    if name is None:
        raise Http404
    return name


def list_breadcrumbs(contest: Contest, page: str | None = None) -> list[dict[str, str]]:
    """Return the breadcrumbs of a contest's page, or of a page below it, for `components/breadcrumb.html`."""
    event, addresses = contest.event, [contest.event.slug, contest.slug]
    crumbs = [{"href": reverse("results:event", args=[event.slug]), "text": event.name}]
    if page is None:
        return [*crumbs, {"href": "", "text": contest.name}]
    board = {"href": reverse("results:leaderboard", args=addresses), "text": contest.name}
    return [*crumbs, board, {"href": "", "text": page}]
