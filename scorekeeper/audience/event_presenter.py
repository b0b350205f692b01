"""Presenters for the contests of an event, each with its leaders: the same on the event's page and in its stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.audience.visible_standings import EventStandings, get_event_standings
from scorekeeper.common.game_adapter import show_total, translate
from scorekeeper.common.word_lists import join_and
from scorekeeper.events.event_times import format_freeze_notice
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.players.selectors import format_entrant, get_public_names
from scorekeeper.standings.selectors.first_places import FirstPlace
from scorekeeper.standings.wording import label_total

MAX_NAMES = 3  # of the entrants who share the first place


@dataclass(frozen=True)
class ContestPresenter:
    """A contest on the page of its event.

    Attributes:
        game_name: the name of the game.
        leaders_text: the leaders and their total, "Ann, Points: 1,240"; "" while nobody has started.
        announcement: the same in a sentence that names the contest; "" while nobody has started.
        position: among the contests of the event, from 1.
        status: of the contest, as the audience may see it.
    """

    contest: Contest
    game_name: str
    leaders_text: str
    announcement: str
    position: int
    status: str


@dataclass(frozen=True)
class EventPresenter:
    """An event with its contests, in their order.

    Attributes:
        freeze_notice: a notice that the standings are frozen; "" while they are not.
    """

    event: Event
    contests: tuple[ContestPresenter, ...]
    freeze_notice: str = ""

    @cached_property
    def contests_html(self) -> Mapping[UUID, SafeString]:
        """The rendered contests, by their ids."""
        return {presenter.contest.pk: _render_contest(self.event, presenter) for presenter in self.contests}

    def get_digest(self) -> str:
        """Return a digest of everything that is shown."""
        head = [self.event.name, self.event.date.isoformat(), self.freeze_notice]
        return sha256(canonical_json([*head, *self.contests_html.values()]))

    def to_context(self) -> dict[str, Any]:
        """Return the context of `standings/_event.html`."""
        return {"event": self.event, "contests_html": self.contests_html.values(), "frozen": self.freeze_notice}


def get_event_presenter(event: Event) -> EventPresenter:
    """Return an event as the audience may see it, in a fixed number of statements."""
    standings, people = get_event_standings(event), get_public_names(event)
    contests = (
        _present_contest(contest, standings, people, position)
        for position, contest in enumerate(list_contests(event), 1)
    )
    freeze = standings.freeze
    notice = "" if freeze is None or freeze.at is None else format_freeze_notice(freeze.at, event)
    return EventPresenter(event, tuple(contests), notice)


def _present_contest(
    contest: Contest, standings: EventStandings, people: Mapping[UUID, str], position: int
) -> ContestPresenter:
    first_place, status = standings.first_places.get(contest.pk), standings.get_status(contest)
    leaders = "" if first_place is None else _format_leaders(contest, first_place, people)
    announcement = leaders and _format_announcement(contest, status, leaders)
    return ContestPresenter(contest, translate(contest.game.name), leaders, announcement, position, status)


def _render_contest(event: Event, presenter: ContestPresenter) -> SafeString:
    html = render_to_string("standings/_contest.html", {"event": event, "presenter": presenter})
    return mark_safe(html.strip())  # noqa: S308 - it comes from the template


def _format_leaders(contest: Contest, first_place: FirstPlace, people: Mapping[UUID, str]) -> str:
    names = [format_entrant(number, people.get(entrant, "")) for entrant, number in first_place.entrants[:MAX_NAMES]]
    more = len(first_place.entrants) - len(names)
    if more:
        names.append(ngettext("%(count)s more", "%(count)s more", more) % {"count": more})
    label = label_total(contest.game, first_place.standings_version)
    params = {
        "names": join_and(names),
        "label": label,
        "total": show_total(contest.game, first_place.total),
    }
    return _("%(names)s, %(label)s: %(total)s") % params


def _format_announcement(contest: Contest, status: str, leaders: str) -> str:
    params = {"contest": contest.name, "lead": leaders}
    if status == Contest.Status.OFFICIAL:
        return _("%(contest)s, first place: %(lead)s") % params
    return _("%(contest)s, in the lead: %(lead)s") % params
