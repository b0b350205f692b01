"""What hands may end as, and who may win, against every way that few cards can come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations, product
from math import comb
from random import Random
from typing import Any

import pytest

from games.core.cards import JOKER
from games.core.chances import list_place_chances
from games.core.odds import Endings
from games.core.time_limit import TimeLimit
from games.poker_run import GAME
from games.poker_run.cards import PACK
from games.poker_run.odds.answer import MAX_COMPLETIONS
from games.poker_run.odds.counting import count_hands
from games.poker_run.odds.endings import SAMPLES, rename_suits
from games.poker_run.odds.future import get_future
from games.poker_run.state import Hand
from tests.games.poker_run import plain_hands
from tests.games.poker_run.table import FORFEIT, STAND, draws, extra, play

HOURS = 3600.0


def end(*actions: dict[str, Any], **options: Any) -> Endings:
    """Return what a hand may end as."""
    found = GAME.endings(play(*actions, **options), 0, TimeLimit(HOURS))
    assert found is not None
    return found


def make_key(cards: list[str], *, low: bool = False) -> tuple[int, ...]:
    """Return what ranking compares of a hand (POKER-12, POKER-13, POKER-16)."""
    number = plain_hands.number(cards, low=low)
    return (min(len(cards), 5), -number) if low else (number,)


def end_plainly(held: str, more: int, pack: list[str], *, low: bool = False) -> Mapping[tuple[int, ...], float]:
    """Return the chance of every key, from a list of every way to draw so many cards."""
    drawn = list(combinations(pack, more))
    found = Counter(make_key([*held.split(), *some], low=low) for some in drawn)
    return {key: ways / len(drawn) for key, ways in found.items()}


def as_mapping(endings: Endings) -> Mapping[tuple[int, ...], float]:
    return dict(zip(endings.keys, endings.chances, strict=True))


@pytest.mark.parametrize("goal", ["high", "low"])
@pytest.mark.parametrize("held", ["AS KS QS JS", "7S 5S 4S 3S", "9H 9D 9C 2S", "AS 4D 3C 2H"])
def test_one_card_to_come_ends_as_each_of_the_others(held: str, goal: str) -> None:
    """POKER-4, POKER-12, POKER-13"""
    pack = [card for card in PACK if card not in held.split()]
    found = as_mapping(end(*draws(held), goal=goal))
    assert found == pytest.approx(end_plainly(held, 1, pack, low=goal == "low"))


@pytest.mark.parametrize("goal", ["high", "low"])
def test_with_a_deck_at_each_stop_every_card_may_come_again(goal: str) -> None:
    """POKER-5, POKER-14"""
    found = as_mapping(end(*draws("AS KS QS JS"), goal=goal, deck="each_stop", jokers=1))
    assert found == pytest.approx(end_plainly("AS KS QS JS", 1, [*PACK, JOKER], low=goal == "low"))


def test_cards_on_sale_are_taken_to_be_bought() -> None:
    """POKER-6"""
    pack = [card for card in PACK if card not in ("AS", "KD")]
    expected = end_plainly("AS KD", 2, pack)
    assert as_mapping(end(*draws("AS KD"), turns=2, extra=2)) == pytest.approx(expected)
    bought = end_plainly("AS KD 2H", 1, [card for card in pack if card != "2H"])
    assert as_mapping(end(*draws("AS KD"), extra("2H"), turns=2, extra=2)) == pytest.approx(bought)
    stood = end(*draws("AS KD"), STAND, turns=2, extra=2)
    assert as_mapping(stood) == {make_key(["AS", "KD"]): 1.0}


@pytest.mark.parametrize("goal", ["high", "low"])
def test_a_hand_that_gets_nothing_more_is_certain(goal: str) -> None:
    """POKER-15, POKER-16, POKER-17"""
    found = end(*draws("AS KD"), FORFEIT, turns=3, goal=goal)
    assert found == Endings((make_key(["AS", "KD"], low=goal == "low"),), (1.0,))
    assert end(FORFEIT, turns=1, goal=goal).chances == (1.0,)


def test_hands_that_differ_by_their_suits_alone_end_alike() -> None:
    """POKER-8"""
    setup = GAME.ruleset().setup
    pairs = combinations(PACK, 2)
    alike = Counter(rename_suits(get_future(setup, Hand(((one,), (other,))))) for one, other in pairs)
    assert len(alike) == 169, "13 pairs, 78 hands of one suit, 78 of two"
    assert sum(alike.values()) == comb(52, 2)
    assert end(*draws("AS KS")) == end(*draws("KH AH"))
    assert end(*draws("AS KS")) != end(*draws("AS KH"))


def test_renaming_suits_keeps_cards_on_sale_apart() -> None:
    """POKER-5: what was bought cannot be bought again, what was drawn can."""
    options = {"turns": 2, "extra": 2, "deck": "each_stop"}
    same = end(*draws("AS KS"), extra("QS"), **options)
    assert same == end(*draws("AD KD"), extra("QD"), **options)
    assert same != end(*draws("AS QS"), extra("KS"), **options)


@pytest.mark.parametrize("goal", ["high", "low"])
@pytest.mark.parametrize("seed", range(3))
def test_the_chances_to_win_are_those_of_every_way_that_the_last_cards_come(seed: int, goal: str) -> None:
    """POKER-3, POKER-18: no seat takes a card away from another, and tied hands are as likely to win as each other.

    Three hands, two of which still draw a card, so the hands end in some 48 x 48 ways.
    """
    random = Random(seed)
    low = goal == "low"
    hands = [random.sample(PACK, 4), random.sample(PACK, 4), random.sample(PACK, 5)]
    if seed == 2:  # tied but for the last card
        hands[1] = [card.translate(str.maketrans("SHDC", "HDCS")) for card in hands[0]]
    endings = {number: end(*draws(" ".join(hand)), goal=goal) for number, hand in enumerate(hands)}

    found = list_place_chances(endings, 2)

    possible = [
        [make_key([*hand, *more], low=low) for more in combinations([card for card in PACK if card not in hand], left)]
        for hand, left in zip(hands, (1, 1, 0), strict=True)
    ]
    won, placed = [0.0] * 3, [0.0] * 3
    ways = list(product(*possible))
    for keys in ways:
        for number, key in enumerate(keys):
            better, tied = sum(other > key for other in keys), keys.count(key)
            won[number] += (better == 0) / tied
            placed[number] += min(max(2 - better, 0) / tied, 1)
    for number in range(3):
        assert found[number].win == pytest.approx(won[number] / len(ways), abs=1e-12)
        assert found[number].among_top == pytest.approx(placed[number] / len(ways), abs=1e-12)


def test_of_more_than_two_million_ways_some_are_sampled_and_always_the_same() -> None:
    """The standard error is that of so many samples, 0.5 percentage points at most."""
    options = {"turns": 7}
    deals = ("AS KS", "9H 8D")
    futures = [get_future(GAME.ruleset(options).setup, Hand(tuple((card,) for card in deal.split()))) for deal in deals]
    assert all(future.completions > MAX_COMPLETIONS for future in futures)
    sampled = {deal: end(*draws(deal), **options) for deal in deals}
    assert sampled == {deal: end(*draws(deal), **options) for deal in deals}

    exact = {}
    for deal, future in zip(deals, futures, strict=True):
        hands = {number: ways for number, ways in count_hands(future, TimeLimit(HOURS)).items() if ways}
        keys = sorted(hands, reverse=True)
        exact[deal] = Endings(tuple((key,) for key in keys), tuple(hands[key] / future.completions for key in keys))
    found, expected = list_place_chances(sampled), list_place_chances(exact)

    for deal in deals:
        error = (expected[deal].win * (1 - expected[deal].win) / SAMPLES) ** 0.5
        assert 0.003 < error <= 0.005
        assert abs(found[deal].win - expected[deal].win) < 5 * error


def test_it_gives_up_when_the_time_is_up() -> None:
    state = play(*draws("8S 3H"), turns=7, jokers=2)
    assert GAME.endings(state, 0, TimeLimit(-1)) is None
    assert GAME.endings(state, 0, TimeLimit(HOURS)) is not None


def test_no_turn_is_ever_running() -> None:
    """POKER-20"""
    for actions in ([], draws("AS"), [*draws("AS KS QS JS 10S"), extra("2D")]):
        assert GAME.is_between_turns(play(*actions, extra=2), 0)
