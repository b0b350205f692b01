"""An open card: what a chain says, folded. The services open one locked, to write to it; the pages open one to read.

A card is opened by its log, or by the snapshot kept beside it, which says the same in less time; decision 9 tells which
is used where.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from games.core.codec import state_from_data, state_to_data
from scorekeeper.bikes.models import Bike
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.fold import ENTRY_READ_ERRORS, CardFold, RecordedTurn, Turns, replay_chain, sort_by_slot
from scorekeeper.scorecards.models import Chain, Entry
from scorekeeper.scorecards.snapshot import pack_snapshot, unpack_snapshot


@dataclass(frozen=True)
class CardState:
    """A card with what its chain says: the turns that stand, and their fold.

    Attributes:
        dice_set_id: the dice that were named, if the event has them.
        damaged_from: the first entry that cannot be read; the turns and their fold are those before it.
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
        """Return the turn that stands in a slot; without a slot, the retirement."""
        return next((turn for turn in self.turns.values() if turn.slot_id == slot_id), None)

    def make_snapshot(self) -> str:
        """Return what is kept beside the log; nothing for a card with turns that cannot stand, as only damage makes."""
        if self.damaged_from is not None or self.fold.invalid_turns:
            return ""
        turns = [turn.to_data() for turn in self.turns.values()]
        state = state_to_data(self.contest.ruleset.game, self.fold.state)
        return pack_snapshot(self.contest, self.chain, {"turns": turns, "state": state})


def load_snapshot(contest: ContestRules, chain: Chain) -> tuple[Turns, CardFold] | None:
    """Return what a chain's snapshot says of its card, without a look at the log; None where it says nothing."""
    try:
        kept = unpack_snapshot(contest, chain)
        if kept is None:
            return None
        turns = {turn.id: turn for turn in map(RecordedTurn.from_data, kept["turns"])}
        state = state_from_data(contest.ruleset, kept["state"])
        standing = [turn.id for turn in sort_by_slot(contest, turns) if turn.slot_id is not None]
        played = dict(zip(standing, contest.ruleset.game.turns(state, 0), strict=True))
    except ENTRY_READ_ERRORS:
        return None
    return turns, CardFold(state, played)


def fold_chain(contest: ContestRules, chain: Chain, bike: Bike, dice_set_id: UUID | None = None) -> CardState:
    """Read a card's chain and fold it, as far as it can be read."""
    read = replay_chain(contest, list(Entry.objects.filter(chain_id=chain.pk).order_by("seq")))
    return CardState(contest, chain, bike, read.turns, read.fold, dice_set_id, read.damaged_from)
