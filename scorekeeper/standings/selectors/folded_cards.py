"""The cards of a contest whose turns are recorded at the stops, folded from the log in few statements.

- A holder is *ranked* from the first turn that counts on its card, or by retiring.
- A card without a current turn (its only entry was voided or moved away) is not ranked and has no missing turns.
- A bike that was merged into another has no place of its own.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

import structlog

from games.core.standing import Standing
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.fold import CardFold, Turns, replay_chain
from scorekeeper.scorecards.models import Entry, Seat

log = structlog.get_logger("tailgunner.standings")


@dataclass(frozen=True, slots=True)
class FoldedCard:
    """A card folded from its chain.

    Attributes:
        seat: its holder, with the bike prefetched.
        log_length: how many entries are included.
        last_change: when the last of them was written.
        damaged_from: the first entry that cannot be read; the other attributes cover the entries before it.
    """

    seat: Seat
    log_length: int
    last_change: dt.datetime
    turns: Turns
    fold: CardFold
    standing: Standing
    damaged_from: int | None = None

    @property
    def card_id(self) -> UUID:
        """The card's id."""
        return self.seat.card_id

    @property
    def holder_id(self) -> UUID:
        """The id of the bike or the player."""
        holder = self.seat.bike_id or self.seat.player_id
        assert holder is not None, "the database ensures that a seat has one of the two"
        return holder

    @property
    def number(self) -> str:
        """The holder's label: the bike's number, or the player's name."""
        return str(self.seat.bike or self.seat.player)

    @property
    def sort_key(self) -> tuple[int, int, str]:
        """The sort key among tied holders."""
        bike = self.seat.bike
        return (0, 0, self.number) if bike is None else (bike.number, bike.suffix, "")

    @property
    def turn_count(self) -> int:
        """How many turns count."""
        return len(self.fold.results)

    @property
    def is_ranked(self) -> bool:
        """Whether the holder is in the ranking."""
        return bool(self.turns)

    def list_missing_slots(self, contest: ContestRules) -> list[UUID]:
        """Return the slots without a turn, in order; none once the card is finished (TABLE-2, TABLE-3)."""
        if not self.is_ranked or self.standing.status != "playing":
            return []
        taken = {turn.slot_id for turn in self.turns.values()}
        return [slot for slot in contest.slots if slot not in taken]


def fold_cards(
    contest: ContestRules,
    card_ids: Iterable[UUID] | None = None,
    lengths: Mapping[UUID, int] | None = None,
    *,
    include_damaged: bool = False,
) -> list[FoldedCard]:
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
    by_card = {seat.card_id: seat for seat in seats}
    folded = []
    for card_id, chain in groupby(entries.order_by("chain_id", "seq").iterator(), key=lambda entry: entry.chain_id):
        entries_read = [entry for entry in chain if lengths is None or entry.seq <= lengths.get(card_id, 0)]
        if entries_read and card_id in by_card:
            card = _fold_card(contest, by_card[card_id], entries_read)
            if card.damaged_from is not None:
                log.error("damaged_card", card=str(card_id), entry=card.damaged_from)
            if card.damaged_from is None or include_damaged:
                folded.append(card)
    return folded


def _fold_card(contest: ContestRules, seat: Seat, entries: list[Entry]) -> FoldedCard:
    replay = replay_chain(contest, entries)
    standing = contest.ruleset.game.standing(replay.fold.state, 0)
    return FoldedCard(seat, entries[-1].seq, entries[-1].at, replay.turns, replay.fold, standing, replay.damaged_from)
