"""Helpers that write actions, play them and list their problems, and the starts of heats that several tests use."""

from __future__ import annotations

from typing import Any

from games.core.problems import Malformed, Problem
from games.core.replay import replay
from games.core.specs import ActionSpec, ChoiceField
from games.drag_rage import GAME
from games.drag_rage.state import FinishedHeat, Heat, Race

Action = dict[str, Any]


def start(first: int = 0) -> Action:
    return {"type": "start_heat", "first": first}


def move(seat: int, counter: int) -> Action:
    return {"seat": seat, "type": "advance", "counter": counter}


def challenge(seat: int) -> Action:
    return {"seat": seat, "type": "challenge"}


def roll(seat: int, *dice: int) -> Action:
    return {"seat": seat, "type": "defend", "dice": list(dice)}


def decline(seat: int) -> Action:
    return {"seat": seat, "type": "pass"}


def retire(seat: int) -> Action:
    return {"seat": seat, "type": "retire"}


def lose_challenge(seat: int, counter: int) -> list[Action]:
    """Return a move of 4 or more that is challenged and lost to a spin-out."""
    return [move(seat, counter), challenge(1 - seat), roll(seat, 1, 2)]


def win_quickly(winner: int) -> list[Action]:
    """Return a heat that this seat wins with two counters each: it is on space 23, the other on 6."""
    other = 1 - winner
    return [start(other), move(other, 2), move(winner, 12), move(other, 3), move(winner, 10)]


# The first seat crosses to space 24 with its third counter. The second, on 16, has played two; 3, 5, 6, 7, 8 and 10
# are left.
CROSSED = [start(), move(0, 12), move(1, 11), move(0, 2), move(1, 4), move(0, 9)]

# Every counter left leads the first car beyond the track: it is on 28 with its fourth. The second, on 13, has played
# three; 8, 9, 10 and 11 are left.
BROKEN = [
    start(), move(0, 2), move(1, 3), move(0, 7), move(1, 4), move(0, 12), move(1, 5), move(0, 6)
]  # fmt: skip

# The first car is on 20 after its fifth counter, an 8. The second, on 17, has played four; 2 and 3 are left, so its
# engine is blown.
BLOWN = [
    start(), *lose_challenge(0, 12), *lose_challenge(1, 11), *lose_challenge(0, 10), move(1, 9), move(0, 5),
    move(1, 7), move(0, 6), *lose_challenge(1, 4),
    move(0, 8),
]  # fmt: skip

# The first car broke its 'chute with the 8, from 22 to 30, its sixth counter. The second, on 16, has played four; the
# 6 is left, so its engine is blown.
BROKEN_AND_BLOWN = [
    start(), *lose_challenge(0, 12), *lose_challenge(1, 11), move(0, 2), move(1, 5), move(0, 3),
    move(1, 10), move(0, 7), *lose_challenge(1, 4),
    move(0, 9), challenge(1), roll(0, 4, 5), decline(1), move(0, 8),
]  # fmt: skip

# The first car crosses to 23 with the last counter, a 3, its sixth. The second, on 19, has played five.
LAST_COUNTER = [*BLOWN, move(1, 2), move(0, 3)]


def play(*actions: Action) -> Race:
    """Return the state after actions that must all be legal."""
    played = replay(GAME.ruleset(), 2, actions)
    assert played.failure is None, played
    state: Race = played.state
    return state


def get_running_heat(*actions: Action) -> Heat:
    """Return the running heat after these actions."""
    heat = play(*actions).heat
    assert heat is not None
    return heat


def get_finished_heat(*actions: Action) -> FinishedHeat:
    """Return the heat that the last of these actions ended."""
    state = play(*actions)
    assert state.heat is None
    assert play(*actions[:-1]).heat is not None
    return state.heats[-1]


def list_spaces(*actions: Action) -> list[int]:
    """Return the spaces of the cars in the running heat."""
    return [car.space for car in get_running_heat(*actions).cars]


def list_problems(*actions: Action) -> list[Problem]:
    """Return the problems of the last action; those before it must be legal."""
    played = replay(GAME.ruleset(), 2, actions)
    assert played.applied == len(actions) - 1, played
    assert isinstance(played.failure, tuple), played.failure
    return list(played.failure)


def list_broken_rules(*actions: Action) -> list[str]:
    """Return the clauses that forbid the last action."""
    return [problem.rule for problem in list_problems(*actions)]


def get_malformed_field(*actions: Any) -> str | None:
    """Return the malformed field of the last action; those before it must be legal."""
    played = replay(GAME.ruleset(), 2, actions)
    assert played.applied == len(actions) - 1, played
    assert isinstance(played.failure, Malformed), played.failure
    return played.failure.field


def list_offered_types(*actions: Action, seat: int | None) -> list[str]:
    """Return the types of the seat's offers after these actions, except retiring."""
    return [spec.type for spec in GAME.legal_actions(play(*actions), seat) if spec.type != "retire"]


def get_spec(word: str, *actions: Action) -> ActionSpec:
    """Return the one spec of this type that the seat to act is offered after these actions."""
    state = play(*actions)
    (found,) = [spec for spec in GAME.legal_actions(state, GAME.to_act(state)) if spec.type == word]
    return found


def list_counter_choices(*actions: Action) -> ChoiceField:
    """Return the choice of counters that is offered after these actions."""
    (field,) = get_spec("advance", *actions).fields
    assert isinstance(field, ChoiceField)
    return field


def list_open_counters(*actions: Action) -> list[str | int]:
    """Return the counters that can be played after these actions."""
    return [choice.value for choice in list_counter_choices(*actions).choices if choice.open]
