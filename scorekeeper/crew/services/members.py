"""Adding, changing and deleting crew members. Their ids go into the log; their names never do."""

from __future__ import annotations

from scorekeeper.crew.models import CrewMember, Group


class MemberInUse(Exception):
    """The member has had a phone, so entries may have their id."""


def add_member(group: Group, *, name: str, role: str) -> CrewMember:
    """Return a new member of the group's crew."""
    return CrewMember.objects.create(group=group, name=name, role=role)


def update_member(member: CrewMember, *, name: str, role: str, group: Group) -> None:
    """Change a member's name and role, or move them to another group; their phones move with them."""
    member.name, member.role, member.group = name, role, group
    member.save(update_fields=["name", "role", "group"])


def delete_member(member: CrewMember) -> None:
    """Delete a member who never had a phone.

    Raises:
        MemberInUse: they had a phone; revoke it instead, so that the history still shows their name.
    """
    if member.devices.exists():
        raise MemberInUse
    member.delete()
