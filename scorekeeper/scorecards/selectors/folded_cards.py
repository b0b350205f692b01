"""The cards of a contest whose turns are recorded at the stops, folded from the log in few statements.

- An entrant is *ranked* from the first turn that counts on its card, or by retiring.
- A card without a current turn (its only entry was voided or moved away) is not ranked and has no missing turns.
- A bike that was merged into another has no place of its own.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog

from games.core.sheet import Turn as TurnResult
from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.chain_entries import split_by_chain
from scorekeeper.ledger.models import Entry
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.fold import Actions, CardFold, RecordedTurn, Turns, replay_chain, sort_by_slot
from scorekeeper.scorecards.models import Seat

log = structlog.get_logger("tailgunner.standings")


@dataclass(frozen=True, slots=True)
class FoldedTurnCard:
    """A card folded from its chain.

    Attributes:
        length: how many entries are included.
        last_change: when the last of them was written.
        damaged_from: the first entry that cannot be read; the other attributes cover the entries before it.
    """

    contest: ContestRules
    id: UUID
    bike: Bike
    length: int
    last_change: dt.datetime
    turns: Turns
    fold: CardFold
    damaged_from: int | None = None

    @property
    def entrants(self) -> tuple[Bike]:
        """The bike that has the card's only seat."""
        return (self.bike,)

    @property
    def state(self) -> Any:
        """The state of the game."""
        return self.fold.state

    @property
    def turn_count(self) -> int:
        """How many turns count."""
        return len(self.fold.results)

    @property
    def is_ranked(self) -> bool:
        """Whether the entrant is in the ranking."""
        return bool(self.turns)

    @property
    def is_unfinished(self) -> bool:
        """Whether turns are missing."""
        return bool(self.list_missing_slots())

    def list_missing_slots(self) -> list[UUID]:
        """Return the slots without a turn, in order; none once the card is finished (TABLE-2, TABLE-3)."""
        if not self.is_ranked or self.contest.ruleset.game.standing(self.state, 0).status != "playing":
            return []
        taken = {turn.slot_id for turn in self.turns.values()}
        return [slot for slot in self.contest.slots if slot not in taken]

    def list_turns(self) -> Sequence[tuple[UUID, TurnResult]]:
        """Return the results of the turns that count, with their slots, in the order of the slots."""
        return [
            (turn.slot_id, self.fold.results[turn.id])
            for turn in sort_by_slot(self.contest, self.turns)
            if turn.slot_id is not None and turn.id in self.fold.results
        ]

    def list_recording_times(self) -> Mapping[UUID, dt.datetime]:
        """Return when the server recorded each turn that counts, by slot. A correction does not change it."""
        return {
            turn.slot_id: turn.origin.recorded_at
            for turn in self.turns.values()
            if turn.slot_id is not None and turn.origin is not None and turn.id in self.fold.results
        }

    def list_played_turns(self) -> Sequence[RecordedTurn]:
        """Return the turns that count, and last the retirement, if there is one."""
        invalid = {turn.turn_id for turn in self.fold.invalid_turns}
        return [turn for turn in sort_by_slot(self.contest, self.turns) if turn.id not in invalid]

    def list_played_actions(self, seat: int) -> Sequence[tuple[int, Actions]]:
        """Return the actions of the turns that count with the ordinals of their slots, a retirement with 0."""
        return [
            (0 if turn.slot_id is None else self.contest.get_ordinal(turn.slot_id), turn.actions)
            for turn in self.list_played_turns()
        ]


def fold_turn_cards(
    contest: ContestRules,
    card_ids: Iterable[UUID] | None = None,
    lengths: Mapping[UUID, int] | None = None,
    *,
    include_damaged: bool = False,
) -> list[FoldedTurnCard]:
    """Return the cards that have an entry, in the order of their ids, in two statements however many there are.

    A card whose log is damaged is reported in the program's log and left out. The others are returned.

    Args:
        card_ids: only these cards; None for all of the contest.
        lengths: read only these cards, and each card's chain only up to this length.
        include_damaged: also return damaged cards, as far as they can be read; their figures must not be counted.
    """
    entries = Entry.objects.filter(chain__card__contest_id=contest.id)
    seats = Seat.objects.filter(contest_id=contest.id, index=0).select_related("bike")
    if lengths is None:
        # A bike that was merged after a revision still has its own place in it.
        seats = seats.filter(bike__merged_into=None)
    if card_ids is not None:
        wanted = list(card_ids)
        entries, seats = entries.filter(chain_id__in=wanted), seats.filter(card_id__in=wanted)
    by_card = {seat.card_id: seat.bike for seat in seats if seat.bike is not None}
    folded = []
    for card_id, chain in split_by_chain(entries.order_by("chain_id", "seq").iterator(), lengths):
        if card_id in by_card:
            card = _fold_card(contest, card_id, by_card[card_id], chain)
            if card.damaged_from is not None:
                log.error("damaged_card", card=str(card_id), entry=card.damaged_from)
            if card.damaged_from is None or include_damaged:
                folded.append(card)
    return folded


def _fold_card(contest: ContestRules, card_id: UUID, bike: Bike, entries: list[Entry]) -> FoldedTurnCard:
    replay = replay_chain(contest, entries)
    last = entries[-1]
    return FoldedTurnCard(contest, card_id, bike, last.seq, last.at, replay.turns, replay.fold, replay.damaged_from)
