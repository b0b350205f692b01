"""Helpers that write actions, play them and list their problems, for the tests of this game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.core.problems import Malformed, Problem
from games.core.replay import replay
from games.core.transcript import score
from games.poker_run import GAME

Action = dict[str, Any]

FORFEIT: Action = {"type": "forfeit"}
STAND: Action = {"type": "stand"}
RETIRE: Action = {"type": "retire"}


def draw(*cards: str) -> Action:
    return {"type": "draw", "cards": list(cards)}


def draws(cards: str) -> list[Action]:
    """Return turns of one card each, from cards with spaces between them; "-" is a missed turn."""
    return [FORFEIT if card == "-" else draw(card) for card in cards.split()]


def extra(card: str) -> Action:
    return {"type": "extra", "card": card}


def cut(**cards: str | None) -> Action:
    """Return a cut; seats are given as `s0`, `s1` …"""
    return {"type": "cut", "cards": {seat[1:]: card for seat, card in cards.items()}}


def by_seat(seat: int, actions: Sequence[Action]) -> list[Action]:
    """Return the actions with this seat."""
    return [{"seat": seat, **action} for action in actions]


def deal(*hands: str) -> list[Action]:
    """Return the turns of several seats, each as `draws` takes them."""
    return [action for seat, cards in enumerate(hands) for action in by_seat(seat, draws(cards))]


def play(*actions: Action, seats: int = 1, **options: Any) -> Any:
    """Return the state after actions that must all be legal."""
    played = replay(GAME.ruleset(options), seats, actions)
    assert played.failure is None, played.failure
    return played.state


def answer(*actions: Action, seats: int = 1, **options: Any) -> dict[str, Any]:
    """Return what scoring the transcript answers."""
    transcript = {
        "ruleset": GAME.key,
        "options": options,
        "seats": [f"Seat {seat}" for seat in range(seats)],
        "actions": list(actions),
    }
    return score(transcript, {GAME.key: GAME})


def get_score(cards: str, **options: Any) -> int:
    """Return the score of one hand after these turns."""
    turns = options.pop("turns", max(len(cards.split()), 1))
    return GAME.standing(play(*draws(cards), turns=turns, **options), 0).total


def get_word(cards: str, **options: Any) -> str | None:
    """Return the word for one hand after these turns."""
    found: str | None = answer(*draws(cards), turns=max(len(cards.split()), 1), **options)["hands"][0]
    return found


def get_digits(cards: str, **options: Any) -> str:
    """Return the score of one hand after these turns as digits of base 16: its category, then its ranks."""
    return f"{get_score(cards, **options):06x}"


def rank(*hands: str, **options: Any) -> list[list[int]]:
    """Return the ranking of seats after these turns."""
    turns = options.pop("turns", max(len(cards.split()) for cards in hands))
    groups: list[list[int]] = answer(*deal(*hands), seats=len(hands), turns=turns, **options)["ranking"]
    return groups


def list_problems(*actions: Action, seats: int = 1, **options: Any) -> list[Problem]:
    """Return the problems of the last action; those before it must be legal."""
    played = replay(GAME.ruleset(options), seats, actions)
    assert played.applied == len(actions) - 1, played
    assert isinstance(played.failure, tuple), played.failure
    return list(played.failure)


def list_broken_rules(*actions: Action, seats: int = 1, **options: Any) -> list[str]:
    """Return the clauses that forbid the last action."""
    return [problem.rule for problem in list_problems(*actions, seats=seats, **options)]


def get_malformed_field(*actions: Any, seats: int = 1, **options: Any) -> str | None:
    """Return the malformed field of the last action; those before it must be legal."""
    played = replay(GAME.ruleset(options), seats, actions)
    assert played.applied == len(actions) - 1, played
    assert isinstance(played.failure, Malformed), played.failure
    return played.failure.field


def list_offered_types(state: Any, seat: int | None = 0) -> list[str]:
    """Return the types of the offers."""
    return [spec.type for spec in GAME.legal_actions(state, seat)]
