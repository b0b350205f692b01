"""What an event needs before it can be opened, in the order in which it is entered.

Each step is entered on one page. The overview of a draft lists the steps, and those pages lead on to the next one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.bikes.selectors import list_bikes
from scorekeeper.desk.selectors.crew_gaps import get_crew_gaps
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import list_contests


@dataclass(frozen=True, slots=True)
class SetupStep:
    """Something an event needs before the ride.

    Attributes:
        is_done: whether the event has it.
        text: what it is.
        action: what the organiser does next for it.
        href: the page on which that is done.
        missing: a sentence for each part that is still missing.
    """

    is_done: bool
    text: str
    action: str
    href: str
    missing: tuple[str, ...] = ()


def list_setup_steps(event: Event) -> list[SetupStep]:
    """Return what an event needs, done or not."""
    has_groups = event.groups.exists()
    gaps = get_crew_gaps(event)
    groups_page = _get_url("crew:groups", event)
    return [
        SetupStep(
            event.stops.exists(),
            _("Stops, in the order they are ridden"),
            _("Add the stops"),
            _get_url("stops:list", event),
        ),
        _get_contest_step(event),
        SetupStep(has_groups, _("Groups"), _("Add the groups"), groups_page),
        SetupStep(
            list_bikes(event).exists(),
            _("Bikes and riders"),
            _("Add bikes and riders"),
            _get_url("players:roster", event),
        ),
        SetupStep(
            gaps.has_crew and not gaps.roles,
            _("Crew for every group"),
            _("Add the crew"),
            groups_page,
            gaps.roles,
        ),
        SetupStep(
            gaps.has_crew and not gaps.links,
            _("A link for the phone of each crew member"),
            _("Print the crew’s links"),
            _get_url("crew:sheet", event),
            gaps.links,
        ),
    ]


def find_next_step(steps: Iterable[SetupStep]) -> SetupStep | None:
    """Return the first step that is not done; None once all are."""
    return next((step for step in steps if not step.is_done), None)


def _get_contest_step(event: Event) -> SetupStep:
    contests = list(list_contests(event).annotate(turns=Count("slots")))
    turns_assigned = all(contest.turns for contest in contests if contest.game.slot_option)
    return SetupStep(
        bool(contests) and turns_assigned,
        _("A contest, with its turns assigned to stops"),
        _("Assign turns to stops") if contests else _("Add a contest"),
        _get_url("events:contests", event),
    )


def _get_url(page: str, event: Event) -> str:
    return reverse(page, args=[event.slug])
