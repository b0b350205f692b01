"""What a public address leads to, and the way to it.

A draft, and whatever is not there, is not found; nothing tells the two apart.
"""

from __future__ import annotations

from django.http import Http404
from django.urls import reverse

from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_open_contest, get_open_event


def get_public_event(slug: str) -> Event:
    """Return an open event, listed or not.

    Raises:
        Http404: there is none at this address.
    """
    event = get_open_event(slug)
    if event is None:
        raise Http404
    return event


def get_public_contest(slug: str, contest_slug: str) -> Contest:
    """Return a contest of an open event.

    Raises:
        Http404: there is none at this address.
    """
    contest = get_open_contest(slug, contest_slug)
    if contest is None:
        raise Http404
    return contest


def list_breadcrumbs(contest: Contest, page: str | None = None) -> list[dict[str, str]]:
    """Return the way to a contest's page, or to a page below it, as `components/breadcrumb.html` takes it."""
    event, addresses = contest.event, [contest.event.slug, contest.slug]
    crumbs = [{"href": reverse("results:event", args=[event.slug]), "text": event.name}]
    if page is None:
        return [*crumbs, {"href": "", "text": contest.name}]
    board = {"href": reverse("results:leaderboard", args=addresses), "text": contest.name}
    return [*crumbs, board, {"href": "", "text": page}]
