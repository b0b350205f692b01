"""Who supervises rolls. Names never enter the log; a member's id does."""

from __future__ import annotations

from scorekeeper.crew.models import CrewMember, Group


class MemberInUse(Exception):
    """The member has had a phone, so entries may bear their id."""


def add_member(group: Group, *, name: str, role: str) -> CrewMember:
    """Return a new member of the group's crew."""
    return CrewMember.objects.create(group=group, name=name, role=role)


def update_member(member: CrewMember, *, name: str, role: str, group: Group) -> None:
    """Change name and role, or move somebody to another group; their phones move with them."""
    member.name, member.role, member.group = name, role, group
    member.save(update_fields=["name", "role", "group"])


def delete_member(member: CrewMember) -> None:
    """Take somebody away who never had a phone.

    Raises:
        MemberInUse: they had one; revoke it instead, so that the history keeps their name.
    """
    if member.devices.exists():
        raise MemberInUse
    member.delete()
