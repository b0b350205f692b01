"""What a public address leads to, and the way to it.

A draft, and whatever is not there, is not found; nothing tells the two apart.
"""

from __future__ import annotations

from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse

from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_open_event


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
    contests = Contest.objects.select_related("event")
    return get_object_or_404(contests, slug=contest_slug, event__slug=slug, event__state=Event.State.OPEN)


def get_holder_url(contest: Contest, holder_id: UUID) -> str:
    """Return the address of what somebody in a contest played: the card of a bike, or the tables they sat at."""
    page = "bike" if contest.game.recorded_by == "turn" else "seats"
    return reverse(f"results:{page}", args=[contest.event.slug, contest.slug, holder_id])


def list_crumbs(contest: Contest, page: str | None = None) -> list[dict[str, str]]:
    """Return the way to a contest's page, or to a page below it, as `components/breadcrumb.html` takes it."""
    event, addresses = contest.event, [contest.event.slug, contest.slug]
    crumbs = [{"href": reverse("results:event", args=[event.slug]), "text": event.name}]
    if page is None:
        return [*crumbs, {"href": "", "text": contest.name}]
    board = {"href": reverse("results:leaderboard", args=addresses), "text": contest.name}
    return [*crumbs, board, {"href": "", "text": page}]
