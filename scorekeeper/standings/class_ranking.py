"""The board of a class: the rows of a leaderboard that belong to it, with places of their own.

- It is made from the rows of a leaderboard, never from the database, so both show the same figures.
- The whole contest is ranked first, with its cuts. Who is tied there is tied here, unless cards were cut for the class.
- A cut of a class counts only while exactly its members are tied in the class, as a cut of the contest does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from games.core.cards import CARDS
from games.core.ranking import Ranking, rank
from games.core.standing import Standing
from scorekeeper.standings.leaderboard import (
    BoardClass,
    CountedCut,
    DecidedBy,
    Leaderboard,
    LeaderboardRow,
    TieRule,
    add_next_steps,
)


def make_class_board(board: Leaderboard, board_class: BoardClass) -> Leaderboard:
    """Return the leaderboard of one of the classes of a leaderboard: of those in it only, and without groups."""
    members = frozenset(board_class.members)
    rows = rank_class(board.rows, members, board_class.cuts, board.cuts)
    return replace(
        board,
        rows=(
            *add_next_steps(rows, TieRule(board_class.tie_places)),
            *(_drop_outlook(row) for row in board.rows if not row.is_ranked and row.entrant_id in members),
        ),
        groups=None,
        classes=(),
        cuts=(*_list_shared_cuts(board.cuts, members), *board_class.cuts),
    )


def rank_class(
    rows: Sequence[LeaderboardRow],
    members: Collection[UUID],
    cuts: Sequence[CountedCut] = (),
    contest_cuts: Sequence[CountedCut] = (),
) -> list[LeaderboardRow]:
    """Return the rows of a class that have a place, with their places in it.

    Args:
        rows: of the whole leaderboard, best first.
        members: of the class.
        cuts: those of the class.
        contest_cuts: those of the contest, which its rows are ranked by.
    """
    own = {row.entrant_id: row for row in rows if row.is_ranked and row.entrant_id in members}
    ranking = _rank(list(own.values()), cuts)
    shared = _list_shared_cuts(contest_cuts, frozenset(members))
    ranked = []
    for place in ranking.places:
        for entrant in place.seats:
            counted = [*shared, *(cuts[index] for index in place.cuts)]
            cards = tuple(card for cut in counted for one, _number, card in cut.cards if one == entrant)
            is_tied = len(place.seats) > 1
            decided_by: DecidedBy = "cut" if cards else "level" if is_tied else "points"
            row = replace(own[entrant], rank=place.rank, is_tied=is_tied, decided_by=decided_by, cards=cards)
            ranked.append(_drop_outlook(row))
    return ranked


def list_stale_cuts(rows: Sequence[LeaderboardRow], members: Collection[UUID], cuts: Sequence[CountedCut]) -> set[int]:
    """Return the entries of those cuts of a class that do not count, with the arguments of `rank_class`."""
    own = [row for row in rows if row.is_ranked and row.entrant_id in members]
    return {cuts[index].seq for index in _rank(own, cuts).stale_cuts}


def get_class_places(board: Leaderboard) -> Mapping[UUID, Mapping[UUID, LeaderboardRow]]:
    """Return by class, in order, the rows of everyone who has a place in it, by entrant."""
    return {
        one.id: {row.entrant_id: row for row in rank_class(board.rows, one.members, one.cuts, board.cuts)}
        for one in board.classes
    }


def _rank(own: Sequence[LeaderboardRow], cuts: Sequence[CountedCut]) -> Ranking[UUID]:
    # Only the order of the places counts here, and who shares one.
    standings = {row.entrant_id: Standing(row.total, (-(row.rank or 0),)) for row in own}
    cards = [{entrant: None if card is None else CARDS[card] for entrant, _number, card in cut.cards} for cut in cuts]
    return rank(standings, cards)


def _list_shared_cuts(cuts: Sequence[CountedCut], members: frozenset[UUID]) -> list[CountedCut]:
    """Return the cuts in which several of the class took part: the others decided nothing in it."""
    return [cut for cut in cuts if len(members.intersection(cut.entrants)) > 1]


def _drop_outlook(row: LeaderboardRow) -> LeaderboardRow:
    """Return a row without what is said about places in the whole contest."""
    return replace(row, outlook=None, chance="", next_step="")
