"""Every choice that odds compare has a name on pages: in all games, at every moment that random games come to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from games.core.game import Game, Ruleset
from games.core.odds import Odds, Wanted
from games.core.time_limit import TimeLimit
from scorekeeper.common import game_adapter
from scorekeeper.scorecards.action_wording import describe_action, describe_choice
from tests.faults.scale import scaled
from tests.games.all_games import GAMES, list_rulesets
from tests.games.drag_rage import table as drag_rage
from tests.games.go_500 import table as go_500
from tests.games.grand_prix import table as grand_prix
from tests.games.rock_yahtzee import table as rock_yahtzee
from tests.games.rogue.table import turn
from tests.games.sampling import walk

WALKS = scaled(20, 3)
MOST_MOMENTS = scaled(2_000, 80)  # of one random game, which can be a race without end
MOST_DRIVES = scaled(200, 20)  # of Grand Prix, which looks at its whole sheet before it finds that the time is up
FACES = re.compile(r"[-\dC ,]*")  # dice as they are written: a critter is a C
NOT_A_NAME = re.compile(r"True|False|None|–|[\[\]{}'_]")
TELLING = {key for key, game in GAMES.items() if game.odds_measure is not None}


def list_questions(ruleset: Ruleset, random: Random) -> Iterator[tuple[Any, Odds]]:
    """Yield the moments of a random game that have choices, with the odds of the seat that is to act.

    The time is up at once: it has the choices, and no figures.
    """
    game, wanted = ruleset.game, Wanted(limit=TimeLimit(-1), game_chances=False)
    for number, moment in enumerate(walk(ruleset, game.seat_limits[0], random)):
        if number == (MOST_DRIVES if game.key == "grand-prix" else MOST_MOMENTS):
            return
        seat = 0 if game.seats(moment.state) == 1 else game.to_act(moment.state)
        odds = None if seat is None else game.odds(moment.state, seat, wanted)
        if odds is not None and odds.choices:
            yield moment.state, odds


def list_telling_rulesets() -> list[Any]:
    rulesets = [ruleset for ruleset in list_rulesets() if ruleset.game.key in TELLING]
    return [pytest.param(ruleset, id=f"{ruleset.game.key}-{number}") for number, ruleset in enumerate(rulesets)]


def test_all_games_that_are_offered_have_choices() -> None:
    assert sorted(TELLING) == ["dice-run", "drag-rage", "go-500", "grand-prix", "poker-run", "rock-yahtzee", "rogue"]


@pytest.mark.parametrize("ruleset", list_telling_rulesets())
def test_every_choice_has_a_name_of_its_own(ruleset: Ruleset) -> None:
    checked = 0
    for seed in range(WALKS):
        for state, odds in list_questions(ruleset, Random(seed)):
            names = [describe_choice(ruleset.game, state, choice.action) for choice in odds.choices]
            for name, choice in zip(names, odds.choices, strict=True):
                assert name == name.strip(" ,"), choice.action
                assert re.match("[A-Z]", name), choice.action
                assert not NOT_A_NAME.search(name), (name, choice.action)
            assert len(set(names)) == len(names), sorted(names)
            checked += len(names)
    assert checked > 8  # a hand of one turn has few


@pytest.mark.parametrize("ruleset", list_telling_rulesets())
def test_every_word_of_a_name_can_be_translated(ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_adapter._ActiveTranslations, "gettext", staticmethod(lambda text: f"<{text}>"))
    for state, odds in list_questions(ruleset, Random(1)):
        for choice in odds.choices:
            name = describe_choice(ruleset.game, state, choice.action)
            assert "<" in name, choice.action
            assert FACES.fullmatch(re.sub("<[^<>]*>", "", name)), name


ONE_FLAG = go_500.roll(10, 20, 30, 10, 20, green=25)


@pytest.mark.parametrize(
    ("key", "actions", "choice", "name"),
    [
        ("rock-yahtzee", [], {"type": "roll"}, "Roll the dice"),
        ("rock-yahtzee", [rock_yahtzee.roll(1, 2, 3, 5, 6)], {"type": "roll", "keep": []}, "Roll all dice again"),
        (
            "rock-yahtzee",
            [rock_yahtzee.roll(1, 2, 3, 5, 6)],
            {"type": "roll", "keep": [5, 6]},
            "Dice set aside 5 6",
        ),
        ("rogue", turn(0, "22456C 22C"), {"type": "roll"}, "Roll the dice"),
        ("rogue", turn(0, "22456C 22C"), {"type": "bank"}, "End turn"),
        ("rogue", turn(0, "22456C"), {"type": "keep", "dice": [2, 2, "C"]}, "Set aside 2 2 C"),
        (
            "drag-rage",
            [*drag_rage.CROSSED, drag_rage.challenge(1)],
            {"type": "defend", "nitro": False},
            "Roll the two free dice",
        ),
        (
            "drag-rage",
            [*drag_rage.CROSSED, drag_rage.challenge(1)],
            {"type": "defend", "nitro": True},
            "Roll the two free dice and the nitro die",
        ),
        ("go-500", [go_500.start()], {"type": "roll"}, "Roll the dice"),
        ("go-500", [go_500.start(), ONE_FLAG], {"type": "lock", "green": True}, "Lock only the green die"),
        ("go-500", [go_500.start(), ONE_FLAG], {"type": "reroll"}, "Spend a reroll"),
        (
            "go-500",
            [go_500.start(), ONE_FLAG],
            {"type": "lock", "black": [30], "green": True},
            "Lock dice 30, Green die",
        ),
        ("grand-prix", [grand_prix.gear(2)], {"type": "roll"}, "Roll the dice"),
        (
            "grand-prix",
            [grand_prix.gear(2)],
            {"type": "roll", "include": True},
            "Roll the dice, Include dice equal to the gear, for free",
        ),
        (
            "grand-prix",
            [grand_prix.gear(2), grand_prix.roll(1, 2, 3, 3, 4, 6)],
            {"type": "select", "reroll": [3, 6], "include": True},
            "Dice to roll again 3 6, Include dice equal to the gear, for free",
        ),
        (
            "grand-prix",
            [grand_prix.gear(2), grand_prix.roll(1, 2, 3, 3, 4, 6)],
            {"type": "reroll"},
            "Re-roll all dice, for free",
        ),
    ],
)
def test_a_choice_says_what_is_done_next(
    key: str, actions: list[dict[str, Any]], choice: dict[str, Any], name: str
) -> None:
    game = GAMES[key]
    assert describe_choice(game, play(game, actions), choice) == name


@pytest.mark.parametrize(
    ("key", "actions", "action", "text"),
    [
        (
            "rock-yahtzee",
            [rock_yahtzee.roll(1, 2, 3, 5, 6)],
            {"type": "roll", "keep": [], "dice": [1, 1, 2, 2, 3]},
            "Rolled 1 1 2 2 3",
        ),
        (
            "go-500",
            [go_500.start(), ONE_FLAG],
            {"type": "lock", "black": [], "green": True},
            "Locked only the green die",
        ),
        ("go-500", [go_500.start(), ONE_FLAG], {"type": "lock", "black": [30], "green": False}, "Locked 30"),
        (
            "go-500",
            [go_500.start(1, 0)],
            {"type": "roll", "black": [30], "flag": "yellow"},
            "Rolled, Black dice 30, Flag die yellow flag",
        ),
        (
            "grand-prix",
            [grand_prix.gear(2)],
            {"type": "roll", "dice": [1, 2, 3, 4, 5, 6], "include": False},
            "Rolled 1 2 3 4 5 6",
        ),
    ],
)
def test_what_was_recorded_leaves_out_what_says_nothing(
    key: str, actions: list[dict[str, Any]], action: dict[str, Any], text: str
) -> None:
    """On the page of luck it stands above the best choice."""
    game = GAMES[key]
    assert describe_action(game, play(game, actions), action, [""]) == text


def play(game: Game[Any], actions: list[dict[str, Any]]) -> Any:
    seats = game.seat_limits[0]
    ruleset = game.ruleset()
    state = game.start(ruleset, seats)
    for action in actions:
        state = game.play(state, ruleset.read_action(action, seats))
    return state
