"""What is still missing in the crews of a ride: each group with bikes needs every role, with a link or a phone."""

from __future__ import annotations

from collections.abc import Container, Iterator
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from scorekeeper.bikes.selectors import list_bikes
from scorekeeper.crew.models import CrewMember, Device, Group, Invitation
from scorekeeper.crew.selectors import list_groups_with_crew
from scorekeeper.events.models import Event


def list_crew_gaps(event: Event) -> list[str]:
    """Return a sentence for each thing that a crew lacks, in a fixed number of database statements.

    Before any bike is in a group, every group counts.
    """
    with_bikes = set(list_bikes(event).exclude(group=None).order_by().values_list("group_id", flat=True))
    reachable = _list_reachable_members(event)
    groups = [group for group in list_groups_with_crew(event) if group.pk in with_bikes or not with_bikes]
    return [gap for group in groups for gap in _list_gaps(group, reachable)]


def _list_reachable_members(event: Event) -> set[UUID]:
    """Return the crew members whose phone has joined, or who have a link to join with."""
    now = timezone.now()
    phone = Device.objects.filter(member=OuterRef("pk"), revoked_at=None, expires_at__gt=now)
    link = Invitation.objects.filter(member=OuterRef("pk"), consumed_at=None, expires_at__gt=now)
    crew = CrewMember.objects.filter(Exists(phone) | Exists(link), group__event=event)
    return set(crew.values_list("pk", flat=True))


def _list_gaps(group: Group, reachable: Container[UUID]) -> Iterator[str]:
    crew = {role: [member for member in group.crew.all() if member.role == role] for role in CrewMember.Role}
    if roles := [str(role.label) for role, members in crew.items() if not members]:
        yield _("%(group)s has no %(roles)s") % {"group": group, "roles": get_text_list(roles, _("or"))}
    # One phone in each role is enough: a second supervisor may do without.
    unreachable = [members for members in crew.values() if not any(member.pk in reachable for member in members)]
    if names := [member.name for members in unreachable for member in members]:
        text = _("%(group)s: no link or phone for %(names)s yet")
        yield text % {"group": group, "names": get_text_list(names, _("and"))}
