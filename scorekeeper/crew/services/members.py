"""Adding, changing and deleting crew members. Their ids go into the log; their names never do."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from scorekeeper.crew.models import CrewMember, Group
from scorekeeper.stops.models import Stop


class MemberInUse(Exception):
    """The member has had a phone, so entries may have their id."""


@transaction.atomic
def add_member(group: Group, *, name: str, role: str, any_bike_at: Iterable[Stop] = ()) -> CrewMember:
    """Return a new member of the group's crew.

    Args:
        any_bike_at: the stops where they record for the bikes of every group.
    """
    member = CrewMember.objects.create(group=group, name=name, role=role)
    member.any_bike_at.set(any_bike_at)
    return member


@transaction.atomic
def update_member(
    member: CrewMember, *, name: str, role: str, group: Group, any_bike_at: Iterable[Stop] | None = None
) -> None:
    """Change a member's name and role, or move them to another group; their phones move with them.

    Args:
        any_bike_at: the stops where they record for the bikes of every group; None to leave these as they are.
    """
    member.name, member.role, member.group = name, role, group
    member.save(update_fields=["name", "role", "group"])
    if any_bike_at is not None:
        member.any_bike_at.set(any_bike_at)


def delete_member(member: CrewMember) -> None:
    """Delete a member who never had a phone.

    Raises:
        MemberInUse: they had a phone; revoke it instead, so that the history still shows their name.
    """
    if member.devices.exists():
        raise MemberInUse
    member.delete()
