"""Presenters for the contests of an event, each with its leaders: the same on the event's page and in its stream."""

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
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.players.selectors.holder_names import format_holder, get_public_names
from scorekeeper.standings.selectors.first_places import FirstPlace, list_first_places
from scorekeeper.standings.wording import label_total

MAX_NAMES = 3  # of the holders who share the first place


@dataclass(frozen=True)
class ContestPresenter:
    """A contest on the page of its event.

    Attributes:
        game_name: the name of the game.
        leaders_text: the leaders and their total, "Ann, Points: 1,240"; "" while nobody has started.
        announcement: the same in a sentence that names the contest; "" while nobody has started.
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
        """The rendered contests, by their ids."""
        return {presenter.contest.pk: _render_contest(self.event, presenter) for presenter in self.contests}

    def get_digest(self) -> str:
        """Return a digest of everything that is shown."""
        return sha256(canonical_json([self.event.name, self.event.date.isoformat(), *self.contests_html.values()]))

    def to_context(self) -> dict[str, Any]:
        """Return the context of `standings/_event.html`."""
        return {"event": self.event, "contests_html": self.contests_html.values()}


def get_event_presenter(event: Event) -> EventPresenter:
    """Return an event as the public sees it, in a fixed number of statements."""
    first_places, people = list_first_places(event), get_public_names(event)
    contests = (
        _present_contest(contest, first_places.get(contest.pk), people, position)
        for position, contest in enumerate(list_contests(event), 1)
    )
    return EventPresenter(event, tuple(contests))


def _present_contest(
    contest: Contest, first_place: FirstPlace | None, people: Mapping[UUID, str], position: int
) -> ContestPresenter:
    leaders = "" if first_place is None else _format_leaders(contest, first_place, people)
    return ContestPresenter(
        contest, translate(contest.game.name), leaders, leaders and _format_announcement(contest, leaders), position
    )


def _render_contest(event: Event, presenter: ContestPresenter) -> SafeString:
    html = render_to_string("standings/_contest.html", {"event": event, "presenter": presenter})
    return mark_safe(html.strip())  # noqa: S308 - it comes from the template


def _format_leaders(contest: Contest, first_place: FirstPlace, people: Mapping[UUID, str]) -> str:
    names = [format_holder(number, people.get(holder, "")) for holder, number in first_place.holders[:MAX_NAMES]]
    more = len(first_place.holders) - len(names)
    if more:
        names.append(ngettext("%(count)s more", "%(count)s more", more) % {"count": more})
    label = label_total(contest.game, first_place.standings_version)
    params = {"names": get_text_list(names, _("and")), "label": label, "total": first_place.total}
    return _("%(names)s, %(label)s: %(total)s") % params


def _format_announcement(contest: Contest, leaders: str) -> str:
    params = {"contest": contest.name, "lead": leaders}
    if contest.status == Contest.Status.OFFICIAL:
        return _("%(contest)s, first place: %(lead)s") % params
    return _("%(contest)s, in the lead: %(lead)s") % params
