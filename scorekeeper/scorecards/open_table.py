"""A table read from its log and folded. Services open it locked, pages open it to read.

Terms: a *table* is the scorecard of a game that is recorded action by action, with the entrants of its seats. The first
entry of its chain names them, and a later entry says when a bike was merged into another. `Seat` rows repeat this for
lookups, and are deleted when a table is *withdrawn*. A *damaged* chain has an entry that cannot be read; the table
opens up to that entry.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self
from uuid import UUID

from games.core.codec import state_from_data, state_to_data
from games.core.replay import replay_from
from games.core.sheet import Turn as TurnResult
from games.core.text import gettext_noop
from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.models import Chain, Entry
from scorekeeper.ledger.problem_messages import Subject, problems_to_data
from scorekeeper.players.models import Player
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.fold import (
    ENTRY_READ_ERRORS,
    Actions,
    CardFold,
    InvalidTurn,
    RecordedTurn,
    TurnChange,
    Turns,
    apply_changes,
    apply_entry,
    fold_table,
)
from scorekeeper.scorecards.models import Seat
from scorekeeper.scorecards.offers import get_seat_to_act
from scorekeeper.scorecards.recorded_card import CardJudgement
from scorekeeper.scorecards.snapshot import pack_snapshot, unpack_snapshot

ACTION = gettext_noop("Action %(number)s")

# Kinds of entries that change neither the seats nor the play.
KINDS_WITHOUT_EFFECT = {"repeat", "settle", "unsettle"}

Entrants = Mapping[UUID, "Bike | Player"]


@dataclass(frozen=True)
class TableLog:
    """The content of a table's chain, before the rules are applied.

    Attributes:
        seats: the ids of the bikes or players, in the order of play.
        turns: by id, in order.
        length: how many entries were read.
        head: the hash of the last of them.
        last_effective_seq: the number of the last entry that changed the seats or the play.
        last_change: when the last entry was written.
        damaged_from: the first entry that cannot be read; only what comes before it is included here.
    """

    card_id: UUID
    seats: tuple[UUID, ...]
    turns: Turns
    length: int
    head: str
    last_effective_seq: int
    last_change: dt.datetime
    is_withdrawn: bool
    damaged_from: int | None = None


def read_log(entries: Iterable[Entry]) -> TableLog | None:
    """Return the log of a chain from its entries in order, as far as they can be read; None if there are none."""
    seats: tuple[UUID, ...] = ()
    turns: Turns = {}
    last, last_effect, damaged_from, is_withdrawn = None, 0, None, False
    for last in entries:
        is_withdrawn = is_withdrawn or last.kind == "withdraw"
        last_effect = last_effect if last.kind in KINDS_WITHOUT_EFFECT else last.seq
        if damaged_from is not None:
            continue
        try:
            seats, turns = _read_seats(seats, last), apply_entry(turns, last)
        except ENTRY_READ_ERRORS:
            damaged_from = last.seq
    if last is None:
        return None
    log = TableLog(last.chain_id, seats, turns, last.seq, last.hash, last_effect, last.at, is_withdrawn, damaged_from)
    return log if seats or is_withdrawn else seats_from_rows(log)


def _read_seats(seats: tuple[UUID, ...], entry: Entry) -> tuple[UUID, ...]:
    """Return the entrants of the seats after one more entry."""
    if entry.kind == "deal":
        named = json.loads(entry.body)["data"]["seats"]
        return tuple(UUID(entrant) for seat in named for entrant in seat.values())
    if entry.kind == "reseat":
        merged = json.loads(entry.body)["data"]
        return tuple(UUID(merged["into"]) if str(entrant) == merged["bike"] else entrant for entrant in seats)
    return seats


def seats_from_rows(log: TableLog) -> TableLog:
    """Return a log that does not name its seats with the entrants from the `Seat` rows, and without any actions."""
    rows = Seat.objects.filter(card_id=log.card_id).order_by("index").values_list("bike_id", "player_id")
    return replace(log, seats=tuple(bike or player for bike, player in rows), turns={}, damaged_from=1)


@dataclass(frozen=True)
class CachedTable:
    """The current state of a table from its snapshot, so that the next action need not replay the whole log.

    It is a `WritableCard`. A table with an invalid action has no snapshot.

    Attributes:
        id: of the card, and of its chain.
        length: how many entries the chain has.
        head: the hash of the last of them.
        is_sealed: whether the contest is closed.
        seat_count: how many seats the table has.
    """

    contest: ContestRules
    id: UUID
    length: int
    head: str
    is_sealed: bool
    seat_count: int
    state: Any

    def judge_turn(self, turn_id: UUID, actions: Actions, slot_id: UUID | None = None) -> CardJudgement:
        """Judge the table with an action after all current ones. The judgement has no turns but the new one."""
        return _judge_next_action(self.contest, CardFold(self.state, {}), {}, turn_id, actions, self.length + 1)

    def with_entry(self, entry: Entry, judged: CardJudgement | None) -> Self:
        """Return the table after an entry; its state changes only by an action, which was judged."""
        state = self.state if judged is None else judged.fold.state
        return replace(self, length=entry.seq, head=entry.hash, state=state)

    def to_snapshotable(self) -> CachedTable:
        """Return the table itself."""
        return self

    def make_snapshot(self) -> str:
        """Return the snapshot to store."""
        state = state_to_data(self.contest.ruleset.game, self.state)
        return pack_snapshot(self.contest, self.head, {"seats": self.seat_count, "state": state})


def _judge_next_action(
    contest: ContestRules, fold: CardFold, turns: Turns, action_id: UUID, actions: Actions, seq: int
) -> CardJudgement:
    """Judge a table with one more action.

    Args:
        fold: of the actions so far.
        turns: the actions so far, if they are known.
    """
    after = {**turns, action_id: RecordedTurn(action_id, None, actions, seq)}
    if fold.invalid_turns:
        return CardJudgement(after, fold, tuple(problems_to_data(fold.invalid_turns[0].problems)))
    replay = replay_from(contest.ruleset, fold.state, actions)
    return CardJudgement(after, CardFold(replay.state, {}), tuple(problems_to_data(replay.problems)))


def read_snapshot(contest: ContestRules, chain: Chain) -> CachedTable | None:
    """Return the table from its chain's snapshot, without reading the log; None if there is no usable snapshot."""
    try:
        snapshot = unpack_snapshot(contest, chain)
        if snapshot is None:
            return None
        seat_count, state = snapshot["seats"], state_from_data(contest.ruleset, snapshot["state"])
    except ENTRY_READ_ERRORS:
        return None
    return CachedTable(contest, chain.pk, chain.length, chain.head, chain.is_sealed, seat_count, state)


@dataclass(frozen=True)
class OpenTable:
    """A table with its recorded actions (a `RecordedCard`)."""

    contest: ContestRules
    log: TableLog
    fold: CardFold
    is_sealed: bool

    @property
    def id(self) -> UUID:
        """The id of the card, which is also the id of its chain."""
        return self.log.card_id

    @property
    def length(self) -> int:
        """How many entries the chain has."""
        return self.log.length

    @property
    def head(self) -> str:
        """The hash of the last entry."""
        return self.log.head

    @property
    def last_change(self) -> dt.datetime:
        """When the last entry was written."""
        return self.log.last_change

    @property
    def seat_count(self) -> int:
        """How many seats the table has."""
        return len(self.log.seats)

    @property
    def turns(self) -> Turns:
        """The recorded actions by id, in order."""
        return self.log.turns

    @property
    def state(self) -> Any:
        """The state of the game."""
        return self.fold.state

    @property
    def invalid_action(self) -> InvalidTurn | None:
        """The first recorded action that the rules do not allow; only a damaged log has one."""
        return next(iter(self.fold.invalid_turns), None)

    @property
    def is_finished(self) -> bool:
        """Whether the game at this table has ended."""
        return self.contest.ruleset.game.is_finished(self.state)

    @property
    def is_unfinished(self) -> bool:
        """Whether the game at this table goes on."""
        return not self.is_finished

    @property
    def awaits_seat(self) -> bool:
        """Whether it is for a seat to act: not after the game, on a damaged log, or where the table acts as a whole."""
        if self.damaged_from is not None or self.is_finished:
            return False
        return get_seat_to_act(self.contest.ruleset.game, self.state) is not None

    @property
    def is_ranked(self) -> bool:
        """Whether something was played, so that those who sit here are in the ranking."""
        return bool(self.list_played_turns())

    @property
    def turn_count(self) -> int:
        """1 as soon as something was played: at the tables, an entrant's progress is the number of tables."""
        return int(self.is_ranked)

    def list_missing_slots(self) -> Sequence[UUID]:
        """Return nothing: actions at a table have no slots."""
        return ()

    def list_turns(self) -> Sequence[tuple[UUID, TurnResult]]:
        """Return nothing: actions at a table have no slots."""
        return ()

    def list_recording_times(self) -> Mapping[UUID, dt.datetime]:
        """Return nothing: actions at a table have no slots."""
        return {}

    def list_played_turns(self) -> Sequence[RecordedTurn]:
        """Return the recorded actions that could be played: all before the first invalid one."""
        invalid, played = self.invalid_action, list(self.turns.values())
        return played if invalid is None else played[: list(self.turns).index(invalid.turn_id)]

    def list_played_actions(self, seat: int) -> Sequence[tuple[int, Actions]]:
        """Return what a seat has done, as if it were one turn without a slot."""
        only = 0 if self.seat_count == 1 else None
        actions = (action for recorded in self.list_played_turns() for action in recorded.actions)
        return [(0, tuple(action for action in actions if action.get("seat", only) == seat))]

    @property
    def can_withdraw(self) -> bool:
        """Whether the table can be removed: it has no actions, its log is undamaged, and its contest is open."""
        return not (self.turns or self.is_sealed or self.damaged_from is not None)

    @property
    def damaged_from(self) -> int | None:
        """The first entry that cannot be read or whose action cannot be played; half a game must not be scored."""
        invalid = self.invalid_action
        return self.log.damaged_from if invalid is None else self.turns[invalid.turn_id].seq

    @property
    def last_action(self) -> RecordedTurn | None:
        """The last recorded action, if any."""
        return next(reversed(list(self.turns.values())), None)

    def judge_turn(self, turn_id: UUID, actions: Actions, slot_id: UUID | None = None) -> CardJudgement:
        """Judge the table with an action after all current ones."""
        return _judge_next_action(self.contest, self.fold, self.turns, turn_id, actions, self.length + 1)

    def judge(self, turns: Turns, new_turn_id: UUID | None = None) -> CardJudgement:
        """Judge the table with other actions than it has, and explain the first invalid one.

        It is named by its number, unless it is one of those that change.
        """
        fold = fold_table(self.contest, self.seat_count, turns)
        if not fold.invalid_turns:
            return CardJudgement(turns, fold)
        (invalid,) = fold.invalid_turns
        number = list(self.turns).index(invalid.turn_id) + 1 if invalid.turn_id in self.turns else None
        is_changed = turns[invalid.turn_id] != self.turns.get(invalid.turn_id)
        about = None if is_changed else Subject(ACTION, {"number": str(number)})
        return CardJudgement(turns, fold, tuple(problems_to_data(invalid.problems, about)))

    def list_taken_slots(self, turns: Turns) -> list[UUID | None]:
        """Return nothing: actions at a table have no slots."""
        return []

    def with_entry(self, entry: Entry, judged: CardJudgement | None) -> Self:
        """Return the table with one more entry of its chain, which is played again only if it was not judged."""
        turns = apply_entry(self.turns, entry)
        is_judged = judged is not None and not judged.problems and judged.is_about(turns)
        fold = judged.fold if judged is not None and is_judged else fold_table(self.contest, self.seat_count, turns)
        last_effect = self.log.last_effective_seq if entry.kind in KINDS_WITHOUT_EFFECT else entry.seq
        log = replace(
            self.log,
            turns=turns,
            length=entry.seq,
            head=entry.hash,
            last_effective_seq=last_effect,
            last_change=entry.at,
        )
        return replace(self, log=log, fold=fold)

    def to_snapshotable(self) -> CachedTable | None:
        """Return the current state; None if there is an invalid action."""
        if self.fold.invalid_turns:
            return None
        return CachedTable(self.contest, self.id, self.length, self.head, self.is_sealed, self.seat_count, self.state)

    def state_before(self, action_id: UUID, changes: Sequence[TurnChange] = (), parts: Actions = ()) -> Any:
        """Return the state just before an action, after all earlier actions.

        They are played again: only pages ask, and the standings fold too many tables to keep the states of each.

        Args:
            changes: a correction to apply first.
            parts: the parts that come before it in the same recorded action.
        """
        ids = list(self.turns)
        earlier = ids[: ids.index(action_id)] if action_id in self.turns else ids
        after = apply_changes(self.turns, changes, self.length + 1)
        before = {earlier_id: after[earlier_id] for earlier_id in earlier if earlier_id in after}
        state = fold_table(self.contest, self.seat_count, before).state
        return replay_from(self.contest.ruleset, state, parts).state


@dataclass(frozen=True)
class TableWithEntrants(OpenTable):
    """A table with the entrants of its seats, as pages show it.

    Attributes:
        entrants: the bike or player of each seat, in the order of play.
    """

    entrants: tuple[Bike | Player, ...]


def fold_log(contest: ContestRules, log: TableLog, *, is_sealed: bool) -> OpenTable:
    """Play the actions of a log."""
    return OpenTable(contest, log, fold_table(contest, len(log.seats), log.turns), is_sealed)


def attach_entrants(table: OpenTable, entrants: Entrants) -> TableWithEntrants:
    """Return the table with its entrants, looked up in these bikes and players."""
    seated = tuple(entrants[entrant] for entrant in table.log.seats)
    return TableWithEntrants(table.contest, table.log, table.fold, table.is_sealed, seated)


def get_entrants(ids: Sequence[UUID]) -> dict[UUID, Bike | Player]:
    """Return bikes and players by id."""
    bikes = Bike.objects.in_bulk(ids)
    return {**bikes, **Player.objects.in_bulk([entrant for entrant in ids if entrant not in bikes])}


def resolve_entrants(logs: Sequence[TableLog]) -> tuple[list[TableLog], Entrants]:
    """Return the logs and the entrants of their seats. A log that names an unknown one is damaged from its start."""
    entrants = get_entrants([entrant for log in logs for entrant in log.seats])
    checked = [log if entrants.keys() >= set(log.seats) else seats_from_rows(log) for log in logs]
    missing = [entrant for log in checked for entrant in log.seats if entrant not in entrants]
    return checked, {**entrants, **get_entrants(missing)} if missing else entrants
