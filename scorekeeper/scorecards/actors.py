"""Who acts: a crew member with a phone, or an organiser at the desk. Only random ids of them go into the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from scorekeeper.crew.models import CrewMember, Device
from scorekeeper.events.models import Event, FormerOrganiser, Organiser
from scorekeeper.rights import OPERATIONS, Role


@dataclass(frozen=True, slots=True)
class Actor:
    """Whoever records an operation.

    Attributes:
        id: of the crew member or of the organiser's place in the event.
        event_id: the only event the actor may write to.
        device_id: the phone; None at the desk.
        group_id: the group whose bikes a crew member notes; None for an organiser.
        can_take_over: whether this is a road captain, who may record bikes of other groups too.
        needs_review: whether the phone was revoked or has expired: its entries count once the organiser accepts them.
    """

    id: UUID
    event_id: UUID
    device_id: UUID | None = None
    group_id: UUID | None = None
    can_take_over: bool = False
    needs_review: bool = False

    @property
    def is_organiser(self) -> bool:
        """Whether this is somebody at the desk."""
        return self.device_id is None

    @property
    def role(self) -> Role:
        """The role that decides which kinds of operation are the actor's to record."""
        if self.is_organiser:
            return Role.ORGANISER
        return Role.ROAD_CAPTAIN if self.can_take_over else Role.CREW

    def can_record(self, kind: str) -> bool:
        """Return whether the actor may record operations of that kind."""
        return self.role in OPERATIONS[kind]

    @classmethod
    def from_device(cls, device: Device) -> Actor:
        """Return the crew member who holds the device."""
        member = device.member
        return cls(member.id, member.group.event_id, device.id, member.group_id, member.can_take_over)

    @classmethod
    def from_organiser(cls, organiser: Organiser) -> Actor:
        """Return the organiser."""
        return cls(organiser.id, organiser.event_id)


def list_actor_names(event: Event, ids: Iterable[UUID]) -> Mapping[UUID, str]:
    """Return the names behind the ids, also of those who left, as far as they were not erased."""
    wanted = set(ids)
    crew = CrewMember.objects.filter(group__event=event, pk__in=wanted).values_list("pk", "name")
    desk = Organiser.objects.filter(event=event, pk__in=wanted).values_list("pk", "user__username")
    left = FormerOrganiser.objects.filter(event=event, pk__in=wanted).values_list("pk", "user__username")
    return {**dict(crew), **dict(desk.union(left))}
