"""From a card's chain to its turns, and from its turns to points.

Terms: a *noted turn* is what the log says stands in a slot now: noted by one operation, perhaps amended by later ones.
`read_card` resolves records, amendments, voids and moves; `fold_card` plays the turns that stand, in slot order, by
the rules. A retirement carries no slot and folds last. `replay_chain` does both, and of a *damaged* chain, one with an
entry that cannot be read, as much as goes.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from games.core.actions import Action, Retire
from games.core.problems import Malformed, Problem
from games.core.replay import NOT_ONE_TURN, fold_turns
from games.core.sheet import Turn as TurnResult
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.models import Entry

Actions = tuple[Mapping[str, Any], ...]

MISPLACED = Problem("not_one_turn", "TABLE-1", NOT_ONE_TURN)

# What reading an entry raises that is no JSON, lacks a part, names an unknown slot, or holds no action of the game.
ENTRY_READ_ERRORS = (Malformed, AttributeError, KeyError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class TurnOrigin:
    """Where a turn comes from: the operation that noted it, by whom, on which phone and with which dice."""

    operation_id: UUID
    actor_id: UUID
    device_id: UUID | None
    recorded_at: dt.datetime
    dice_set_id: UUID | None


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """What stands in a slot of a card; at a table, one action.

    Attributes:
        id: of the turn; the id of the operation that noted it, unless that noted several.
        slot_id: where it stands; None for a retirement, and at a table.
        actions: as in a transcript.
        seq: the last entry of the chain that touched it.
        origin: None for a turn that is only being judged.
    """

    id: UUID
    slot_id: UUID | None
    actions: Actions
    seq: int
    origin: TurnOrigin | None = None

    def to_data(self) -> dict[str, Any]:
        """Return a turn of the log as plain data."""
        assert self.origin is not None, "a turn that is only being judged is not kept"
        return {
            "turn": str(self.id),
            "slot": None if self.slot_id is None else str(self.slot_id),
            "actions": list(self.actions),
            "seq": self.seq,
            "op": str(self.origin.operation_id),
            "actor": str(self.origin.actor_id),
            "device": None if self.origin.device_id is None else str(self.origin.device_id),
            "at": self.origin.recorded_at.isoformat(timespec="microseconds"),
            "dice_set": None if self.origin.dice_set_id is None else str(self.origin.dice_set_id),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> RecordedTurn:
        """Return the turn that was kept; the parts are called what an entry's are."""
        origin = TurnOrigin(
            operation_id=UUID(data["op"]),
            actor_id=UUID(data["actor"]),
            device_id=_parse_id(data["device"]),
            recorded_at=dt.datetime.fromisoformat(data["at"]),
            dice_set_id=_parse_id(data["dice_set"]),
        )
        return cls(UUID(data["turn"]), _parse_id(data["slot"]), tuple(data["actions"]), data["seq"], origin)


@dataclass(frozen=True, slots=True)
class TurnChange:
    """A change to one turn: other actions, perhaps another slot; no actions at all voids it."""

    turn_id: UUID
    actions: Actions | None
    slot_id: UUID | None = None

    def to_data(self) -> dict[str, Any]:
        """Return the change as it stands in an entry."""
        slot = None if self.slot_id is None else str(self.slot_id)
        actions = None if self.actions is None else list(self.actions)
        return {"turn": str(self.turn_id), "slot": slot, "actions": actions}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> TurnChange:
        """Return the change an entry holds."""
        actions = None if data["actions"] is None else tuple(data["actions"])
        return cls(UUID(data["turn"]), actions, _parse_id(data["slot"]))


Turns = Mapping[UUID, RecordedTurn]


def read_turns(entries: Iterable[Entry]) -> Turns:
    """Return the turns that stand on a card, by id, out of its whole chain in order."""
    turns: Turns = {}
    for entry in entries:
        turns = apply_entry(turns, entry)
    return turns


def apply_entry(turns: Turns, entry: Entry) -> Turns:
    """Return the turns after one more entry of the chain. Only what was hashed is read, not the columns beside it."""
    body = json.loads(entry.body)
    after = apply_changes(
        turns, [TurnChange.from_data(change) for change in body["data"].get("changes", ())], body["seq"]
    )
    if body["actions"]:
        turn = RecordedTurn.from_data({**body, "turn": body["data"].get("turn", body["op"])})
        after[turn.id] = turn
    return after


def apply_changes(turns: Turns, changes: Sequence[TurnChange], seq: int) -> dict[UUID, RecordedTurn]:
    """Return the turns after a correction, each in its old place. What no longer stands is not changed."""
    after = dict(turns)
    for change in changes:
        turn = after.get(change.turn_id)
        if turn is not None and change.actions is None:
            del after[turn.id]
        elif turn is not None and change.actions is not None:
            slot_id = change.slot_id or turn.slot_id
            after[turn.id] = replace(turn, actions=change.actions, slot_id=slot_id, seq=seq)
    return after


def list_reverting_changes(entries: Iterable[Entry], operation_id: UUID, turns: Turns) -> list[TurnChange] | None:
    """Return the changes that take back what an operation did to the turns of a card.

    Args:
        entries: the chain of the card, in order; the operation wrote one of them.
        turns: those that are current now.

    Returns:
        None where that cannot be done: it voided a turn, or something newer has changed one of those it touched.
    """
    before: Turns = {}
    after: Turns = {}
    for entry in entries:
        before, after = after, apply_entry(after, entry)
        if entry.operation_id == operation_id:
            break
    touched = [one for one in {**before, **after} if before.get(one) != after.get(one)]
    if any(one not in after or turns.get(one) != after[one] for one in touched):
        return None
    return [
        TurnChange(one, before[one].actions, before[one].slot_id) if one in before else TurnChange(one, None)
        for one in touched
    ]


def _parse_id(text: str | None) -> UUID | None:
    return None if text is None else UUID(text)


@dataclass(frozen=True, slots=True)
class InvalidTurn:
    """A turn that cannot stand, and the rules' reasons.

    Attributes:
        part: which of its actions, counted from 0; told at a table only.
    """

    turn_id: UUID
    problems: tuple[Problem, ...]
    action_index: int = 0


@dataclass(frozen=True, slots=True)
class CardFold:
    """A card folded by the rules: the state, what each turn that stands came to, and which turns cannot stand."""

    state: Any
    results: Mapping[UUID, TurnResult]
    invalid_turns: tuple[InvalidTurn, ...] = ()


@dataclass(frozen=True, slots=True)
class ChainReplay:
    """A card's chain as far as it could be read.

    Attributes:
        damaged_from: the first entry that is not in it, by its sequence number; None when all are.
    """

    turns: Turns
    fold: CardFold
    damaged_from: int | None = None


def replay_chain(contest: ContestRules, entries: Sequence[Entry]) -> ChainReplay:
    """Read a whole chain and fold it; where that cannot be done, its longest beginning with which it can."""
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
    """Return the turns as they are folded: by slot, a retirement last."""
    last = contest.slot_count + 1
    return sorted(
        turns.values(), key=lambda turn: (last if turn.slot_id is None else contest.get_ordinal(turn.slot_id), turn.seq)
    )


def fold_card(contest: ContestRules, turns: Turns) -> CardFold:
    """Play the turns of one seat's card in slot order. One that is out of its place stands nowhere.

    Raises:
        Malformed: the log holds an action that cannot be read; only a damaged log does.
    """
    read = [(turn, parse_actions(contest, turn.actions)) for turn in sort_by_slot(contest, turns)]
    order = [(turn, actions) for turn, actions in read if _has_valid_slot(turn, actions)]
    folded = fold_turns(contest.ruleset, [actions for _, actions in order])
    failed = {failure.turn for failure in folded.failures}
    standing = [turn for number, (turn, _) in enumerate(order) if number not in failed and turn.slot_id is not None]
    played = contest.ruleset.game.turns(folded.state, 0)
    misplaced = [InvalidTurn(turn.id, (MISPLACED,)) for turn, actions in read if not _has_valid_slot(turn, actions)]
    failures = [InvalidTurn(order[failure.turn][0].id, failure.problems) for failure in folded.failures]
    return CardFold(
        folded.state,
        {turn.id: result for turn, result in zip(standing, played, strict=True)},
        (*misplaced, *failures),
    )


def fold_incremental(contest: ContestRules, known: Turns, fold: CardFold, turns: Turns) -> CardFold:
    """Play a card of which most is folded already; the result is that of `fold_card`.

    Args:
        known: the turns that `fold` was made of. Where `turns` are those and one that comes behind them all, only that
            one is played; else the whole card is.
    """
    order = sort_by_slot(contest, turns)
    is_one_more = len(order) == len(known) + 1 and all(known.get(turn.id) is turn for turn in order[:-1])
    if not is_one_more or fold.invalid_turns:
        return fold_card(contest, turns)
    last = order[-1]
    actions = parse_actions(contest, last.actions)
    if not _has_valid_slot(last, actions):
        return replace(fold, invalid_turns=(InvalidTurn(last.id, (MISPLACED,)),))
    folded = fold_turns(contest.ruleset, [actions], fold.state)
    if folded.failures:
        return replace(fold, invalid_turns=(InvalidTurn(last.id, folded.failures[0].problems),))
    if last.slot_id is None:
        return CardFold(folded.state, fold.results)
    return CardFold(folded.state, {**fold.results, last.id: contest.ruleset.game.turns(folded.state, 0)[-1]})


def _has_valid_slot(turn: RecordedTurn, actions: Sequence[Action]) -> bool:
    """Whether a turn has a slot and a retirement has none."""
    return (turn.slot_id is None) == isinstance(actions[-1], Retire)


def parse_actions(contest: ContestRules, actions: Sequence[object]) -> list[Action]:
    """Return one seat's actions, typed.

    Raises:
        Malformed: one of them is no action of the game; the field says which.
    """
    if not actions:
        raise Malformed("actions", NOT_ONE_TURN)
    return [contest.ruleset.read_action(data, 1, f"actions[{index}]") for index, data in enumerate(actions)]
