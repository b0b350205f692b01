"""A merge of two bikes, as the log tells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    """

    bike: Bike
    into: Bike
    entries: Mapping[str, Sequence[Entry]]
    players: Sequence[UUID]
    aliases: Sequence[UUID]
