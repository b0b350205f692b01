"""The contests of an event in words, each with who leads: the same on the event's page and in its stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.common.game_adapter import translate
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.scorecards.canonical import canonical_json, sha256
from scorekeeper.standings.selectors.first_places import FirstPlace, list_first_places
from scorekeeper.standings.selectors.holder_names import get_public_names
from scorekeeper.standings.wording import format_holder

MAX_NAMES = 3  # of those who share the first place


@dataclass(frozen=True)
class ContestPresenter:
    """A contest on the page of its event.

    Attributes:
        game: what is played.
        lead: who leads and with what, "Ann, Points: 1,240"; "" while nobody has begun.
        news: the same in a sentence that names the contest; "" while nobody has begun.
        position: among the contests of the event, from 1.
    """

    contest: Contest
    game_name: str
    leaders_text: str
    announcement: str
    position: int


@dataclass(frozen=True)
class EventPresenter:
    """An event with its contests, in their order."""

    event: Event
    contests: tuple[ContestPresenter, ...]

    @cached_property
    def contests_html(self) -> Mapping[UUID, SafeString]:
        """The contests as they stand in the page, by their ids."""
        return {one.contest.pk: _render_contest(self.event, one) for one in self.contests}

    def get_digest(self) -> str:
        """Return one word for everything that is shown."""
        return sha256(canonical_json([self.event.name, self.event.date.isoformat(), *self.contests_html.values()]))

    def to_context(self) -> dict[str, Any]:
        """Return what `standings/_event.html` is made of."""
        return {"event": self.event, "contests_html": self.contests_html.values()}


def get_event_presenter(event: Event) -> EventPresenter:
    """Return an event as the public sees it; a fixed number of statements."""
    leads, people = list_first_places(event), get_public_names(event)
    contests = (
        _present_contest(contest, leads.get(contest.pk), people, position)
        for position, contest in enumerate(list_contests(event), 1)
    )
    return EventPresenter(event, tuple(contests))


def _present_contest(
    contest: Contest, lead: FirstPlace | None, people: Mapping[UUID, str], position: int
) -> ContestPresenter:
    said = "" if lead is None else _format_leaders(contest, lead, people)
    return ContestPresenter(
        contest, translate(contest.game.name), said, said and _format_announcement(contest, said), position
    )


def _render_contest(event: Event, one: ContestPresenter) -> SafeString:
    drawn = render_to_string("standings/_contest.html", {"event": event, "one": one})
    return mark_safe(drawn.strip())  # noqa: S308 - it comes from the template


def _format_leaders(contest: Contest, lead: FirstPlace, people: Mapping[UUID, str]) -> str:
    names = [format_holder(number, people.get(holder, "")) for holder, number in lead.holders[:MAX_NAMES]]
    more = len(lead.holders) - len(names)
    if more:
        names.append(ngettext("%(count)s more", "%(count)s more", more) % {"count": more})
    words = {"names": get_text_list(names, _("and")), "label": translate(contest.game.total_label), "total": lead.total}
    return _("%(names)s, %(label)s: %(total)s") % words


def _format_announcement(contest: Contest, lead: str) -> str:
    words = {"contest": contest.name, "lead": lead}
    if contest.status == Contest.Status.OFFICIAL:
        return _("%(contest)s, first place: %(lead)s") % words
    return _("%(contest)s, in the lead: %(lead)s") % words
