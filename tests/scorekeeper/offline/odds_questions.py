"""Questions about odds of every game and every kind of moment, each answered by CPython within a second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.games.dice_run import table as dice_run
from tests.games.drag_rage import table as drag_rage
from tests.games.go_500 import table as go_500
from tests.games.grand_prix import table as grand_prix
from tests.games.poker_run import table as poker_run
from tests.games.rock_yahtzee import table as rock_yahtzee
from tests.games.rogue import table as rogue

Question = dict[str, Any]
Actions = Sequence[Mapping[str, Any]]

SECONDS = 300  # no figure depends on it, and a busy machine must not run out of time
TIGHT_CIRCUIT = grand_prix.make_sheet_option(
    grand_prix.make_circuit_option(2, 1, 3, 4, time=6, damage=4),
    specials={**grand_prix.NONE_FREE, "select": grand_prix.make_special_option(1, 2)},
)
# Six counters are unused.
HALF_A_HEAT = [
    drag_rage.start(),
    *(drag_rage.move(place % 2, counter) for place, counter in enumerate((5, 6, 2, 3, 4))),
]
THREE_TURNS = [rock_yahtzee.paper(box, points) for box, points in (("fours", 12), ("chance", 23), ("twos", 6))]


def ask(ruleset: str, actions: Actions = (), *, seats: int = 1, seat: int = 0, **more: Any) -> Question:
    """Return a question; `options` are the game's, everything else belongs to the question."""
    transcript = {"ruleset": ruleset, "seats": [str(number) for number in range(seats)], "actions": list(actions)}
    transcript["options"] = more.pop("options", {})
    return {"transcript": transcript, "seat": seat, "seconds": SECONDS, **more}


def ask_card(*actions: Mapping[str, Any], **more: Any) -> Question:
    """Return a question about a card of R.O.C.K. Yahtzee."""
    return ask("rock-yahtzee", actions, **more)


def ask_race(*actions: Mapping[str, Any], **more: Any) -> Question:
    """Return a question about a race of Go 500."""
    return ask("go-500", actions, **more)


def ask_hand(cards: str = "", *actions: Mapping[str, Any], **more: Any) -> Question:
    """Return a question about a hand of a poker run, and about beating a pair of aces with a nine."""
    return ask("poker-run", [*poker_run.draws(cards), *actions], beat=[2025728], **more)


def ask_table(*actions: Mapping[str, Any], **more: Any) -> Question:
    """Return a question about a table of Rogue."""
    return ask("rogue", actions, **{"seats": 2, **more})


def ask_heat(*actions: Mapping[str, Any], **more: Any) -> Question:
    """Return a question about a race of Drag Rage."""
    return ask("drag-rage", actions, seats=2, **more)


def ask_drive(*actions: Mapping[str, Any], **more: Any) -> Question:
    """Return a question about a drive of Grand Prix on a small sheet."""
    return ask("grand-prix", actions, **{"options": {"sheet": TIGHT_CIRCUIT}, **more})


_ROLLED = rock_yahtzee.roll(5, 5, 3, 4, 1)
_LAST_SEGMENT = [action for _ in range(5) for action in go_500.score_segment(30)]
QUESTIONS: dict[str, Question] = {
    "card, fresh": ask_card(),
    "card, after the first roll": ask_card(_ROLLED),
    "card, after the last roll": ask_card(rock_yahtzee.result(2, 2, 2, 6, 6)),
    "card, two turns left": ask_card(*THREE_TURNS, targets=[60, 80, 120], distribution=True),
    "card, last turn": ask_card(*THREE_TURNS, rock_yahtzee.FORFEIT, _ROLLED, targets=[50, 66], distribution=True),
    "card, other rules": ask_card(
        options={"turns": 2, "upper_bonus": {"threshold": 12, "points": 35}, "yahtzee_points": [7]}
    ),
    "card, done": ask_card(rock_yahtzee.paper("fours", 12), options={"turns": 1}, targets=[10, 20]),
    "race, fresh": ask_race(),
    "race, dice on the table": ask_race(go_500.start(), go_500.roll(10, 20, 30, 10, 20, green=25)),
    "race, last segment": ask_race(*_LAST_SEGMENT, targets=[170, 250], distribution=True, options={"rerolls": 0}),
    "race, one reroll": ask_race(go_500.start(3, 1), options={"rerolls": 1}),
    "table, fresh": ask_table(),
    "table, dice on the table": ask_table(*rogue.turn(0, "22456C")),
    "table, after dice were set aside": ask_table(*rogue.turn(0, "22456C 22C")),
    "table, of three": ask_table(seats=3, seat=1),
    "table, to 60 points": ask_table(*rogue.turn(0, "22456C"), options={"target": 60, "war_at": 50}),
    "heat, between": ask_heat(),
    "heat, fresh": ask_heat(drag_rage.start()),
    "heat, as the one who waits": ask_heat(drag_rage.start(), seat=1),
    "heat, half over": ask_heat(*HALF_A_HEAT, seat=1),
    "heat, challenged": ask_heat(*HALF_A_HEAT, drag_rage.challenge(1)),
    "heat, crossed": ask_heat(*drag_rage.CROSSED, seat=1),
    "drive, fresh": ask_drive(),
    "drive, dice on the table": ask_drive(grand_prix.gear(2), grand_prix.roll(1, 2, 3, 3, 4, 6)),
    "drive, last turn": ask_drive(*grand_prix.drive_to((2, 1), (1, 0), (2, 1), (1, 0), (2, 1))),
    "drive, the house sheet": ask_drive(options={}),
    "sheet, fresh": ask("dice-run", targets=[90, 100], distribution=True),
    "sheet, a throw that may be repeated": ask(
        "dice-run", [dice_run.throw(3, 1, 4, 6, 5)], targets=[90], options={"throws": 2, "counts": 4}
    ),
    "sheet, low": ask("dice-run", [dice_run.throw(3, 1, 4, 6, 5)], targets=[80], options={"goal": "low"}),
    "sheet, target": ask("dice-run", targets=[5], distribution=True, options={"goal": "target", "target": 88}),
    "hand, one card": ask_hand("AS"),
    "hand, sampled": ask_hand("AS KS", options={"turns": 7, "jokers": 1}),
    "hand, low and of one suit": ask_hand("2S 3S 4S 5S", options={"goal": "low", "turns": 6}),
    "hand, a deck at each stop": ask_hand("AS 9D AS", options={"deck": "each_stop", "jokers": 2}),
    "hand, cards on sale": ask_hand("AS KD QH JH 2C", poker_run.extra("9S"), options={"extra": 2}),
    "hand, done": ask_hand("AS AH 9D - -"),
}
