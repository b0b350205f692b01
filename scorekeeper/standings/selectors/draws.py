"""The draws of cards of a contest and of its classes, from its leaderboard and its cuts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.standings.class_ranking import make_class_board
from scorekeeper.standings.draw import Draw, DrawnCard, DrawRound
from scorekeeper.standings.leaderboard import BoardClass, CountedCut, Leaderboard, LeaderboardRow
from scorekeeper.standings.selectors.cuts import Cut, list_class_cuts, list_cuts


def list_draws(contest: Contest, board: Leaderboard) -> list[Draw]:
    """Return the draws of a contest, those for the best places first; no statement where nobody cuts.

    Args:
        board: the contest's leaderboard, whose places the draws explain.
    """
    cuts = list_cuts(contest.pk) if board.cuts else ()
    return _make_draws([*_list_recorded(board.rows, board.cuts, cuts), *_list_open(board.rows)])


def list_class_draws(contest: Contest, board: Leaderboard, board_class: BoardClass) -> list[Draw]:
    """Return the draws for places of a class, as `list_draws` does. Who has to cut for the contest does that first.

    Args:
        board: the leaderboard of the whole contest.
    """
    rows = make_class_board(board, board_class).rows
    busy = {row.entrant_id for row in board.rows if row.next_step}
    cuts = list_class_cuts(contest.pk).get(board_class.id, ()) if board_class.cuts else ()
    to_cut = [one for one in _list_open(rows) if busy.isdisjoint(one.entrants)]
    return _make_draws([*_list_recorded(rows, board_class.cuts, cuts), *to_cut])


def _make_draws(rounds: Iterable[DrawRound]) -> list[Draw]:
    """Return the draws that these rounds belong to: those that were cut, in their order, then those to be cut."""
    draws: list[list[DrawRound]] = []
    for one in rounds:
        before = next((draw for draw in draws if draw[0].entrants >= one.entrants), None)
        if before is None:
            draws.append([one])
        else:
            depth = max(earlier.depth for earlier in before if earlier.entrants >= one.entrants) + 1
            before.append(replace(one, depth=depth))
    return sorted(map(_make_draw, draws), key=lambda draw: draw.rank)


def find_draw(draws: Iterable[Draw], entrants: frozenset[UUID]) -> Draw | None:
    """Return the draw in which exactly these entrants are or were tied."""
    return next((draw for draw in draws if any(one.entrants == entrants for one in draw.rounds)), None)


def _list_recorded(
    rows: Sequence[LeaderboardRow], counted_cuts: Sequence[CountedCut], cuts: Sequence[Cut]
) -> list[DrawRound]:
    by_entrant: Mapping[UUID, LeaderboardRow] = {row.entrant_id: row for row in rows}
    counted = {cut.seq for cut in counted_cuts}
    return [
        _make_round([by_entrant[entrant] for entrant in cut.cards], cut)
        for cut in cuts
        if cut.seq in counted and by_entrant.keys() >= cut.cards.keys()
    ]


def _list_open(rows: Sequence[LeaderboardRow]) -> list[DrawRound]:
    tied: dict[int | None, list[LeaderboardRow]] = {}
    for row in rows:
        if row.next_step:
            tied.setdefault(row.rank, []).append(row)
    return [_make_round(group) for group in tied.values()]


def _make_round(rows: Sequence[LeaderboardRow], cut: Cut | None = None) -> DrawRound:
    # Not in the order of places: cards must stay where they are when they are turned over.
    in_order = sorted(rows, key=lambda row: (len(row.number), row.number, str(row.entrant_id)))
    cards = tuple(DrawnCard(row, None if cut is None else _format_card(cut, row)) for row in in_order)
    rank = min(row.rank or 0 for row in rows)
    if cut is None:
        return DrawRound(1, rank, cards)
    return DrawRound(1, rank, cards, cut.seq, cut.at, cut.corrects is not None)


def _format_card(cut: Cut, row: LeaderboardRow) -> str | None:
    card = cut.cards[row.entrant_id]
    return None if card is None else str(card)


def _make_draw(rounds: Sequence[DrawRound]) -> Draw:
    in_order = sorted(rounds, key=lambda one: (one.depth, one.rank))
    return Draw(tuple(_mark_recut(one, in_order) for one in in_order))


def _mark_recut(one: DrawRound, rounds: Sequence[DrawRound]) -> DrawRound:
    """Return the round with those marked who have a later one."""
    later = {entrant for other in rounds if other.depth > one.depth for entrant in other.entrants}
    return replace(one, cards=tuple(card._replace(cuts_again=card.row.entrant_id in later) for card in one.cards))
