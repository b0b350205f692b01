"""The person behind an operation: a crew member with a phone, or an organiser. The log only has their random ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from scorekeeper.crew.models import CrewMember, Device
from scorekeeper.crew.selectors import list_any_bike_stops
from scorekeeper.events.models import Event, FormerOrganiser, Organiser
from scorekeeper.rights import OPERATIONS, Role


@dataclass(frozen=True)
class Actor:
    """The person who records an operation.

    Attributes:
        id: the id of the `CrewMember` or the `Organiser` row.
        event_id: the only event the actor may write to.
        device_id: the phone; None for an organiser.
        group_id: the group whose bikes a crew member records; None for an organiser.
        can_take_over: whether this is a road captain, who may also record bikes of other groups.
        needs_review: whether the phone was revoked or has expired. Its entries count once the organiser accepts them.
    """

    id: UUID
    event_id: UUID
    device_id: UUID | None = None
    group_id: UUID | None = None
    can_take_over: bool = False
    needs_review: bool = False

    @property
    def is_organiser(self) -> bool:
        """Whether this is an organiser."""
        return self.device_id is None

    @property
    def role(self) -> Role:
        """The role that decides which kinds of operation the actor may record."""
        if self.is_organiser:
            return Role.ORGANISER
        return Role.ROAD_CAPTAIN if self.can_take_over else Role.CREW

    @cached_property
    def any_bike_stops(self) -> frozenset[UUID]:
        """The stops where the actor records for the bikes of every group; queried when it is first asked for."""
        return frozenset() if self.is_organiser else list_any_bike_stops(self.id)

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
    """Return the names behind the ids, including people who have left. Erased names are missing."""
    wanted = set(ids)
    crew = CrewMember.objects.filter(group__event=event, pk__in=wanted).values_list("pk", "name")
    organisers = Organiser.objects.filter(event=event, pk__in=wanted).values_list("pk", "user__username")
    former = FormerOrganiser.objects.filter(event=event, pk__in=wanted).values_list("pk", "user__username")
    return {**dict(crew), **dict(organisers.union(former))}
