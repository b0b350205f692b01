"""The best and the worst that a hand can still become, against every way in which it can go on."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.poker_run import GAME
from games.poker_run.cards import PACK
from tests.games.exhaustive import explore
from tests.games.poker_run.table import STAND, draw, draws, extra, play


def get_limits(state: Any) -> tuple[int, int]:
    """Return the worst and the best total that the hand can still end with."""
    reach = GAME.reach(state, 0)
    assert reach is not None
    assert reach.best is not None
    assert reach.worst is not None
    return reach.worst.total, reach.best.total


@pytest.mark.parametrize("deck", ["one", "each_stop"])
@pytest.mark.parametrize("jokers", [0, 1])
@pytest.mark.parametrize("seed", range(4))
def test_best_and_worst_match_every_continuation(seed: int, jokers: int, deck: str) -> None:
    """POKER-4, POKER-5, POKER-7, POKER-17"""
    random = Random(seed)
    held = random.sample(random.choice((PACK, PACK[:20], PACK[::4])), random.randint(3, 6))
    options: dict[str, Any] = {"turns": len(held) + 1, "jokers": jokers, "deck": deck}
    state = play(*map(draw, held), **options)
    ends = explore(GAME.ruleset(options), state, 1_000)
    assert ends is not None
    totals = [GAME.standing(end, 0).total for end in ends if GAME.is_finished(end)]

    assert get_limits(state) == (min(totals), max(totals))


def test_a_royal_flush_is_the_best_that_a_new_hand_can_become() -> None:
    """POKER-9"""
    assert get_limits(play()) == (0, 0x8EDCBA)
    assert get_limits(play(turns=4)) == (0, 0x7EEEE0)
    assert get_limits(play(turns=3)) == (0, 0x3EEE00)
    assert get_limits(play(deck="each_stop")) == (0, 0x9EEEEE)
    assert get_limits(play(jokers=1)) == (0, 0x9EEEEE)


def test_cards_on_sale_can_still_improve_a_hand() -> None:
    """POKER-6"""
    options: dict[str, Any] = {"turns": 2, "extra": 1}
    assert get_limits(play(*draws("KS KH"), **options)) == (0x1DD000, 0x3DDD00)
    assert get_limits(play(*draws("KS KH"), extra("2S"), **options)) == (0x1DD200, 0x1DD200)
    assert get_limits(play(*draws("KS KH"), STAND, **options)) == (0x1DD000, 0x1DD000)


def test_where_the_worst_hand_wins_there_are_no_limits_of_numbers() -> None:
    """POKER-16"""
    assert GAME.reach(play(goal="low"), 0) is None
