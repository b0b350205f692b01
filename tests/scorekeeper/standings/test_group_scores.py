"""How groups compare: the mean of all totals, or the sum of the best N."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.standings.group_scores import GroupRule, GroupScore, rank_groups

pytestmark = pytest.mark.database

# Few values, so that groups are often tied.
TOTALS = st.dictionaries(st.integers(1, 9), st.lists(st.integers(-3, 12), max_size=6), max_size=6)
RULES = st.builds(GroupRule, best=st.integers(0, 4), lowest_wins=st.booleans())
LARGE = st.dictionaries(st.integers(1, 9), st.lists(st.integers(0, 2**52), max_size=6), max_size=6)


def compute_score(totals: list[int], rule: GroupRule) -> Fraction | None:
    """The score of a group by trying every choice of totals; None without a place."""
    if rule.best == 0:
        return Fraction(sum(totals), len(totals)) if totals else None
    sums = [Fraction(sum(chosen)) for chosen in combinations(totals, rule.best)]
    if not sums:
        return None
    return min(sums) if rule.lowest_wins else max(sums)


@given(TOTALS | LARGE, RULES)
def test_places_and_ties_match_comparing_every_pair_of_groups(totals: dict[int, list[int]], rule: GroupRule) -> None:
    scores = {group: compute_score(values, rule) for group, values in totals.items()}
    found = {score.group: score for score in rank_groups(totals, rule)}

    assert found.keys() == totals.keys()
    for group, own in scores.items():
        others = [other for name, other in scores.items() if name != group and other is not None]
        if own is None:
            assert (found[group].rank, found[group].is_tied) == (None, False)
            continue
        better = sum(other < own if rule.lowest_wins else other > own for other in others)
        assert found[group].rank == 1 + better
        assert found[group].is_tied == (own in others)
        assert own == (found[group].points if rule.best else found[group].mean)


@given(TOTALS, RULES)
def test_groups_are_listed_by_place_and_those_without_one_last(totals: dict[int, list[int]], rule: GroupRule) -> None:
    found = rank_groups(totals, rule)

    ranks = [score.rank or len(totals) + 1 for score in found]
    assert ranks == sorted(ranks)
    order = list(totals)
    for one, two in pairwise(found):
        assert one.rank != two.rank or order.index(one.group) < order.index(two.group)


@given(TOTALS, RULES, st.randoms())
def test_the_order_of_a_groups_totals_does_not_matter(totals, rule: GroupRule, chance) -> None:
    shuffled = {group: chance.sample(values, len(values)) for group, values in totals.items()}
    assert rank_groups(shuffled, rule) == rank_groups(totals, rule)


@given(TOTALS, st.integers(1, 4), st.booleans())
def test_the_sum_of_the_best_ranks_groups_as_their_mean_would(totals, best: int, lowest_wins: bool) -> None:
    scores = rank_groups(totals, GroupRule(best, lowest_wins))
    ranked = [score for score in scores if score.rank is not None]
    means = sorted(ranked, key=lambda score: score.mean, reverse=not lowest_wins)
    assert [score.rank for score in means] == [score.rank for score in ranked]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (GroupRule(), [("b", 1, False, 50, 1), ("a", 2, False, 120, 3), ("c", None, False, 0, 0)]),
        (GroupRule(best=2), [("a", 1, False, 100, 2), ("b", None, False, 50, 1), ("c", None, False, 0, 0)]),
        (GroupRule(best=1), [("a", 1, True, 50, 1), ("b", 1, True, 50, 1), ("c", None, False, 0, 0)]),
        (
            GroupRule(best=1, lowest_wins=True),
            [("a", 1, False, 20, 1), ("b", 2, False, 50, 1), ("c", None, False, 0, 0)],
        ),
    ],
    ids=["mean", "best two", "tied", "lowest wins"],
)
def test_examples(rule: GroupRule, expected: list[tuple[str, int | None, bool, int, int]]) -> None:
    found: tuple[GroupScore[str], ...] = rank_groups({"a": [50, 20, 50], "b": [50], "c": []}, rule)
    assert [(score.group, score.rank, score.is_tied, score.points, score.counted) for score in found] == expected
    assert [score.size for score in sorted(found, key=lambda score: score.group)] == [3, 1, 0]


def test_means_are_compared_exactly_even_where_they_look_equal() -> None:
    """1/3 and 333/1000 are both 0.33."""
    scores = rank_groups({"one": [333] + [0] * 999, "other": [1, 0, 0]}, GroupRule())
    assert [(score.group, score.rank) for score in scores] == [("other", 1), ("one", 2)]
    assert not any(score.is_tied for score in scores)
