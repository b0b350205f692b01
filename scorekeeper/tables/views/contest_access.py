"""Access to the pages about all tables of a contest, for any phone of the event's crew and for organisers.

The views get a `ContestTablesContext` and need not know who opened the page. A contest of another event, or one that
is played at the stops, is not found (404).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.scorecards.card_kinds import is_of_kind


@dataclass(frozen=True)
class ContestTablesContext:
    """A contest that is played at tables, and who views it."""

    actor: Actor
    event: Event
    contest: Contest

    @property
    def list_url(self) -> str:
        """The URL of the list of tables."""
        return self._url("list") if self.actor.is_organiser else reverse("tables:list")

    @property
    def create_url(self) -> str:
        """The URL of the page that creates tables one at a time."""
        return self._url("deal")

    @property
    def plan_url(self) -> str:
        """The URL of the page that creates tables for everyone; only organisers have one."""
        return self._url("plan")

    def _url(self, page: str) -> str:
        if self.actor.is_organiser:
            return reverse(f"tables:desk_{page}", args=[self.event.slug, self.contest.slug])
        return reverse(f"tables:{page}", args=[self.contest.slug])


ContestView = Callable[[HttpRequest, ContestTablesContext], HttpResponse]


def crew_contest_view(view: ContestView) -> Callable[..., HttpResponse]:
    """Give every phone of the event's crew access to a page."""

    @crew_required
    def opened(request: CrewRequest, contest_slug: str) -> HttpResponse:
        actor, event = Actor.from_device(request.device), request.device.member.group.event
        return view(request, _get_context(actor, event, contest_slug))

    return opened


def desk_contest_view(view: ContestView) -> Callable[..., HttpResponse]:
    """Give the organisers of the event access to a page."""

    @organiser_required
    def opened(request: OrganiserRequest, event: Event, contest_slug: str) -> HttpResponse:
        return view(request, _get_context(Actor.from_organiser(request.organiser), event, contest_slug))

    return opened


def _get_context(actor: Actor, event: Event, slug: str) -> ContestTablesContext:
    try:
        contest = get_contest(event, slug)
    except Contest.DoesNotExist as error:
        raise Http404 from error
    if not is_of_kind(contest.game, "action"):
        raise Http404
    return ContestTablesContext(actor, event, contest)
