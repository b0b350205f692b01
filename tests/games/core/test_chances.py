"""Chances of places, against every way that a few cards can end."""

from __future__ import annotations

from itertools import permutations, product
from math import factorial
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core.actions import Action
from games.core.chances import list_nodes, list_place_chances, play_ended_turns
from games.core.game import Game, Ruleset
from games.core.odds import Distribution, Endings, list_endings
from games.core.registry import find_games
from games.core.time_limit import TimeLimit

EXACT = 1e-12
SEEDS = 24


def count_places(cards: list[Endings], top: int) -> list[tuple[float, float]]:
    """Return each card's chance to win and to be among the first, from all keys and all orders of level cards."""
    won, placed = [0.0] * len(cards), [0.0] * len(cards)
    possible = [list(zip(card.keys, card.chances, strict=True)) for card in cards]
    for ending in product(*possible):
        chance = 1.0
        for _key, own in ending:
            chance *= own
        for lots in permutations(range(len(cards))):
            order = sorted(range(len(cards)), key=lambda card: (ending[card][0], lots[card]), reverse=True)
            won[order[0]] += chance / factorial(len(cards))
            for card in order[:top]:
                placed[card] += chance / factorial(len(cards))
    return list(zip(won, placed, strict=True))


def draw(random: Random, size: int) -> Endings:
    weights = [random.choice([0, 1, 2, 5]) for _ in range(size)] + [1]
    return list_endings(Distribution(random.randint(0, 3), tuple(weight / sum(weights) for weight in weights)))


def draw_keys(random: Random, size: int) -> Endings:
    """Return some of the possible keys of two numbers, far apart, with equal chances."""
    keys = sorted(random.sample(list(product((4, 5), (-7, 900, 1_000_000))), size), reverse=True)
    return Endings(tuple(keys), (1 / size,) * size)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_chance_is_that_of_counting_all_endings(seed: int) -> None:
    random = Random(seed)
    make = draw_keys if seed >= SEEDS // 2 else draw
    cards = [make(random, random.randint(1, 3)) for _ in range(random.randint(1, 5))]
    if seed % 2:
        cards[-1] = cards[0]
    top = random.randint(1, 3)

    found = list_place_chances(dict(enumerate(cards)), top)

    for card, (win, place) in enumerate(count_places(cards, top)):
        assert found[card].win == pytest.approx(win, abs=EXACT)
        assert found[card].among_top == pytest.approx(place, abs=EXACT)


def test_the_chances_to_win_add_up_to_one_and_places_to_their_number() -> None:
    random = Random(5)
    cards = {number: draw(random, 30) for number in range(60)}

    found = list_place_chances(cards)

    assert sum(chances.win for chances in found.values()) == pytest.approx(1, abs=1e-9)
    assert sum(chances.among_top for chances in found.values()) == pytest.approx(3, abs=1e-9)


def test_cards_that_have_ended_have_certain_places() -> None:
    ended = {bike: Endings(((total,),), (1.0,)) for bike, total in (("12", 150), ("14", 140), ("15", 150))}

    found = list_place_chances(ended, 2)

    assert found["12"] == pytest.approx((0.5, 1.0))
    assert found["14"] == pytest.approx((0.0, 0.0))


def test_equal_cards_have_equal_chances() -> None:
    cards = {number: Endings(((102,), (101,), (100,)), (0.25, 0.5, 0.25)) for number in range(200)}

    found = list_place_chances(cards)

    assert all(chances == pytest.approx((1 / 200, 3 / 200), abs=1e-9) for chances in found.values())


def test_without_cards_there_is_nothing() -> None:
    assert list_place_chances({}) == {}


@pytest.mark.parametrize("count", [1, 4, 16])
def test_the_rule_integrates_powers_exactly(count: int) -> None:
    for power in range(2 * count):
        assert sum(weight * node**power for node, weight in list_nodes(count)) == pytest.approx(1 / (power + 1))


@pytest.mark.parametrize("game", find_games().values(), ids=lambda game: game.key)
def test_a_game_that_tells_chances_says_when_no_turn_is_running(game: Game[Any]) -> None:
    start = game.start(game.ruleset(), game.seat_limits[0])

    assert game.is_between_turns(start, 0) or not game.tells_endings


@pytest.mark.parametrize("game", find_games().values(), ids=lambda game: game.key)
def test_a_game_that_tells_chances_says_what_a_card_may_end_as(game: Game[Any]) -> None:
    start = game.start(game.ruleset(), game.seat_limits[0])

    endings = game.endings(start, 0, TimeLimit())

    assert (endings is not None) == game.tells_endings
    if endings is not None:
        assert list(endings.keys) == sorted(set(endings.keys), reverse=True)
        assert sum(endings.chances) == pytest.approx(1)
        assert min(endings.chances) > 0


def test_a_running_turn_is_not_read() -> None:
    ruleset = find_games()["rock-yahtzee"].ruleset()
    ended = read_actions(ruleset, {"type": "roll", "dice": [6, 6, 6, 6, 6]}, {"type": "score", "box": "yahtzee"})
    running = read_actions(ruleset, {"type": "roll", "dice": [1, 2, 3, 4, 5]})

    assert play_ended_turns(ruleset, [*ended, *running]) == play_ended_turns(ruleset, ended)
    assert play_ended_turns(ruleset, running) == ruleset.game.start(ruleset, 1)


def test_an_extra_turn_follows_an_ended_one() -> None:
    """Six circled dice of Go 500 score 175 and end the turn; then the segment is played again."""
    ruleset = find_games()["go-500"].ruleset()
    circled: list[dict[str, Any]] = [
        {"type": "start", "black": 5, "green": 1},
        {"type": "roll", "black": [30] * 5, "green": 25, "flag": "red"},
        {"type": "stand"},
    ]
    running: list[dict[str, Any]] = [
        {"type": "start", "black": 2, "green": 1},
        {"type": "roll", "black": [15, 20], "green": 10, "flag": "green"},
    ]
    states = [play_ended_turns(ruleset, read_actions(ruleset, *circled[:count])) for count in range(4)]

    assert states[0] == states[1] == states[2] == ruleset.game.start(ruleset, 1)
    assert ruleset.game.standing(states[3], 0).total == 175
    assert play_ended_turns(ruleset, read_actions(ruleset, *circled, *running)) == states[3]


def test_a_reroll_in_a_running_turn_is_not_spent_yet() -> None:
    ruleset = find_games()["go-500"].ruleset()
    actions = read_actions(
        ruleset,
        {"type": "start", "black": 1, "green": 0},
        {"type": "roll", "black": [5], "flag": "green"},
        {"type": "reroll", "black": [30], "flag": "green"},
    )

    assert play_ended_turns(ruleset, actions) == ruleset.game.start(ruleset, 1)
    assert play_ended_turns(ruleset, [*actions, *read_actions(ruleset, {"type": "retire"})]).retired == {0}


def read_actions(ruleset: Ruleset, *actions: dict[str, Any]) -> list[Action]:
    return [ruleset.read_action({**action, "seat": 0}, 1) for action in actions]


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_whatever_was_rolled_the_chances_add_up_to_one(data: st.DataObject) -> None:
    """Cards of two turns of R.O.C.K. Yahtzee, with none, one or both of them rolled, or retired."""
    ruleset = find_games()["rock-yahtzee"].ruleset({"turns": 2})
    turn = st.tuples(st.lists(st.integers(1, 6), min_size=5, max_size=5), st.sampled_from(("chance", "sixes", "aces")))
    cards = data.draw(st.lists(st.lists(turn, max_size=2, unique_by=lambda turn: turn[1]), min_size=1, max_size=6))
    found_endings = {}
    for number, turns in enumerate(cards):
        actions = [
            action
            for dice, box in turns
            for action in ({"type": "result", "dice": dice}, {"type": "score", "box": box})
        ]
        state = play_ended_turns(ruleset, read_actions(ruleset, *actions))
        endings = ruleset.game.endings(state, 0, TimeLimit())
        assert endings is not None
        found_endings[number] = endings

    found = list_place_chances(found_endings, 1)

    assert sum(chances.win for chances in found.values()) == pytest.approx(1, abs=1e-9)
    assert all(chances.win == pytest.approx(chances.among_top) for chances in found.values())
