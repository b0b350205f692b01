"""Presenters for the cuts of cards that decided places, as the public sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.players.selectors import format_entrant, format_public_name
from scorekeeper.standings.leaderboard import Leaderboard
from scorekeeper.standings.selectors.cuts import get_cut_witnesses
from scorekeeper.standings.wording import format_playing_card


class CountedCutPresenter(NamedTuple):
    """A cut of cards.

    Attributes:
        cards: who cut, and the name of the card.
        witness: the name of who watched, as the event shows people; "" where it shows none.
    """

    cards: tuple[tuple[str, str], ...]
    witness: str


def present_cuts(contest: Contest, board: Leaderboard, people: Mapping[UUID, str]) -> tuple[CountedCutPresenter, ...]:
    """Return the cuts that decided places of these rows; a cut is left out while one of those who cut is hidden.

    Args:
        people: the public names of each bike or player.
    """
    shown = {row.entrant_id for row in board.rows}
    cuts = [cut for cut in board.cuts if shown.issuperset(cut.entrants)]
    witnesses = get_public_witnesses(contest, board)
    return tuple(
        CountedCutPresenter(
            tuple(
                (format_entrant(number, people.get(entrant, "")), format_playing_card(card))
                for entrant, number, card in cut.cards
            ),
            witnesses.get(cut.seq, ""),
        )
        for cut in cuts
    )


def get_full_witnesses(contest: Contest, board: Leaderboard) -> Mapping[int, str]:
    """Return the full names of those who watched the cuts of a leaderboard, by the entry of the cut."""
    shown = {cut.seq for cut in board.cuts}
    return {seq: name for seq, name in get_cut_witnesses(contest.pk).items() if seq in shown} if shown else {}


def get_public_witnesses(contest: Contest, board: Leaderboard) -> Mapping[int, str]:
    """Return the same names as the event shows people; "" where it shows none."""
    return {seq: format_public_name(contest.event, name) for seq, name in get_full_witnesses(contest, board).items()}
