"""Ranking: places, cuts, and stale cuts."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from games.core.cards import CARDS, Card
from games.core.ranking import rank
from games.core.standing import Standing, Status


def standings(*totals: int, retired: tuple[int, ...] = ()) -> dict[int, Standing]:
    """Return standings of seats 0, 1, … with these totals; all are done, except those in `retired`."""

    def status(seat: int) -> Status:
        return "retired" if seat in retired else "done"

    return {seat: Standing(total, (total,), status(seat)) for seat, total in enumerate(totals)}


def shown(**cards: str | None) -> Mapping[int, Card | None]:
    """Return a cut; seats are given as `s0`, `s1` …"""
    return {int(seat[1:]): None if card is None else CARDS[card] for seat, card in cards.items()}


def test_tied_seats_share_a_place_and_the_next_place_is_skipped() -> None:
    places = rank(standings(20, 30, 20, 10)).places
    assert [(place.rank, place.seats) for place in places] == [(1, (1,)), (2, (0, 2)), (4, (3,))]


def test_a_ranking_without_seats_is_empty() -> None:
    assert rank({}).places == ()


def test_retired_seats_rank_below_all_others_and_among_themselves_by_score() -> None:
    """TABLE-3"""
    assert rank(standings(90, 5, 95, 0, retired=(0, 2))).groups == ((1,), (3,), (2,), (0,))
    assert rank(standings(5, 5, retired=(1,))).groups == ((0,), (1,))


def test_a_cut_says_which_places_it_decided() -> None:
    ranking = rank(standings(9, 9, 12), [shown(s0="2S", s1="3S")])
    assert [(place.seats, place.cuts) for place in ranking.places] == [((2,), ()), ((1,), (0,)), ((0,), (0,))]
    assert ranking.stale_cuts == ()


def test_equal_cards_leave_the_seats_tied_and_a_second_cut_breaks_the_tie() -> None:
    first = shown(s0="QS", s1="QH", s2="2C")
    assert rank(standings(9, 9, 9), [first]).groups == ((0, 1), (2,))
    ranking = rank(standings(9, 9, 9), [first, shown(s0="2S", s1="3S")])
    assert [(place.rank, place.seats, place.cuts) for place in ranking.places] == [
        (1, (1,), (0, 1)), (2, (0,), (0, 1)), (3, (2,), (0,)),
    ]  # fmt: skip


def test_absent_seats_rank_below_and_stay_tied_until_they_cut_themselves() -> None:
    first = shown(s0=None, s1="2C", s2=None)
    assert rank(standings(9, 9, 9), [first]).groups == ((1,), (0, 2))
    assert rank(standings(9, 9, 9), [first, shown(s0="5C", s2="6C")]).groups == ((1,), (2,), (0,))


def test_a_cut_is_stale_once_its_seats_are_no_longer_exactly_one_tied_group() -> None:
    cut = [shown(s0="2S", s1="3S")]
    for changed in (standings(9, 8), standings(9, 9, 9), standings(9, 9, retired=(1,))):
        ranking = rank(changed, cut)
        assert ranking.stale_cuts == (0,)
        assert ranking.groups == rank(changed).groups


def test_a_stale_cut_counts_again_when_its_group_returns() -> None:
    cut = [shown(s0="2S", s1="3S")]
    assert rank(standings(9, 8), cut).stale_cuts == (0,)
    assert rank(standings(8, 8), cut).groups == ((1,), (0,))


def test_a_second_cut_is_stale_with_the_first_that_made_its_group() -> None:
    cuts = [shown(s0="QS", s1="QH", s2="2C"), shown(s0="2S", s1="3S")]
    assert rank(standings(9, 9, 8), cuts).stale_cuts == (0,)
    assert rank(standings(9, 9, 8), cuts).groups == ((1,), (0,), (2,))
    assert rank(standings(9, 7, 8), cuts).stale_cuts == (0, 1)


def test_a_cut_of_one_seat_or_none_does_not_count() -> None:
    assert rank(standings(9, 8), [shown(s0="2S"), {}]).stale_cuts == (0, 1)


def test_cuts_of_different_groups_do_not_disturb_each_other() -> None:
    cuts = [shown(s2="2S", s3="3S"), shown(s0="2S", s1="3S")]
    assert rank(standings(9, 9, 5, 5), cuts).groups == ((1,), (0,), (3,), (2,))
    assert rank(standings(9, 9, 5, 5), cuts[::-1]).groups == ((1,), (0,), (3,), (2,))


some_cuts = st.lists(
    st.dictionaries(st.integers(0, 5), st.none() | st.sampled_from(list(CARDS.values())), max_size=4), max_size=5
)


@given(st.lists(st.integers(0, 3), max_size=6), some_cuts)
def test_cuts_only_ever_reorder_tied_seats(totals: list[int], cuts: list[dict[int, Card | None]]) -> None:
    ranking = rank(standings(*totals), cuts)
    order = [seat for group in ranking.groups for seat in group]
    assert sorted(order) == list(range(len(totals)))
    assert [totals[seat] for seat in order] == sorted(totals, reverse=True)
    assert all(totals[a] == totals[b] for group in ranking.groups for a in group for b in group)
    ranks = [place.rank for place in ranking.places]
    assert ranks == [1 + sum(len(group) for group in ranking.groups[:n]) for n in range(len(ranks))]
    without_stale = [cut for position, cut in enumerate(cuts) if position not in ranking.stale_cuts]
    assert rank(standings(*totals), without_stale).groups == ranking.groups
