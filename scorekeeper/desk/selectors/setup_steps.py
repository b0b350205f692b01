"""What an event needs before the ride, in the order in which it is entered, and what it may have besides.

Each step is entered on one page. The overview of a draft lists the steps, and those pages lead on to the next one.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Exists, OuterRef
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from scorekeeper.bikes.selectors import list_bikes
from scorekeeper.common.word_lists import join_and, join_or
from scorekeeper.crew.models import CrewMember, Device, Group, Invitation
from scorekeeper.crew.selectors import list_groups_with_crew
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import list_contests

CrewByRole = Mapping[CrewMember.Role, Sequence[CrewMember]]


@dataclass(frozen=True)
class CrewGaps:
    """What the crews of a ride lack.

    Attributes:
        has_crew: whether anybody is in a crew that counts.
        roles: a sentence for each group in which nobody has some role.
        links: a sentence for each group in which members have neither a phone nor a link.
    """

    has_crew: bool
    roles: tuple[str, ...]
    links: tuple[str, ...]


def get_crew_gaps(event: Event) -> CrewGaps:
    """Return what the crews lack, in a fixed number of database statements.

    Before any bike is in a group, every group counts.
    """
    with_bikes = set(list_bikes(event).exclude(group=None).order_by().values_list("group_id", flat=True))
    reachable = _list_reachable_members(event)
    groups = [group for group in list_groups_with_crew(event) if group.pk in with_bikes or not with_bikes]
    crews = [(group, _get_crew_by_role(group)) for group in groups]
    return CrewGaps(
        has_crew=any(members for _group, crew in crews for members in crew.values()),
        roles=tuple(gap for group, crew in crews for gap in _list_missing_roles(group, crew)),
        links=tuple(gap for group, crew in crews for gap in _list_missing_links(group, crew, reachable)),
    )


def _list_reachable_members(event: Event) -> set[UUID]:
    """Return the crew members whose phone has joined, or who have a link to join with."""
    now = timezone.now()
    phone = Device.objects.filter(member=OuterRef("pk"), revoked_at=None, expires_at__gt=now)
    link = Invitation.objects.filter(member=OuterRef("pk"), consumed_at=None, expires_at__gt=now)
    crew = CrewMember.objects.filter(Exists(phone) | Exists(link), group__event=event)
    return set(crew.values_list("pk", flat=True))


def _get_crew_by_role(group: Group) -> CrewByRole:
    return {role: [member for member in group.crew.all() if member.role == role] for role in CrewMember.Role}


def _list_missing_roles(group: Group, crew: CrewByRole) -> Iterator[str]:
    if roles := [str(role.label) for role, members in crew.items() if not members]:
        yield _("%(group)s has no %(roles)s") % {"group": group, "roles": join_or(roles)}


def _list_missing_links(group: Group, crew: CrewByRole, reachable: Container[UUID]) -> Iterator[str]:
    # One phone in each role is enough: a second supervisor may do without.
    unreachable = [members for members in crew.values() if not any(member.pk in reachable for member in members)]
    if names := [member.name for members in unreachable for member in members]:
        text = _("%(group)s: no link or phone for %(names)s yet")
        yield text % {"group": group, "names": join_and(names)}


@dataclass(frozen=True, slots=True)
class SetupStep:
    """Something an event needs before the ride.

    Attributes:
        is_done: whether the event has it.
        text: what it is.
        action: what the organiser does next for it.
        href: the page on which that is done.
        missing: a sentence for each part that is still missing.
        is_optional: whether an event is ready without it.
    """

    is_done: bool
    text: str
    action: str
    href: str
    missing: tuple[str, ...] = ()
    is_optional: bool = False


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
        SetupStep(
            event.prizes.exists(),
            _("Prizes, in the order they are announced"),
            _("Add the prizes"),
            _get_url("prizes:list", event),
            is_optional=True,
        ),
    ]


def list_missing_steps(steps: Iterable[SetupStep]) -> list[SetupStep]:
    """Return the steps that are not done; those that an event is ready without are left out."""
    return [step for step in steps if not step.is_done and not step.is_optional]


def find_next_step(steps: Iterable[SetupStep]) -> SetupStep | None:
    """Return the first of them; None once all are done."""
    return next(iter(list_missing_steps(steps)), None)


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
