"""Adding up a season."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.seasons.season_ranking import PointsScale, rank_season

TABLE = PointsScale((25, 20, 16), below=1)
PLACES = st.dictionaries(
    st.integers(1, 9), st.dictionaries(st.sampled_from("ABCDE"), st.integers(1, 6), min_size=1), max_size=7
)
TABLES = st.builds(
    PointsScale,
    st.lists(st.integers(0, 9), min_size=1, max_size=4).map(lambda points: tuple(sorted(points, reverse=True))),
    st.just(0),
    st.none() | st.integers(1, 4),
)


def get_ranks(table: PointsScale, places: dict[str, dict[str, int]]) -> dict[str, tuple[str, int]]:
    return {row.rider: (row.rank_label, row.total) for row in rank_season(table, places)}


def test_places_bring_points_and_all_others_the_points_below() -> None:
    assert [TABLE.get_points(place) for place in (1, 2, 3, 4, 99)] == [25, 20, 16, 1, 1]


def test_totals_order_the_riders() -> None:
    places = {"Ann": {"May": 2, "June": 2}, "Ben": {"May": 1}, "Cleo": {"June": 1, "May": 3}}
    assert get_ranks(TABLE, places) == {"Cleo": ("1", 41), "Ann": ("2", 40), "Ben": ("3", 25)}


def test_equal_totals_go_to_the_better_places_and_then_share() -> None:
    even = PointsScale((10, 5, 5))
    places = {"Ann": {"May": 2, "June": 2}, "Ben": {"May": 1}, "Cleo": {"June": 3, "May": 2}, "Dan": {"July": 1}}
    assert get_ranks(even, places) == {"Ben": ("1=", 10), "Dan": ("1=", 10), "Ann": ("3", 10), "Cleo": ("4", 10)}


def test_only_the_best_results_count_and_of_equal_points_the_better_place() -> None:
    (row,) = rank_season(PointsScale((10, 5, 5), best_count=2), {"Ann": {"May": 3, "June": 2, "July": 1}})
    assert row.total == 15
    assert [name for name, result in row.results.items() if not result.counts] == ["May"]


def test_a_season_without_results_is_empty() -> None:
    assert rank_season(TABLE, {}) == []


@given(TABLES, PLACES)
def test_the_total_is_the_best_that_any_choice_of_results_brings(table: PointsScale, places) -> None:
    for row in rank_season(table, places):
        points = [table.get_points(place) for place in places[row.rider].values()]
        size = min(table.best_count or len(points), len(points))
        assert row.total == max(sum(chosen) for chosen in combinations(points, size))
        assert sum(result.counts for result in row.results.values()) == size


@given(TABLES, PLACES)
def test_the_order_is_by_total_and_every_rider_is_there_once(table: PointsScale, places) -> None:
    rows = rank_season(table, places)
    assert sorted(row.rider for row in rows) == sorted(places)
    for before, after in pairwise(rows):
        assert before.total >= after.total
        assert (before.rank == after.rank) <= (before.total == after.total and before.is_tied and after.is_tied)
    for position, row in enumerate(rows, 1):
        assert row.rank <= position
        assert row.is_tied == (sum(other.rank == row.rank for other in rows) > 1)
