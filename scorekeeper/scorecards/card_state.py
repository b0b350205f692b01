"""The state of a card, folded from its chain. Services load it with the chain locked, pages without a lock.

It is loaded from the log, or from the snapshot stored beside the log, which holds the same and is faster. Decision 9
says which is used where.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.core.codec import state_from_data, state_to_data
from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.models import Chain, Entry
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.fold import (
    ENTRY_READ_ERRORS,
    CardFold,
    RecordedTurn,
    Turns,
    fold_card,
    replay_chain,
    sort_by_slot,
)
from scorekeeper.scorecards.snapshot import pack_snapshot, unpack_snapshot


@dataclass(frozen=True)
class CardState:
    """A card with its current turns and their fold.

    Attributes:
        dice_set_id: the dice set named in the operation, if the event has it.
        damaged_from: the first entry that cannot be read. The turns and their fold are those before it.
    """

    contest: ContestRules
    chain: Chain
    bike: Bike
    turns: Turns
    fold: CardFold
    dice_set_id: UUID | None = None
    damaged_from: int | None = None

    @property
    def id(self) -> UUID:
        """The card's id, which is also its chain's."""
        return self.chain.pk

    def get_turn(self, slot_id: UUID | None) -> RecordedTurn | None:
        """Return the current turn of a slot; for None, the retirement."""
        return next((turn for turn in self.turns.values() if turn.slot_id == slot_id), None)

    def get_state_before(self, slot_id: UUID) -> Any:
        """Return the state just before a slot's turn, after the earlier turns in slot order.

        Two phones may have recorded two stops of a bike in either order, so there may already be later turns.
        """
        ordinal = self.contest.get_ordinal(slot_id)
        order = sort_by_slot(self.contest, self.turns)
        before = [turn for turn in order if turn.slot_id and self.contest.get_ordinal(turn.slot_id) < ordinal]
        if len(before) == len(order):
            return self.fold.state
        following = self.fold.states_before.get(order[len(before)].id)
        return fold_card(self.contest, {turn.id: turn for turn in before}).state if following is None else following

    def make_snapshot(self) -> str:
        """Return the snapshot to store; "" if the card is damaged or has invalid turns, which only damage causes."""
        if self.damaged_from is not None or self.fold.invalid_turns:
            return ""
        turns = [turn.to_data() for turn in self.turns.values()]
        state = state_to_data(self.contest.ruleset.game, self.fold.state)
        return pack_snapshot(self.contest, self.chain, {"turns": turns, "state": state})


def load_snapshot(contest: ContestRules, chain: Chain) -> tuple[Turns, CardFold] | None:
    """Return a card's turns and fold from its chain's snapshot, without reading the log; None if there is none."""
    try:
        data = unpack_snapshot(contest, chain)
        if data is None:
            return None
        turns = {turn.id: turn for turn in map(RecordedTurn.from_data, data["turns"])}
        state = state_from_data(contest.ruleset, data["state"])
        in_slots = [turn.id for turn in sort_by_slot(contest, turns) if turn.slot_id is not None]
        results = dict(zip(in_slots, contest.ruleset.game.turns(state, 0), strict=True))
    except ENTRY_READ_ERRORS:
        return None
    return turns, CardFold(state, results)


def fold_chain(contest: ContestRules, chain: Chain, bike: Bike, dice_set_id: UUID | None = None) -> CardState:
    """Read a card's chain and fold as much of it as can be read."""
    entries = list(Entry.objects.filter(chain_id=chain.pk).order_by("seq"))
    return fold_entries(contest, chain, bike, entries, dice_set_id)


def fold_entries(
    contest: ContestRules, chain: Chain, bike: Bike, entries: Sequence[Entry], dice_set_id: UUID | None = None
) -> CardState:
    """Fold as much of a card's chain as can be read.

    Args:
        entries: the whole chain, in order.
    """
    replay = replay_chain(contest, entries)
    return CardState(contest, chain, bike, replay.turns, replay.fold, dice_set_id, replay.damaged_from)
