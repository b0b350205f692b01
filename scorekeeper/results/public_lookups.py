"""Lookups for public URLs, and the breadcrumbs of public pages.

A draft event and a missing one are both not found (404), so nobody can tell them apart.
"""

from __future__ import annotations

from django.http import Http404
from django.urls import reverse

from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_open_contest, get_open_event


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


def list_breadcrumbs(contest: Contest, page: str | None = None) -> list[dict[str, str]]:
    """Return the breadcrumbs of a contest's page, or of a page below it, for `components/breadcrumb.html`."""
    event, addresses = contest.event, [contest.event.slug, contest.slug]
    crumbs = [{"href": reverse("results:event", args=[event.slug]), "text": event.name}]
    if page is None:
        return [*crumbs, {"href": "", "text": contest.name}]
    board = {"href": reverse("results:leaderboard", args=addresses), "text": contest.name}
    return [*crumbs, board, {"href": "", "text": page}]
