"""Games tell the faces of dice that were thrown, of the kinds that they declare, and no dice that were kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from games.core.fairness import FALSE_ALARMS, compute_evidence, get_threshold
from games.core.game import Ruleset
from games.drag_rage import GAME as DRAG_RAGE
from games.go_500 import GAME as GO_500
from games.grand_prix import GAME as GRAND_PRIX
from games.rock_yahtzee import GAME as ROCK
from games.rogue import GAME as ROGUE
from tests.games.all_games import GAMES, list_rulesets
from tests.games.sampling import walk
from tests.games.toy.game import PigRace

SIX = (1,) * 6


def list_thrown(ruleset: Ruleset, seats: int, actions: Sequence[Any]) -> list[dict[str, list[Any]]]:
    """Return what each action threw."""
    game = ruleset.game
    state = game.start(ruleset, seats)
    thrown = []
    for data in actions:
        action = ruleset.read_action(data, seats)
        thrown.append({key: list(faces) for key, faces in game.thrown_dice(state, action).items()})
        state = game.play(state, action)
    return thrown


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ruleset", list(list_rulesets()), ids=lambda ruleset: ruleset.game.key)
def test_every_thrown_face_is_one_of_its_kind(ruleset: Ruleset, seed: int) -> None:
    low, high = ruleset.game.seat_limits
    seats = min(max(low, 2), high or 2)
    *_, last = walk(ruleset, seats, Random(seed))
    kinds = {kind.key: kind for kind in ruleset.game.dice_kinds(ruleset.setup)}

    for thrown in list_thrown(ruleset, seats, last.actions):
        for key, faces in thrown.items():
            assert faces
            assert set(faces) <= {each.face for each in kinds[key].faces}


@pytest.mark.parametrize("ruleset", list(list_rulesets()), ids=lambda ruleset: ruleset.game.key)
def test_kinds_have_a_weight_for_each_of_at_least_two_faces(ruleset: Ruleset) -> None:
    kinds = ruleset.game.dice_kinds(ruleset.setup)

    assert len({kind.key for kind in kinds}) == len(kinds)
    for kind in kinds:
        assert len(kind.weights) == len(kind.faces) == len({str(each.face) for each in kind.faces}) > 1
        assert min(kind.weights) > 0 < kind.dice


def test_a_game_that_does_not_tell_throws_nothing() -> None:
    ruleset = PigRace().ruleset()

    assert ruleset.game.dice_kinds(ruleset.setup) == ()
    assert list_thrown(ruleset, 1, [{"type": "throw", "dice": [3]}]) == [{}]
    assert [key for key, game in GAMES.items() if not game.dice_kinds(game.ruleset().setup)] == [
        "poker-run",
        "pig-race",
    ]


def test_rock_yahtzee_tells_rolls_and_neither_kept_nor_final_dice() -> None:
    actions = [
        {"type": "roll", "dice": [1, 5, 5, 2, 6]},
        {"type": "roll", "keep": [5, 5], "dice": [1, 2, 3]},
        {"type": "result", "dice": [5, 5, 5, 5, 1], "rolls": 3},
        {"type": "score", "box": "fives"},
        {"type": "paper", "box": "aces", "points": 3},
        {"type": "forfeit"},
        {"type": "retire"},
    ]

    assert list_thrown(ROCK.ruleset(), 1, actions) == [{"d6": [1, 5, 5, 2, 6]}, {"d6": [1, 2, 3]}, {}, {}, {}, {}, {}]


def test_rogue_tells_rolls_and_not_what_is_set_aside() -> None:
    actions = [
        {"seat": 0, "type": "roll", "dice": ["C", 2, 2, 3, 4, 6]},
        {"seat": 0, "type": "keep", "dice": ["C"]},
        {"seat": 0, "type": "roll", "dice": [2, 2, 3, 4, 6]},
    ]

    assert list_thrown(ROGUE.ruleset(), 2, actions) == [
        {"rogue": ["C", 2, 2, 3, 4, 6]},
        {},
        {"rogue": [2, 2, 3, 4, 6]},
    ]


def test_go_500_tells_each_colour_and_the_flag() -> None:
    actions = [
        {"type": "start", "black": 2, "green": 1},
        {"type": "roll", "black": [5, 10], "green": "flat", "flag": "green"},
        {"type": "reroll", "black": [15, 10], "green": 20, "flag": "green"},
        {"type": "lock", "black": [15], "green": True},
        {"type": "roll", "black": [20], "flag": "yellow"},
        {"type": "stand"},
        {"type": "penalty", "face": -5},
        {"type": "reroll", "face": "lights"},
        {"type": "stand"},
        {"type": "start", "black": 1, "green": 0},
        {"type": "roll", "black": [30], "flag": "red"},
        {"type": "stand"},
        {"type": "penalty", "faces": ["crash", -20]},
    ]

    assert list_thrown(GO_500.ruleset(), 1, actions) == [
        {},
        {"black": [5, 10], "green": ["flat"], "flag": ["green"]},
        {"black": [15, 10], "green": [20], "flag": ["green"]},
        {},
        {"black": [20], "flag": ["yellow"]},
        {},
        {"yellow": [-5]},
        {"yellow": ["lights"]},
        {},
        {},
        {"black": [30], "flag": ["red"]},
        {},
        {"red": ["crash", -20]},
    ]


def test_go_500_knows_the_sides_of_the_flag_die_and_leaves_out_dice_with_one_face() -> None:
    kit = {"green": [{"face": "5", "value": 5}]}
    ruleset = GO_500.ruleset({"kit": kit})
    kinds = {kind.key: kind for kind in ruleset.game.dice_kinds(ruleset.setup)}

    assert list(kinds) == ["black", "yellow", "red", "flag"]
    assert dict(zip([each.face for each in kinds["flag"].faces], kinds["flag"].weights, strict=True)) == {
        "green": 3,
        "yellow": 1,
        "red": 1,
        "black": 1,
    }
    roll = {"type": "roll", "black": [5], "green": 5, "flag": "green"}
    assert list_thrown(ruleset, 1, [{"type": "start", "black": 1, "green": 1}, roll])[1] == {
        "black": [5],
        "flag": ["green"],
    }


def test_grand_prix_tells_rolls_and_the_dice_rolled_again() -> None:
    actions = [
        {"type": "gear", "gear": 1},
        {"type": "roll", "dice": [1, 2, 3, 4, 5, 6]},
        {"type": "select", "reroll": [5, 6], "dice": [1, 1]},
        {"type": "reroll", "dice": [1, 1, 1, 2, 2, 2]},
        {"type": "move"},
    ]

    thrown = list_thrown(GRAND_PRIX.ruleset(), 1, actions)

    assert thrown == [{}, {"d6": [1, 2, 3, 4, 5, 6]}, {"d6": [1, 1]}, {"d6": [1, 1, 1, 2, 2, 2]}, {}]


def test_drag_rage_tells_the_free_dice_of_a_challenge_and_the_nitro_die() -> None:
    actions = [
        {"type": "start_heat", "first": 0},
        {"seat": 0, "type": "advance", "counter": 5},
        {"seat": 1, "type": "challenge"},
        {"seat": 0, "type": "defend", "dice": [6, 2, 4]},
    ]

    assert list_thrown(DRAG_RAGE.ruleset(), 2, actions) == [{}, {}, {}, {"d6": [6, 2], "nitro": [4]}]


def test_kept_dice_are_selected_and_would_raise_alarms_with_fair_dice() -> None:
    """Riders keep what they have most of, high faces first: the final dice of fair dice look loaded."""
    random = Random(174)
    threshold = get_threshold(FALSE_ALARMS, 1)
    thrown: Counter[int] = Counter()
    final: Counter[int] = Counter()
    for _ in range(500):
        dice = roll(random, 5)
        actions: list[dict[str, Any]] = [{"type": "roll", "dice": dice}]
        for _ in range(2):
            counts = Counter(dice)
            best = max(counts, key=lambda face: (counts[face], face))
            keep = [best] * counts[best]
            if len(keep) == 5:
                break
            fresh = roll(random, 5 - len(keep))
            actions.append({"type": "roll", "keep": keep, "dice": fresh})
            dice = keep + fresh
        final.update(dice)
        for told in list_thrown(ROCK.ruleset(), 1, actions):
            thrown.update(told["d6"])

    assert compute_evidence([thrown[face] for face in range(1, 7)], SIX) < 0 < threshold
    assert compute_evidence([final[face] for face in range(1, 7)], SIX) > threshold


def roll(random: Random, count: int) -> list[int]:
    return random.choices(range(1, 7), k=count)
