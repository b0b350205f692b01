"""The rules of a heat: which actions are legal at each moment.

Each `find_*_problem` function returns the reason against an action, or None. Offers and rejections both use these
functions. If there are several reasons, a clause about the present moment comes before one that always holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.core.actions import Action
from games.core.problems import Problem
from games.core.text import Params, gettext_noop, ngettext_lazy
from games.drag_rage.actions import Advance, Challenge, Defend, Pass, StartHeat
from games.drag_rage.state import ALL_DICE, FREE_DICE, LAST, Heat, has_crossed

NO_HEAT = gettext_noop("No heat is running. Start the next heat first, and choose who begins.")
HEAT_RUNNING = gettext_noop("A heat is already running. Start the next one when it is over.")
ROLL_DUE = gettext_noop("The move of %(counter)s has been challenged. Roll for it first.")
COUNTER_USED = gettext_noop("Counter %(counter)s has already been used in this heat. Unused: %(unused)s.")
BEYOND_TRACK = gettext_noop(
    "From space %(space)s, counter %(counter)s goes beyond space %(last)s. These do not: %(possible)s."
)
NO_COUNTER_LEFT = gettext_noop("All the counters are used. Challenge the crossing, or pass.")
NO_NITRO_TO_TURN_IN = gettext_noop(
    "The challenge failed. Advancing now costs the nitro die, which has already been used in this heat. Pass."
)
CHALLENGED_ALREADY = gettext_noop("A move can be challenged only once, and this one already has been. Advance or pass.")
NOTHING_TO_CHALLENGE = gettext_noop(
    "You can only challenge a move the opponent made on the turn just before, and there is none. Advance."
)
MUST_ADVANCE = gettext_noop("The opponent’s challenge failed and they passed. You must advance now.")
MUST_ADVANCE_AGAIN = gettext_noop(
    "Your challenge failed and you passed. The opponent has crossed, so it is your turn again: advance."
)
NO_PASS = gettext_noop("You cannot pass now. Advance.")
NO_PASS_BUT_CHALLENGE = gettext_noop("You cannot pass now. Advance, or challenge the opponent’s move.")
NOT_CHALLENGED = gettext_noop(
    "No move has been challenged, so there is nothing to roll for. Record the challenge first."
)
WRONG_NUMBER_OF_DICE = ngettext_lazy(
    "A challenged player rolls two dice, or three with the nitro die. You entered %(count)s die.",
    "A challenged player rolls two dice, or three with the nitro die. You entered %(count)s dice.",
)
NITRO_GONE = gettext_noop("The nitro die has already been used in this heat. Roll the two free dice.")


def list_problems(heat: Heat | None, action: Action) -> tuple[Problem, ...]:
    """Return every rule that the action would break, the most specific first.

    Args:
        heat: the running heat; None between heats, when only a start is possible (DRAG-17).
        action: an action of the table or of the seat to act; never `retire`.
    """
    if heat is None:
        return () if type(action) is StartHeat else (Problem("no_heat", "DRAG-17", NO_HEAT),)
    if heat.due == "roll" and type(action) is not Defend:
        assert heat.move is not None
        return (Problem("roll_due", "TABLE-1", ROLL_DUE, params={"counter": heat.move.counter}),)
    return PROBLEMS[type(action)](heat, action)


def find_advance_problem(heat: Heat) -> Problem | None:
    """Return why no counter at all can be played (DRAG-7, DRAG-27)."""
    if not heat.unused:
        return Problem("no_counter_left", "DRAG-27", NO_COUNTER_LEFT)
    if heat.due == "after_hold" and not heat.cars[heat.to_act].has_nitro:
        return Problem("no_nitro", "DRAG-7", NO_NITRO_TO_TURN_IN)
    return None


def find_counter_problem(heat: Heat, counter: int) -> Problem | None:
    """Return why this counter cannot be played while others are unused, as a problem of the field `counter`."""
    if counter not in heat.unused:
        params: Params = {"counter": counter, "unused": tuple(sorted(heat.unused))}
        return Problem("counter_used", "DRAG-2", COUNTER_USED, "counter", params=params)
    space = heat.cars[heat.to_act].space
    if space + counter <= LAST:
        return None
    possible = tuple(sorted(other for other in heat.unused if space + other <= LAST))
    if not possible:  # every counter breaks the 'chute (DRAG-13, DRAG-28)
        return None
    params = {"counter": counter, "space": space, "last": LAST, "possible": possible}
    return Problem("beyond_track", "DRAG-13", BEYOND_TRACK, "counter", params=params)


def find_challenge_problem(heat: Heat) -> Problem | None:
    """Return why a challenge is not possible (DRAG-8, DRAG-18, DRAG-20)."""
    if heat.due == "advance":
        return _make_must_advance(heat)
    if heat.due != "turn":
        return Problem("challenged_already", "DRAG-18", CHALLENGED_ALREADY)
    return None if heat.move else Problem("nothing_to_challenge", "DRAG-18", NOTHING_TO_CHALLENGE)


def find_pass_problem(heat: Heat) -> Problem | None:
    """Return why passing is not possible (DRAG-3, DRAG-8, DRAG-20)."""
    if heat.due == "advance":
        return _make_must_advance(heat)
    if heat.due != "turn" or not heat.unused:
        return None
    return Problem("no_pass", "DRAG-3", NO_PASS_BUT_CHALLENGE if heat.move else NO_PASS)


def _make_must_advance(heat: Heat) -> Problem:
    if has_crossed(heat.cars[1 - heat.to_act]):
        return Problem("must_advance", "DRAG-20", MUST_ADVANCE_AGAIN)
    return Problem("must_advance", "DRAG-8", MUST_ADVANCE)


def _start_problems(heat: Heat, action: StartHeat) -> tuple[Problem, ...]:
    return (Problem("heat_running", "DRAG-17", HEAT_RUNNING),)


def _advance_problems(heat: Heat, action: Advance) -> tuple[Problem, ...]:
    moment = find_advance_problem(heat)
    closed = find_counter_problem(heat, action.counter) if heat.unused else None  # if none is left, DRAG-27 is enough
    return (*_as_tuple(moment), *_as_tuple(closed))


def _challenge_problems(heat: Heat, action: Challenge) -> tuple[Problem, ...]:
    return _as_tuple(find_challenge_problem(heat))


def _defend_problems(heat: Heat, action: Defend) -> tuple[Problem, ...]:
    if heat.due != "roll":
        return (Problem("not_challenged", "DRAG-5", NOT_CHALLENGED),)
    count = len(action.dice)
    if count not in (FREE_DICE, ALL_DICE):
        return (Problem("wrong_number_of_dice", "DRAG-5", WRONG_NUMBER_OF_DICE, "dice", params={"count": count}),)
    if count == ALL_DICE and not heat.cars[heat.to_act].has_nitro:
        return (Problem("nitro_gone", "DRAG-5", NITRO_GONE, "dice"),)
    return ()


def _pass_problems(heat: Heat, action: Pass) -> tuple[Problem, ...]:
    return _as_tuple(find_pass_problem(heat))


def _as_tuple(problem: Problem | None) -> tuple[Problem, ...]:
    return (problem,) if problem else ()


PROBLEMS: Mapping[type[Action], Callable[[Heat, Any], tuple[Problem, ...]]] = {
    StartHeat: _start_problems,
    Advance: _advance_problems,
    Challenge: _challenge_problems,
    Defend: _defend_problems,
    Pass: _pass_problems,
}
