"""An open table: what the chain of its card says, folded. Services open one locked, pages open one to read.

Terms: a *table* is a card of a game that is recorded action by action, with whoever has its seats. The first entry of
its chain says who that is, and a later one where a bike was merged into another; `Seat` rows repeat it to be found by,
and are gone once a table is *withdrawn*.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.players.models import Player
from scorekeeper.scorecards.fold import NotedTurn, Turns, apply_entry
from scorekeeper.scorecards.models import Entry
from scorekeeper.scorecards.played import PlayedContest
from scorekeeper.tables.fold import TableFold, fold_table

Holders = Mapping[UUID, "Bike | Player"]


@dataclass(frozen=True)
class TableLog:
    """What the chain of a card says, before anybody asks the rules.

    Attributes:
        seats: the ids of the bikes or players, in the order of the play.
        noted: the noted actions by id, in their order.
        length: how many entries were read.
        last_change: when the last of them was written.
    """

    card_id: UUID
    seats: tuple[UUID, ...]
    noted: Turns
    length: int
    last_change: dt.datetime
    is_withdrawn: bool


def read_table(entries: Iterable[Entry]) -> TableLog | None:
    """Return what a chain says, out of its entries in order; None where nothing was drawn up yet."""
    seats: tuple[UUID, ...] = ()
    noted: Turns = {}
    is_withdrawn, last = False, None
    for last in entries:
        if last.kind == "deal":
            named = json.loads(last.body)["data"]["seats"]
            seats = tuple(UUID(holder) for seat in named for holder in seat.values())
        if last.kind == "reseat":
            merged = json.loads(last.body)["data"]
            seats = tuple(UUID(merged["into"]) if str(holder) == merged["bike"] else holder for holder in seats)
        is_withdrawn = is_withdrawn or last.kind == "withdraw"
        noted = apply_entry(noted, last)
    if last is None or not seats:
        return None
    return TableLog(last.chain_id, seats, noted, last.seq, last.at, is_withdrawn)


@dataclass(frozen=True)
class OpenTable:
    """A table with what was noted at it."""

    contest: PlayedContest
    log: TableLog
    fold: TableFold
    is_sealed: bool

    @property
    def id(self) -> UUID:
        """The card's id, which is also its chain's."""
        return self.log.card_id

    @property
    def length(self) -> int:
        """How many entries the chain has."""
        return self.log.length

    @property
    def seats(self) -> int:
        """How many seats the card has."""
        return len(self.log.seats)

    @property
    def noted(self) -> Turns:
        """The noted actions by id, in their order."""
        return self.log.noted

    @property
    def state(self) -> Any:
        """The state of the game."""
        return self.fold.state

    @property
    def is_finished(self) -> bool:
        """Whether the game at this table is over."""
        return self.contest.ruleset.game.is_finished(self.state)

    @property
    def last(self) -> NotedTurn | None:
        """The action noted last, if any."""
        return next(reversed(list(self.noted.values())), None)

    def state_before(self, action_id: UUID) -> Any:
        """Return the state in which an action was noted: that after all the actions before it."""
        before: dict[UUID, NotedTurn] = {}
        for one in self.noted.values():
            if one.id == action_id:
                break
            before[one.id] = one
        return fold_table(self.contest, self.seats, before).state


@dataclass(frozen=True)
class SeatedTable(OpenTable):
    """A table as pages show it.

    Attributes:
        holders: the bike or player of each seat, in the order of the play.
    """

    holders: tuple[Bike | Player, ...]


def open_log(contest: PlayedContest, log: TableLog, *, is_sealed: bool) -> OpenTable:
    """Play what a chain says."""
    return OpenTable(contest, log, fold_table(contest, len(log.seats), log.noted), is_sealed)


def seat(table: OpenTable, holders: Holders) -> SeatedTable:
    """Return the table with whoever sits at it, out of these bikes and players."""
    seated = tuple(holders[holder] for holder in table.log.seats)
    return SeatedTable(table.contest, table.log, table.fold, table.is_sealed, seated)


def get_holders(ids: Sequence[UUID]) -> dict[UUID, Bike | Player]:
    """Return bikes and players by id."""
    bikes = Bike.objects.in_bulk(ids)
    return {**bikes, **Player.objects.in_bulk([holder for holder in ids if holder not in bikes])}
