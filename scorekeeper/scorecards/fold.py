"""Folding: from a card's chain to its turns, and from its turns to points.

- A *recorded turn* is the current turn of a slot: recorded by one operation, perhaps amended by later ones.
- `read_turns` resolves records, amendments, voids, moves, and restored turns: voided ones that count again.
- `fold_card` plays the current turns by the rules, in slot order. A retirement has no slot and comes last.
- `fold_table` plays the current actions of a table, in the order in which they were first recorded.
- `replay_chain` reads and plays a bike's card. Of a *damaged* chain, which has an entry that cannot be read, it does as
  much as possible.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from games.core.actions import Action, Retire
from games.core.problems import Malformed, Problem
from games.core.replay import NOT_ONE_TURN, fold_turns, replay_from
from games.core.sheet import Turn as TurnResult
from scorekeeper.ledger.models import Entry
from scorekeeper.scorecards.contest_rules import ContestRules

Actions = tuple[Mapping[str, Any], ...]

MISPLACED = Problem("not_one_turn", "TABLE-1", NOT_ONE_TURN)

# Raised for an entry that is not JSON, lacks a part, names an unknown slot, or has something that is no action.
ENTRY_READ_ERRORS = (Malformed, AttributeError, KeyError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class TurnOrigin:
    """Where a turn comes from: the operation that recorded it, who did so, on which phone and with which dice."""

    operation_id: UUID
    actor_id: UUID
    device_id: UUID | None
    recorded_at: dt.datetime
    dice_set_id: UUID | None

    def to_data(self) -> dict[str, Any]:
        """Return the origin as plain data, whose keys are those of an entry's body."""
        return {
            "op": str(self.operation_id),
            "actor": str(self.actor_id),
            "device": None if self.device_id is None else str(self.device_id),
            "at": self.recorded_at.isoformat(timespec="microseconds"),
            "dice_set": None if self.dice_set_id is None else str(self.dice_set_id),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> TurnOrigin:
        """Return the origin from stored data."""
        return cls(
            operation_id=UUID(data["op"]),
            actor_id=UUID(data["actor"]),
            device_id=_parse_id(data["device"]),
            recorded_at=dt.datetime.fromisoformat(data["at"]),
            dice_set_id=_parse_id(data["dice_set"]),
        )


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """The current turn of a slot; at a table, one action.

    Attributes:
        id: the turn's id. It is the id of the operation that recorded it, unless that recorded several.
        slot_id: the turn's slot; None for a retirement, and at a table.
        actions: as in a transcript.
        seq: the last entry of the chain that changed it.
        origin: None for a turn that is only being judged.
    """

    id: UUID
    slot_id: UUID | None
    actions: Actions
    seq: int
    origin: TurnOrigin | None = None

    def to_data(self) -> dict[str, Any]:
        """Return a turn of the log as plain data."""
        assert self.origin is not None, "a turn that is only being judged is not stored"
        return {
            "turn": str(self.id),
            "slot": None if self.slot_id is None else str(self.slot_id),
            "actions": list(self.actions),
            "seq": self.seq,
            **self.origin.to_data(),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> RecordedTurn:
        """Return the turn from stored data, whose keys are those of an entry's body."""
        return cls(
            UUID(data["turn"]),
            _parse_id(data["slot"]),
            tuple(data["actions"]),
            data["seq"],
            TurnOrigin.from_data(data),
        )


@dataclass(frozen=True, slots=True)
class Restoration:
    """What a change says about a voided turn that it restores, since the turn is no longer there to ask.

    Attributes:
        origin: who had recorded the turn, as before.
        after_id: the current turn that it comes after; None if it is the first. Only tables depend on it.
    """

    origin: TurnOrigin
    after_id: UUID | None


@dataclass(frozen=True, slots=True)
class TurnChange:
    """A change to one turn: other actions, and perhaps another slot. Without actions it voids the turn.

    Attributes:
        restoration: for a turn that was voided and counts again with these actions, in this slot.
    """

    turn_id: UUID
    actions: Actions | None
    slot_id: UUID | None = None
    restoration: Restoration | None = None

    def to_data(self) -> dict[str, Any]:
        """Return the change as an entry stores it."""
        slot = None if self.slot_id is None else str(self.slot_id)
        actions = None if self.actions is None else list(self.actions)
        data: dict[str, Any] = {"turn": str(self.turn_id), "slot": slot, "actions": actions}
        if self.restoration is not None:
            after_id = self.restoration.after_id
            data["restores"] = self.restoration.origin.to_data()
            data["after"] = None if after_id is None else str(after_id)
        return data

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> TurnChange:
        """Return the change from an entry's data."""
        actions = None if data["actions"] is None else tuple(data["actions"])
        restoration = None
        if "restores" in data:
            restoration = Restoration(TurnOrigin.from_data(data["restores"]), _parse_id(data["after"]))
        return cls(UUID(data["turn"]), actions, _parse_id(data["slot"]), restoration)

    def build_restored_turn(self, seq: int) -> RecordedTurn | None:
        """Return the voided turn that the change restores; None if it restores none."""
        if self.restoration is None or self.actions is None:
            return None
        return RecordedTurn(self.turn_id, self.slot_id, self.actions, seq, self.restoration.origin)


Turns = Mapping[UUID, RecordedTurn]


def read_turns(entries: Iterable[Entry]) -> Turns:
    """Return a card's current turns, by id.

    Args:
        entries: the whole chain, in order.
    """
    turns: Turns = {}
    for entry in entries:
        turns = apply_entry(turns, entry)
    return turns


@dataclass(frozen=True, slots=True)
class LogStep:
    """What one entry of a card's chain did: the turns before and after it."""

    entry: Entry
    before: Turns
    after: Turns

    def list_changed(self) -> list[tuple[RecordedTurn | None, RecordedTurn | None]]:
        """Return the turns that the entry changed, each before and after: None if there was or is none."""
        pairs = ((self.before.get(turn_id), self.after.get(turn_id)) for turn_id in {**self.before, **self.after})
        return [(before, after) for before, after in pairs if before is not after]


def list_log_steps(entries: Iterable[Entry]) -> Iterator[LogStep]:
    """Return what each entry of a card's chain did, in order, as far as the log can be read."""
    turns: Turns = {}
    for entry in entries:
        try:
            after = apply_entry(turns, entry)
        except ENTRY_READ_ERRORS:
            return
        yield LogStep(entry, turns, after)
        turns = after


def apply_entry(turns: Turns, entry: Entry) -> Turns:
    """Return the turns after one more entry of the chain. Only the hashed body is read, not the other columns."""
    body = json.loads(entry.body)
    after = apply_changes(
        turns, [TurnChange.from_data(change) for change in body["data"].get("changes", ())], body["seq"]
    )
    if body["actions"]:
        turn = RecordedTurn.from_data({**body, "turn": body["data"].get("turn", body["op"])})
        after[turn.id] = turn
    return after


def apply_changes(turns: Turns, changes: Sequence[TurnChange], seq: int) -> dict[UUID, RecordedTurn]:
    """Return the turns after a correction, in the same order; a restored turn goes where it was.

    Changes to turns that no longer exist are skipped, unless they restore the turn.
    """
    after = dict(turns)
    for change in changes:
        turn = after.get(change.turn_id)
        if turn is None:
            after = _restore_turn(after, change, seq)
        elif change.actions is None:
            del after[turn.id]
        else:
            slot_id = change.slot_id or turn.slot_id
            after[turn.id] = replace(turn, actions=change.actions, slot_id=slot_id, seq=seq)
    return after


def _restore_turn(turns: dict[UUID, RecordedTurn], change: TurnChange, seq: int) -> dict[UUID, RecordedTurn]:
    restored = change.build_restored_turn(seq)
    if restored is None or change.restoration is None:
        return turns
    order = list(turns.values())
    after_id = change.restoration.after_id
    position = list(turns).index(after_id) + 1 if after_id in turns else 0
    return {turn.id: turn for turn in [*order[:position], restored, *order[position:]]}


def list_reverting_changes(entries: Iterable[Entry], operation_id: UUID, turns: Turns) -> list[TurnChange] | None:
    """Return the changes that undo what an operation did to the turns of a card. What it voided is restored.

    Args:
        entries: the chain of the card, in order; the operation wrote one of them.
        turns: the current turns.

    Returns:
        None if it cannot be undone: a newer entry has changed one of the turns it touched, or the operation wrote
        nothing here.
    """
    before: Turns = {}
    after: Turns = {}
    found: tuple[Turns, Turns] | None = None
    order: dict[UUID, None] = {}  # every turn the card ever had, in the order they were first recorded
    for entry in entries:
        before, after = after, apply_entry(after, entry)
        order.update(dict.fromkeys(after))
        if entry.operation_id == operation_id:
            found = before, after
    if found is None:
        return None
    before, after = found
    touched = [turn_id for turn_id in order if before.get(turn_id) != after.get(turn_id)]
    if any(turns.get(turn_id) != after.get(turn_id) for turn_id in touched):
        return None
    changes: list[TurnChange] = []
    present = set(turns)
    for turn_id in touched:
        turn = before.get(turn_id)
        if turn is None:
            changes.append(TurnChange(turn_id, None))
        elif turn_id in after:
            changes.append(TurnChange(turn_id, turn.actions, turn.slot_id))
        else:
            changes.append(_make_restoring_change(turn, list(order), present))
            present.add(turn_id)
    return changes


def _make_restoring_change(turn: RecordedTurn, order: Sequence[UUID], present: Collection[UUID]) -> TurnChange:
    """Return the change that restores a voided turn.

    Args:
        order: every turn that the card ever had, in the order they were first recorded.
        present: those that are there when the change is applied.
    """
    assert turn.origin is not None, "a turn of the log has an origin"
    earlier = [turn_id for turn_id in order[: order.index(turn.id)] if turn_id in present]
    restoration = Restoration(turn.origin, earlier[-1] if earlier else None)
    return TurnChange(turn.id, turn.actions, turn.slot_id, restoration)


def _parse_id(text: str | None) -> UUID | None:
    return None if text is None else UUID(text)


@dataclass(frozen=True, slots=True)
class InvalidTurn:
    """A turn that the rules do not allow on the card, and their reasons.

    Attributes:
        action_index: which of its actions, counted from 0; only used at a table.
    """

    turn_id: UUID
    problems: tuple[Problem, ...]
    action_index: int = 0


@dataclass(frozen=True, slots=True)
class CardFold:
    """A card folded by the rules: the state, the result of each valid turn, and the invalid turns.

    Attributes:
        results: of the valid turns; nothing at a table.
        invalid_turns: at a table only the first one, since nothing after it is played.
        states_before: the state before each turn that was played to make this fold; nothing at a table. A fold that
            continues from a snapshot has only those of the turns after it.
    """

    state: Any
    results: Mapping[UUID, TurnResult]
    invalid_turns: tuple[InvalidTurn, ...] = ()
    states_before: Mapping[UUID, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class ChainReplay:
    """A card's chain as far as it could be read.

    Attributes:
        damaged_from: the sequence number of the first entry left out; None if none is.
    """

    turns: Turns
    fold: CardFold
    damaged_from: int | None = None


def replay_chain(contest: ContestRules, entries: Sequence[Entry]) -> ChainReplay:
    """Read a whole chain and fold it; if that fails, the longest part from its start for which it works."""
    length = len(entries)
    while True:
        try:
            turns = read_turns(entries[:length])
            fold = fold_card(contest, turns)
        except ENTRY_READ_ERRORS:
            assert length, "an empty card can always be folded"
            length -= 1
        else:
            return ChainReplay(turns, fold, entries[length].seq if length < len(entries) else None)


def sort_by_slot(contest: ContestRules, turns: Turns) -> list[RecordedTurn]:
    """Return the turns in the order they are folded in: by slot, a retirement last."""
    last = contest.slot_count + 1
    return sorted(
        turns.values(), key=lambda turn: (last if turn.slot_id is None else contest.get_ordinal(turn.slot_id), turn.seq)
    )


def fold_card(contest: ContestRules, turns: Turns) -> CardFold:
    """Play the turns of one seat's card in slot order. A misplaced turn is invalid (see `_has_valid_slot`).

    Raises:
        Malformed: the log has an action that cannot be read. Only a damaged log does.
    """
    read = [(turn, parse_actions(contest, turn.actions)) for turn in sort_by_slot(contest, turns)]
    order = [(turn, actions) for turn, actions in read if _has_valid_slot(turn, actions)]
    folded = fold_turns(contest.ruleset, [actions for _, actions in order])
    failed = {failure.turn for failure in folded.failures}
    valid = [turn for number, (turn, _) in enumerate(order) if number not in failed and turn.slot_id is not None]
    results = contest.ruleset.game.turns(folded.state, 0)
    misplaced = [InvalidTurn(turn.id, (MISPLACED,)) for turn, actions in read if not _has_valid_slot(turn, actions)]
    failures = [InvalidTurn(order[failure.turn][0].id, failure.problems) for failure in folded.failures]
    return CardFold(
        folded.state,
        {turn.id: result for turn, result in zip(valid, results, strict=True)},
        (*misplaced, *failures),
        {turn.id: state for (turn, _), state in zip(order, folded.states_before, strict=True)},
    )


def fold_incremental(contest: ContestRules, before: Turns, fold: CardFold, turns: Turns) -> CardFold:
    """Play a card of which most is already folded. The result is that of `fold_card`.

    Args:
        before: the turns that `fold` was made of. If `turns` only adds a turn after all of them, only that turn is
            played; otherwise the whole card is.
    """
    order = sort_by_slot(contest, turns)
    is_one_more = len(order) == len(before) + 1 and all(before.get(turn.id) is turn for turn in order[:-1])
    if not is_one_more or fold.invalid_turns:
        return fold_card(contest, turns)
    last = order[-1]
    actions = parse_actions(contest, last.actions)
    if not _has_valid_slot(last, actions):
        return replace(fold, invalid_turns=(InvalidTurn(last.id, (MISPLACED,)),))
    folded = fold_turns(contest.ruleset, [actions], fold.state)
    if folded.failures:
        return replace(fold, invalid_turns=(InvalidTurn(last.id, folded.failures[0].problems),))
    states_before = {**fold.states_before, last.id: fold.state}
    if last.slot_id is None:
        return CardFold(folded.state, fold.results, states_before=states_before)
    results = {**fold.results, last.id: contest.ruleset.game.turns(folded.state, 0)[-1]}
    return CardFold(folded.state, results, states_before=states_before)


def fold_table(contest: ContestRules, seats: int, turns: Turns) -> CardFold:
    """Play the recorded actions of a table, in order, up to the first one that the rules do not allow."""
    ruleset = contest.ruleset
    state = ruleset.game.start(ruleset, seats)
    for recorded in turns.values():
        replay = replay_from(ruleset, state, recorded.actions)
        if replay.failure:
            invalid = InvalidTurn(recorded.id, replay.problems, replay.applied)
            return CardFold(state, {}, (invalid,))
        state = replay.state
    return CardFold(state, {})


def _has_valid_slot(turn: RecordedTurn, actions: Sequence[Action]) -> bool:
    """Whether a turn has a slot and a retirement has none."""
    return (turn.slot_id is None) == isinstance(actions[-1], Retire)


def parse_actions(contest: ContestRules, actions: Sequence[object]) -> list[Action]:
    """Return one seat's actions, typed.

    Raises:
        Malformed: one of them is not an action of the game; the field says which.
    """
    if not actions:
        raise Malformed("actions", NOT_ONE_TURN)
    return [contest.ruleset.read_action(data, 1, f"actions[{index}]") for index, data in enumerate(actions)]


def canonicalize_actions(contest: ContestRules, actions: Sequence[Mapping[str, Any]], seats: int = 1) -> Actions:
    """Return the actions in canonical form. Unreadable ones stay as they were sent; judging them explains why."""
    try:
        return tuple(contest.ruleset.write_action(contest.ruleset.read_action(action, seats)) for action in actions)
    except Malformed:
        return tuple(actions)
