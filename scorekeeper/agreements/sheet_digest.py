"""The digest of what a rider agrees to: the turns of a card with their boxes, points and dice, and the total.

A phone without signal cannot know the server's chain of the card, so an agreement names what the rider saw, not the
entry that led to it. Whatever changes the figures changes the digest, and a correction that is taken back brings it
back.

- Missed turns are left out: they add nothing, so closing a contest does not undo what was agreed.
- So are the lines of the score sheet, which follow from the turns: a later version may draw them differently.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.scorecards.bike_card import BikeCard
from scorekeeper.scorecards.card_kinds import FoldedCard


class SeenTurn(Protocol):
    """A turn as a page or a report shows it."""

    @property
    def line(self) -> str | None: ...
    @property
    def points(self) -> int: ...
    @property
    def dice(self) -> tuple[int | str, ...]: ...
    @property
    def how(self) -> str: ...


def compute_sheet_digest(turns: Iterable[tuple[int, SeenTurn]], total: int) -> str:
    """Return the digest of a card's figures.

    Args:
        turns: the turns that count, each with the ordinal of its slot.
    """
    seen = [
        [ordinal, turn.line, turn.points, list(turn.dice)]
        for ordinal, turn in sorted(turns, key=lambda pair: pair[0])
        if turn.how != "missed"
    ]
    return sha256(canonical_json({"turns": seen, "total": total}))


def compute_state_digest(card: BikeCard) -> str:
    """Return the digest of a card that a page has opened."""
    contest, results = card.contest, card.fold.results
    turns = (
        (contest.get_ordinal(turn.slot_id), results[turn.id])
        for turn in card.turns.values()
        if turn.slot_id is not None and turn.id in results
    )
    return compute_sheet_digest(turns, contest.ruleset.game.sheet(card.fold.state).totals[0])


def compute_card_digest(card: FoldedCard) -> str:
    """Return the digest of a folded card at the stops."""
    turns = ((card.contest.get_ordinal(slot), result) for slot, result in card.list_turns())
    return compute_sheet_digest(turns, card.contest.ruleset.game.sheet(card.state).totals[0])
