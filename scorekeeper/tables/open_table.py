"""An open table: what the chain of its card says, folded. Services open one locked, pages open one to read.

Terms: a *table* is a card of a game that is recorded action by action, with whoever has its seats. The first entry of
its chain says who that is, and a later one where a bike was merged into another; `Seat` rows repeat it to be found by,
and are gone once a table is *withdrawn*. A *damaged* chain, one with an entry that cannot be read, opens as far as it
can be.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol
from uuid import UUID

from games.core.codec import state_from_data, state_to_data
from games.core.replay import replay_from
from scorekeeper.bikes.models import Bike
from scorekeeper.players.models import Player
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.fold import (
    ENTRY_READ_ERRORS,
    Actions,
    InvalidTurn,
    RecordedTurn,
    TurnChange,
    Turns,
    apply_changes,
    apply_entry,
)
from scorekeeper.scorecards.models import Chain, Entry, Seat
from scorekeeper.scorecards.snapshot import pack_snapshot, unpack_snapshot
from scorekeeper.tables.fold import TableFold, fold_table

KINDS_WITHOUT_EFFECT = {
    "repeat",
    "settle",
    "unsettle",
}  # kinds of entries that change neither who sits there nor what is played

Holders = Mapping[UUID, "Bike | Player"]


@dataclass(frozen=True)
class TableLog:
    """What the chain of a card says, before anybody asks the rules.

    Attributes:
        seats: the ids of the bikes or players, in the order of the play.
        noted: the noted actions by id, in their order.
        length: how many entries were read.
        last_effect: the number of the last that changed who sits there or what is played.
        last_change: when the last of them was written.
        damaged_from: the first entry that cannot be read; only what comes before it is told here.
    """

    card_id: UUID
    seats: tuple[UUID, ...]
    recorded_actions: Turns
    length: int
    last_effective_seq: int
    last_change: dt.datetime
    is_withdrawn: bool
    damaged_from: int | None = None


def read_log(entries: Iterable[Entry]) -> TableLog | None:
    """Return what a chain says, out of its entries in order, as far as they can be read; None where there are none."""
    seats: tuple[UUID, ...] = ()
    noted: Turns = {}
    last, last_effect, damaged_from, is_withdrawn = None, 0, None, False
    for last in entries:
        is_withdrawn = is_withdrawn or last.kind == "withdraw"
        last_effect = last_effect if last.kind in KINDS_WITHOUT_EFFECT else last.seq
        if damaged_from is not None:
            continue
        try:
            seats, noted = _read_seats(seats, last), apply_entry(noted, last)
        except ENTRY_READ_ERRORS:
            damaged_from = last.seq
    if last is None:
        return None
    log = TableLog(last.chain_id, seats, noted, last.seq, last_effect, last.at, is_withdrawn, damaged_from)
    return log if seats or is_withdrawn else seats_from_rows(log)


def _read_seats(seats: tuple[UUID, ...], entry: Entry) -> tuple[UUID, ...]:
    """Return who has the seats after one more entry."""
    if entry.kind == "deal":
        named = json.loads(entry.body)["data"]["seats"]
        return tuple(UUID(holder) for seat in named for holder in seat.values())
    if entry.kind == "reseat":
        merged = json.loads(entry.body)["data"]
        return tuple(UUID(merged["into"]) if str(holder) == merged["bike"] else holder for holder in seats)
    return seats


def seats_from_rows(log: TableLog) -> TableLog:
    """Return the log of a table that does not tell who sits there: they are known by their rows, and no more is."""
    rows = Seat.objects.filter(card_id=log.card_id).order_by("index").values_list("bike_id", "player_id")
    return replace(log, seats=tuple(bike or player for bike, player in rows), recorded_actions={}, damaged_from=1)


class TableState(Protocol):
    """A table as far as its next action needs it, however it was opened."""

    @property
    def id(self) -> UUID: ...
    @property
    def contest(self) -> ContestRules: ...
    @property
    def length(self) -> int: ...
    @property
    def seats(self) -> int: ...
    @property
    def state(self) -> Any: ...
    @property
    def invalid_action(self) -> InvalidTurn | None: ...
    @property
    def is_sealed(self) -> bool: ...


@dataclass(frozen=True)
class CachedTable:
    """A table as it stands and no more: what is kept beside the log, so that the next action need not play it all.

    Attributes:
        chain: that of the card, locked.
        seats: how many the card has.
    """

    contest: ContestRules
    chain: Chain
    seats: int
    state: Any

    @property
    def id(self) -> UUID:
        """The card's id, which is also its chain's."""
        return self.chain.pk

    @property
    def length(self) -> int:
        """How many entries the chain has."""
        return self.chain.length

    @property
    def invalid_action(self) -> None:
        """Of a table on which something cannot stand, nothing is kept."""
        return None

    @property
    def is_sealed(self) -> bool:
        """Whether the contest is closed."""
        return self.chain.is_sealed

    def make_snapshot(self) -> str:
        """Return what is kept beside the log."""
        state = state_to_data(self.contest.ruleset.game, self.state)
        return pack_snapshot(self.contest, self.chain, {"seats": self.seats, "state": state})


def read_snapshot(contest: ContestRules, chain: Chain) -> CachedTable | None:
    """Return what a chain's snapshot says of its table, without a look at the log; None where it says nothing."""
    try:
        kept = unpack_snapshot(contest, chain)
        if kept is None:
            return None
        return CachedTable(contest, chain, kept["seats"], state_from_data(contest.ruleset, kept["state"]))
    except ENTRY_READ_ERRORS:
        return None


@dataclass(frozen=True)
class OpenTable:
    """A table with what was noted at it."""

    contest: ContestRules
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
    def recorded_actions(self) -> Turns:
        """The noted actions by id, in their order."""
        return self.log.recorded_actions

    @property
    def state(self) -> Any:
        """The state of the game."""
        return self.fold.state

    @property
    def invalid_action(self) -> InvalidTurn | None:
        """The first noted action that cannot stand; only a damaged log has one."""
        return self.fold.invalid_action

    @property
    def is_finished(self) -> bool:
        """Whether the game at this table is over."""
        return self.contest.ruleset.game.is_finished(self.state)

    @property
    def can_withdraw(self) -> bool:
        """Whether the card can be taken back: nothing stands on it, all of it can be read, and its contest is open."""
        return not (self.recorded_actions or self.is_sealed or self.damaged_from is not None)

    @property
    def damaged_from(self) -> int | None:
        """The first entry that cannot be read, or whose action cannot be played; nothing may be reckoned with half a
        play."""
        standoff = self.fold.invalid_action
        return self.log.damaged_from if standoff is None else self.recorded_actions[standoff.turn_id].seq

    @property
    def last_action(self) -> RecordedTurn | None:
        """The action noted last, if any."""
        return next(reversed(list(self.recorded_actions.values())), None)

    def state_before(self, action_id: UUID, changes: Sequence[TurnChange] = (), parts: Actions = ()) -> Any:
        """Return the state in which an action was noted: that after all the actions before it.

        Args:
            changes: a correction to reckon with.
            parts: what comes before it in the same noted action.
        """
        ids = list(self.recorded_actions)
        earlier = ids[: ids.index(action_id)] if action_id in self.recorded_actions else ids
        after = apply_changes(self.recorded_actions, changes, self.length + 1)
        state = fold_table(self.contest, self.seats, {one: after[one] for one in earlier if one in after}).state
        return replay_from(self.contest.ruleset, state, parts).state


@dataclass(frozen=True)
class TableWithHolders(OpenTable):
    """A table as pages show it.

    Attributes:
        holders: the bike or player of each seat, in the order of the play.
    """

    holders: tuple[Bike | Player, ...]


def fold_log(contest: ContestRules, log: TableLog, *, is_sealed: bool) -> OpenTable:
    """Play what a chain says."""
    return OpenTable(contest, log, fold_table(contest, len(log.seats), log.recorded_actions), is_sealed)


def attach_holders(table: OpenTable, holders: Holders) -> TableWithHolders:
    """Return the table with whoever sits at it, out of these bikes and players."""
    seated = tuple(holders[holder] for holder in table.log.seats)
    return TableWithHolders(table.contest, table.log, table.fold, table.is_sealed, seated)


def get_holders(ids: Sequence[UUID]) -> dict[UUID, Bike | Player]:
    """Return bikes and players by id."""
    bikes = Bike.objects.in_bulk(ids)
    return {**bikes, **Player.objects.in_bulk([holder for holder in ids if holder not in bikes])}


def resolve_holders(logs: Sequence[TableLog]) -> tuple[list[TableLog], Holders]:
    """Return the logs and whoever sits at their tables. One that names somebody unknown is damaged from its start."""
    holders = get_holders([holder for log in logs for holder in log.seats])
    known = [log if holders.keys() >= set(log.seats) else seats_from_rows(log) for log in logs]
    mended = [holder for log in known for holder in log.seats if holder not in holders]
    return known, {**holders, **get_holders(mended)} if mended else holders
