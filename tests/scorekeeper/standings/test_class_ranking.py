"""Boards of classes against a plain fold: rank the members alone, then apply cuts that name exactly a tied group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from games.core.cards import CARDS
from scorekeeper.standings.class_ranking import list_stale_cuts, make_class_board, rank_class
from scorekeeper.standings.leaderboard import BoardClass, CountedCut, DecidedBy, Leaderboard, LeaderboardRow

MOST = 7
CARD_NAMES = ["2S", "2H", "9D", "QC", "AS", None]
Groups = list[set[int]]


def make_rows(totals: Sequence[int | None]) -> list[LeaderboardRow]:
    """The rows of a leaderboard: of bike 0, 1, …, whose totals may be equal; None for one that has not rolled."""
    own = {number: total for number, total in enumerate(totals) if total is not None}
    rows = []
    for number, total in sorted(own.items(), key=lambda pair: -pair[1]):
        better = sum(other > total for other in own.values())
        is_tied = list(own.values()).count(total) > 1
        decided: DecidedBy = "level" if is_tied else "points"
        row = LeaderboardRow(UUID(int=number), str(number), better + 1, is_tied, total, 1, "done", None, decided)
        rows.append(row)
    absent = [LeaderboardRow.unranked(UUID(int=n), str(n), "absent") for n, total in enumerate(totals) if total is None]
    return [*rows, *absent]


def make_cut(seq: int, cards: Mapping[int, str | None]) -> CountedCut:
    return CountedCut(seq, tuple((UUID(int=number), str(number), card) for number, card in cards.items()))


def fold_plainly(
    totals: Sequence[int | None], members: set[int], cuts: Sequence[CountedCut]
) -> tuple[Groups, set[int]]:
    """The groups of a class, best first, and the entries of the cuts that do not count."""
    own = {number: total for number, total in enumerate(totals) if total is not None and number in members}
    groups = [{n for n, total in own.items() if total == score} for score in sorted(set(own.values()), reverse=True)]
    stale = set()
    for cut in cuts:
        named = {entrant.int for entrant in cut.entrants}
        if len(named) < 2 or named not in groups:
            stale.add(cut.seq)
            continue
        shown = {entrant.int: -1 if card is None else CARDS[card].rank for entrant, _number, card in cut.cards}
        at = groups.index(named)
        groups[at : at + 1] = [
            {number for number, value in shown.items() if value == card}
            for card in sorted(set(shown.values()), reverse=True)
        ]
    return groups, stale


totals_of = st.lists(st.one_of(st.none(), st.integers(10, 14)), min_size=1, max_size=MOST)
members_of = st.sets(st.integers(0, MOST))


@st.composite
def draw_cuts(draw: st.DrawFn, totals: Sequence[int | None], members: set[int]) -> list[CountedCut]:
    """Cuts of groups that are tied in the class, and of any others."""
    cuts: list[CountedCut] = []
    for seq in range(draw(st.integers(0, 4))):
        groups = [group for group in fold_plainly(totals, members, cuts)[0] if len(group) > 1]
        any_group = st.sets(st.integers(0, MOST), min_size=2, max_size=3)
        named = draw(st.one_of(st.sampled_from(groups), any_group) if groups else any_group)
        cuts.append(make_cut(seq, {number: draw(st.sampled_from(CARD_NAMES)) for number in sorted(named)}))
    return cuts


@given(totals_of, members_of, st.data())
def test_a_class_is_ranked_as_if_only_its_members_had_played(
    totals: list[int | None], members: set[int], data: st.DataObject
) -> None:
    cuts, rows, ids = data.draw(draw_cuts(totals, members)), make_rows(totals), {UUID(int=n) for n in members}
    groups, stale = fold_plainly(totals, members, cuts)

    ranked = rank_class(rows, ids, cuts)

    assert list_stale_cuts(rows, ids, cuts) == stale
    by_rank: dict[int | None, set[int]] = {}
    for row in ranked:
        by_rank.setdefault(row.rank, set()).add(row.entrant_id.int)
        assert row.is_tied == (sum(other.rank == row.rank for other in ranked) > 1)
        assert row.total == totals[row.entrant_id.int]
    assert list(by_rank.values()) == groups
    assert list(by_rank) == [1 + sum(map(len, groups[:index])) for index in range(len(groups))]


@given(totals_of, members_of)
def test_a_board_of_everyone_is_the_leaderboard(totals: list[int | None], members: set[int]) -> None:
    board = Leaderboard(tuple(make_rows(totals)), "open", 5)
    everyone = BoardClass(UUID(int=99), "Everyone", tuple(row.entrant_id for row in board.rows))
    some = BoardClass(UUID(int=98), "Some", tuple(UUID(int=number) for number in sorted(members)))

    assert make_class_board(board, everyone).rows == board.rows
    own = make_class_board(board, some)
    assert [row.entrant_id for row in own.rows] == [
        row.entrant_id for row in board.rows if row.entrant_id in some.members
    ]


def test_a_cut_of_the_contest_decides_in_the_class_where_two_of_it_took_part() -> None:
    rows = [
        LeaderboardRow(UUID(int=n), str(n), n + 1, False, 24, 1, "done", None, "cut", (card,))
        for n, card in enumerate(("AS", "9D", "2S"))
    ]
    cut = make_cut(3, {0: "AS", 1: "9D", 2: "2S"})

    both = rank_class(rows, {UUID(int=1), UUID(int=2)}, (), [cut])
    alone = rank_class(rows, {UUID(int=1)}, (), [cut])

    assert [(row.rank, row.decided_by, row.cards) for row in both] == [(1, "cut", ("9D",)), (2, "cut", ("2S",))]
    assert [(row.rank, row.decided_by, row.cards) for row in alone] == [(1, "points", ())]
