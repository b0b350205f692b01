"""The evidence against dice: known values, its mean under fair dice, false alarms, and what it finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, permutations
from math import exp, isclose, log, prod
from random import Random

import pytest

from games.core.fairness import (
    BLOCK,
    CLOSENESS,
    FALSE_ALARMS,
    FALSE_LOOKS,
    POWER,
    compute_evidence,
    get_share,
    get_tail,
    get_threshold,
    judge_sample,
)
from tests.faults.scale import FULL, scaled

SIX = (1,) * 6
FLAG = (3, 1, 1, 1)


def compute_by_fractions(throws: Sequence[int], weights: Sequence[int]) -> Fraction:
    """Return the evidence exactly: the money of a gambler who bets face by face at fair odds."""
    sides = sum(weights)
    total = Fraction(0)
    for closeness in map(Fraction, CLOSENESS):
        money = Fraction(1)
        seen: Counter[int] = Counter()
        for number, face in enumerate(throws):
            fair = Fraction(weights[face], sides)
            money *= (closeness * fair + seen[face]) / (closeness + number) / fair
            seen[face] += 1
        total += money
    return total / len(CLOSENESS)


def count_faces(throws: Sequence[int], faces: int) -> list[int]:
    found = Counter(throws)
    return [found[face] for face in range(faces)]


@pytest.mark.parametrize("weights", [SIX, FLAG, (1, 1)])
def test_without_throws_there_is_no_evidence(weights: tuple[int, ...]) -> None:
    found = judge_sample([0] * len(weights), weights)

    assert isclose(compute_evidence([0] * len(weights), weights), 0, abs_tol=1e-12)
    assert (found.level, found.throws, round(found.one_in)) == ("nothing", 0, 1)
    assert found.visible_share == (None,) * len(weights)


@pytest.mark.parametrize("weights", [SIX, FLAG, (2, 3)])
@pytest.mark.parametrize("seed", range(5))
def test_the_evidence_is_what_a_gambler_has_who_bets_throw_by_throw(weights: tuple[int, ...], seed: int) -> None:
    random = Random(seed)
    throws = random.choices(range(len(weights)), [1 + seed] + [2] * (len(weights) - 1), k=40 * seed + 3)

    evidence = compute_evidence(count_faces(throws, len(weights)), weights)

    assert isclose(exp(evidence), compute_by_fractions(throws, weights), rel_tol=1e-9)


def test_the_order_of_the_throws_makes_no_difference() -> None:
    found = {compute_by_fractions(order, FLAG) for order in permutations([0, 0, 1, 3, 1, 2])}

    assert len(found) == 1


@pytest.mark.parametrize(
    ("counts", "weights"),
    [((0,) * 6, SIX), ((3, 0, 1, 7, 2, 2), SIX), ((40, 60, 55, 45, 50, 90), SIX), ((9, 0, 2, 4), FLAG)],
)
def test_with_fair_dice_the_next_throw_leaves_the_evidence_as_it_is_on_average(
    counts: tuple[int, ...], weights: tuple[int, ...]
) -> None:
    throws = [face for face, count in enumerate(counts) for _ in range(count)]
    after = [compute_by_fractions([*throws, face], weights) for face in range(len(weights))]

    mean = sum(Fraction(weight, sum(weights)) * each for weight, each in zip(weights, after, strict=True))

    assert mean == compute_by_fractions(throws, weights)
    floats = [
        weight / sum(weights) * exp(compute_evidence([*counts[:face], counts[face] + 1, *counts[face + 1 :]], weights))
        for face, weight in enumerate(weights)
    ]
    assert isclose(sum(floats), exp(compute_evidence(counts, weights)), rel_tol=1e-9)


def test_the_shares_of_any_number_of_samples_are_never_more_than_all() -> None:
    sums = list(accumulate(get_share(number) for number in range(50 * BLOCK)))

    assert isclose(sums[BLOCK - 1], 1 / 2)
    assert isclose(sums[2 * BLOCK - 1], 2 / 3)
    assert isclose(sums[-1], 50 / 51)
    assert len({get_share(number) for number in range(BLOCK)}) == 1, "the order within a block must not matter"


def test_levels_begin_at_their_thresholds() -> None:
    share = get_share(0)
    assert isclose(exp(get_threshold(FALSE_ALARMS, share)), 12_800)
    assert isclose(exp(get_threshold(FALSE_LOOKS, share)), 1_280)

    levels = [judge_sample([20] * 5 + [count], SIX, share) for count in range(20, 90)]

    assert [each.level for each in levels] == sorted(
        (each.level for each in levels), key=["nothing", "worth_a_look", "alarm"].index
    )
    for each in levels:
        assert (each.level == "alarm") == (each.one_in >= 12_800)
        assert (each.level != "nothing") == (each.one_in >= 1_280)


def test_fair_dice_raise_an_alarm_in_at_most_one_event_in_a_hundred() -> None:
    """Every event has thirty sets of dice and is looked at after every throw of each."""
    events, sets, throws = (2_000, 30, 300) if FULL else (200, 10, 150)
    random = Random(170)
    alarms = looks = 0
    for _ in range(events):
        best = max(get_highest_evidence(random.choices(range(6), k=throws)) for _ in range(sets))
        alarms += best >= get_threshold(FALSE_ALARMS, 1 / sets)
        looks += best >= get_threshold(FALSE_LOOKS, 1 / sets)

    assert alarms <= FALSE_ALARMS * events
    assert looks <= FALSE_LOOKS * events


def test_a_test_of_one_set_raises_a_false_alarm_in_at_most_one_of_a_hundred() -> None:
    tests = scaled(20_000, 2_000)
    random = Random(171)
    alarms = sum(
        get_highest_evidence(random.choices(range(4), FLAG, k=120), FLAG) >= get_threshold(FALSE_ALARMS, 1)
        for _ in range(tests)
    )

    assert 0 < alarms <= FALSE_ALARMS * tests


def get_highest_evidence(throws: Sequence[int], weights: Sequence[int] = SIX) -> float:
    """Return the highest evidence after any of the throws, from the gambler's bets."""

    fair = [weight / sum(weights) for weight in weights]
    seen = [0] * len(weights)
    money = [1.0] * len(CLOSENESS)
    best = 0.0
    for number, face in enumerate(throws):
        for index, closeness in enumerate(CLOSENESS):
            money[index] *= (closeness * fair[face] + seen[face]) / (closeness + number) / fair[face]
        seen[face] += 1
        best = max(best, sum(money))
    return log(best / len(CLOSENESS)) if best else 0.0


def test_a_face_that_shows_a_quarter_of_the_time_is_found() -> None:
    random = Random(172)
    loaded = [random.choices(range(6), [3, 3, 3, 3, 3, 5], k=2_000) for _ in range(100)]

    found = [judge_sample(count_faces(throws, 6), SIX, get_share(0)).level for throws in loaded]
    early = [judge_sample(count_faces(throws[:500], 6), SIX, get_share(0)).level for throws in loaded]

    assert found.count("alarm") >= 99
    assert 0 < early.count("alarm") < 60


@pytest.mark.parametrize(("throws", "share"), [(150, 1.0), (500, 1.0), (500, get_share(0)), (2_000, get_share(0))])
def test_the_share_that_would_have_been_seen_raises_an_alarm_about_as_often_as_promised(
    throws: int, share: float
) -> None:
    visible = judge_sample([throws // 6] * 5 + [throws - 5 * (throws // 6)], SIX, share).visible_share[5]
    assert visible is not None
    random = Random(173)
    weights = [(1 - visible) / 5] * 5 + [visible]
    tries = 400
    threshold = get_threshold(FALSE_ALARMS, share)
    alarms = sum(
        compute_evidence(count_faces(random.choices(range(6), weights, k=throws), 6), SIX) >= threshold
        for _ in range(tries)
    )

    assert POWER - 0.06 < alarms / tries < 0.95


def test_more_throws_see_less() -> None:
    shares = [judge_sample([count] * 6, SIX).visible_share[0] for count in (1, 10, 25, 83, 333, 3_000)]

    assert shares[0] is None
    rest = [share for share in shares if share is not None]
    assert rest == sorted(rest, reverse=True)
    assert rest[0] > 0.45 > 0.2 > rest[-1]


def test_a_face_on_three_sides_has_a_limit_of_its_own() -> None:
    visible = judge_sample([30, 10, 10, 10], FLAG).visible_share

    assert visible[0] != visible[1] == visible[2] == visible[3]


@pytest.mark.parametrize(("throws", "chance", "count"), [(10, 0.3, 0), (10, 0.3, 2), (10, 0.3, 7), (10, 0.3, 11)])
def test_the_tail_of_a_binomial_distribution(throws: int, chance: float, count: int) -> None:
    ways = [prod(range(throws - k + 1, throws + 1)) // prod(range(1, k + 1)) for k in range(throws + 1)]
    exact = sum(ways[k] * chance**k * (1 - chance) ** (throws - k) for k in range(count, throws + 1))

    assert isclose(get_tail(throws, chance, count), exact, abs_tol=1e-12)
