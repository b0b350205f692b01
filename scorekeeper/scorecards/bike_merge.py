"""A merge of two bikes, as the log tells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.models import Entry


@dataclass(frozen=True)
class BikeMerge:
    """A merge according to the log.

    Attributes:
        entries: the entries it wrote to cards, by kind.
        players: the ids of the people who moved with the bike.
        aliases: the ids of bikes that had been merged into this one before.
        sheets: the further sheets that moved with the bike, each with the number that it had before, and those that
            were sold for the bike since, each with the number that was asked for.
        renumbered: the further sheets of the other bike that got another number, each with the one that it had before.
    """

    bike: Bike
    into: Bike
    entries: Mapping[str, Sequence[Entry]]
    players: Sequence[UUID]
    aliases: Sequence[UUID]
    sheets: Mapping[UUID, int] = field(default_factory=dict)
    renumbered: Mapping[UUID, int] = field(default_factory=dict)
