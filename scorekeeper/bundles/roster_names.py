"""What a bundle says of people and of things that people named: everything, or what the event's public pages show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Operation
from scorekeeper.ledger.operation_body import compute_digest
from scorekeeper.players.selectors import format_public_name

Roster = Literal["public", "full"]


class HasOrdinal(Protocol):
    """Something with a name, and a place in an order."""

    name: str
    ordinal: int


@dataclass(frozen=True)
class RosterNames:
    """The names in one bundle.

    Attributes:
        shows_groups: whether the public pages name the groups, because they are compared.
    """

    event: Event
    roster: Roster
    shows_groups: bool

    @property
    def is_full(self) -> bool:
        """Whether the bundle has everything."""
        return self.roster == "full"

    def get_person(self, name: str) -> str:
        """Return the name of a person; "" where it is not shown."""
        return name if self.is_full else format_public_name(self.event, name)

    @property
    def shows_full_names(self) -> bool:
        """Whether people are named as they were entered, so that a name can be compared with its digest in the log."""
        return self.is_full or self.event.people_shown == Event.PeopleShown.NAMES

    def get_private(self, text: str) -> str:
        """Return a text that no public page shows; "" in a bundle with the public roster."""
        return text if self.is_full else ""

    def get_group(self, group: HasOrdinal) -> str:
        """Return the name of a group. Groups that are not compared are named on no public page."""
        return group.name if self.is_full or self.shows_groups else f"Group {group.ordinal}"

    def get_thing(self, thing: HasOrdinal) -> str:
        """Return the name of a dice set or of an item to check, which no public page shows."""
        return thing.name if self.is_full else str(thing.ordinal)

    def get_digest(self, operation: Operation) -> str:
        """Return the digest of an operation.

        That of a name or reason would let anyone test a guess at it. So with the public roster it covers only the rest,
        as after erasing.
        """
        if self.is_full:
            return operation.digest
        return compute_digest(operation.kind, operation.actor_id, operation.body)


def drop_large_parts(standings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the standings of a revision without the rows and cards, which have lines of their own."""
    return {name: value for name, value in standings.items() if name not in ("rows", "cards")}
