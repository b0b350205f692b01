"""The rules of a card: which actions are legal, and how they change the card.

The functions in the first part return every rule that an action breaks, the most specific first: rules about the box
or the dice come before rules about the moment. They do not check the dice in detail if no dice can be recorded at this
moment. The functions in the second part return the new card; they are called only for actions that no problem blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.core.actions import Action
from games.core.dice import remove_dice
from games.core.problems import Problem
from games.core.sheet import Turn, TurnSource
from games.core.text import Params, Text, gettext_noop, ngettext_lazy
from games.rock_yahtzee.actions import Forfeit, Paper, Result, Roll, Score
from games.rock_yahtzee.boxes import COLUMN, LABEL, YAHTZEE
from games.rock_yahtzee.scoring import DICE, PAPER_POINTS, ROWS, Dice
from games.rock_yahtzee.state import Card, Setup, find_closing_rule, get_entries

ROLLS = 3
MAX_LISTED = 6  # a message lists up to so many possible points; for more it gives the range

MISSED = gettext_noop("Missed")

FIRST_ROLL_KEEP = gettext_noop("This is the first roll of the turn: nothing can be set aside yet. Leave “keep” out.")
FIRST_ROLL_DICE = ngettext_lazy(
    "The first roll uses all five dice. You entered %(count)s die.",
    "The first roll uses all five dice. You entered %(count)s dice.",
)
NO_ROLL_LEFT = gettext_noop("This turn has had all three rolls. Choose a box for %(dice)s.")
NOT_SHOWING = gettext_noop("These dice are not showing: %(missing)s. Showing: %(showing)s.")
NOTHING_ROLLED = gettext_noop("Roll at least one die again. To keep all five, choose a box instead.")
NOT_FIVE = ngettext_lazy(
    "Dice set aside and dice rolled must make five together. You entered %(count)s die.",
    "Dice set aside and dice rolled must make five together. You entered %(count)s dice.",
)
ROLL_AFTER_RESULT = gettext_noop("This turn already has its final dice: %(dice)s. No roll can follow. Choose a box.")
SECOND_RESULT = gettext_noop("This turn already has its final dice: %(dice)s. Choose a box for them.")
RESULT_DICE = ngettext_lazy(
    "Enter all five final dice. You entered %(count)s die.",
    "Enter all five final dice. You entered %(count)s dice.",
)
RESULT_ROLLS = gettext_noop("A turn has one, two or three rolls.")
NO_DICE = gettext_noop("There are no dice to score yet. Enter a roll or the final dice first.")
BOX_USED = ngettext_lazy(
    "%(box)s has already been used, for %(points)s point. Choose an open box.",
    "%(box)s has already been used, for %(points)s points. Choose an open box.",
    "points",
)
YAHTZEE_USED_UP = ngettext_lazy(
    "Yahtzee can be scored only %(count)s time, and that has been done. Choose an open box.",
    "Yahtzee can be scored only %(count)s times, and that has been done. Choose an open box.",
)
YAHTZEE_CLOSED = gettext_noop("A 0 has closed Yahtzee for the rest of the game. Choose an open box.")
PAPER_AFTER_ROLL = gettext_noop("This turn already has dice: %(dice)s. A paper card covers a whole turn.")
IMPOSSIBLE_POINTS = gettext_noop("%(box)s cannot give these points. It can give %(possible)s.")
IMPOSSIBLE_POINTS_IN_RANGE = gettext_noop(
    "%(box)s cannot give these points. It can give 0, or anything from %(low)s to %(high)s."
)
FORFEIT_AFTER_ROLL = gettext_noop("This turn already has dice: %(dice)s. Only a turn with no rolls can be missed.")


def get_box_points(setup: Setup, card: Card, word: str, dice: Dice) -> int:
    """Return the points that the dice would score in an open box (ROCK-7 to ROCK-15, ROCK-21)."""
    points = ROWS[dice][COLUMN[word]]
    if word == YAHTZEE and points:
        return setup.yahtzee_points[len(get_entries(card, word))]
    return points


def list_paper_points(setup: Setup, card: Card, word: str) -> tuple[int, ...]:
    """Return the points that a paper card may give for an open box (ROCK-29)."""
    if word == YAHTZEE:
        return (0, setup.yahtzee_points[len(get_entries(card, word))])
    return PAPER_POINTS[word]


def find_box_problem(setup: Setup, card: Card, word: str) -> Problem | None:
    """Return why the box is closed, as a problem of the field `box`; None if it is open."""
    rule = find_closing_rule(setup, card, word)
    if rule is None:
        return None
    if rule == "ROCK-16":
        params: Params = {"box": LABEL[word], "points": get_entries(card, word)[0]}
        return Problem("box_used", rule, BOX_USED, "box", params=params)
    if rule == "ROCK-22":
        return Problem("yahtzee_closed", rule, YAHTZEE_CLOSED, "box")
    return Problem("yahtzee_used_up", rule, YAHTZEE_USED_UP, "box", params={"count": len(setup.yahtzee_points)})


def _roll_problems(setup: Setup, card: Card, action: Roll) -> tuple[Problem, ...]:
    if card.is_final:
        return (Problem("roll_after_result", "ROCK-31", ROLL_AFTER_RESULT, params={"dice": card.dice}),)
    if card.rolls == ROLLS:
        return (Problem("no_roll_left", "ROCK-3", NO_ROLL_LEFT, params={"dice": card.dice}),)
    if not card.dice:
        return _first_roll_problems(action)
    found = []
    _, missing = remove_dice(card.dice, action.keep)
    if missing:
        params = {"missing": tuple(sorted(missing)), "showing": card.dice}
        found.append(Problem("not_showing", "ROCK-4", NOT_SHOWING, "keep", params=params))
    if not action.dice:
        found.append(Problem("nothing_rolled", "ROCK-4", NOTHING_ROLLED, "dice"))
    count = len(action.keep) + len(action.dice)
    if count != DICE:
        found.append(Problem("not_five_dice", "ROCK-4", NOT_FIVE, "dice", params={"count": count}))
    return tuple(found)


def _first_roll_problems(action: Roll) -> tuple[Problem, ...]:
    found = []
    if action.keep:
        found.append(Problem("keep_on_first_roll", "ROCK-3", FIRST_ROLL_KEEP, "keep"))
    if len(action.dice) != DICE:
        params = {"count": len(action.dice)}
        found.append(Problem("not_five_dice", "ROCK-3", FIRST_ROLL_DICE, "dice", params=params))
    return tuple(found)


def _result_problems(setup: Setup, card: Card, action: Result) -> tuple[Problem, ...]:
    found = []
    if card.is_final:
        found.append(Problem("second_result", "ROCK-31", SECOND_RESULT, params={"dice": card.dice}))
    if len(action.dice) != DICE:
        found.append(Problem("not_five_dice", "ROCK-31", RESULT_DICE, "dice", params={"count": len(action.dice)}))
    if action.rolls is not None and not 1 <= action.rolls <= ROLLS:
        found.append(Problem("too_many_rolls", "ROCK-3", RESULT_ROLLS, "rolls"))
    return tuple(found)


def _score_problems(setup: Setup, card: Card, action: Score) -> tuple[Problem, ...]:
    closed = find_box_problem(setup, card, action.box)
    if closed is None and card.dice:
        return ()
    no_dice = None if card.dice else Problem("no_dice", "ROCK-6", NO_DICE)
    return tuple(problem for problem in (closed, no_dice) if problem)


def _paper_problems(setup: Setup, card: Card, action: Paper) -> tuple[Problem, ...]:
    found = []
    closed = find_box_problem(setup, card, action.box)
    if closed:
        found.append(closed)
    elif action.points not in (possible := list_paper_points(setup, card, action.box)):
        found.append(_make_impossible_points(LABEL[action.box], possible))
    if card.dice:
        found.append(Problem("paper_after_roll", "ROCK-29", PAPER_AFTER_ROLL, params={"dice": card.dice}))
    return tuple(found)


def _make_impossible_points(box: Text, possible: tuple[int, ...]) -> Problem:
    params: Params = {"box": box, "possible": possible, "low": possible[1], "high": possible[-1]}
    text = IMPOSSIBLE_POINTS if len(possible) <= MAX_LISTED else IMPOSSIBLE_POINTS_IN_RANGE
    return Problem("impossible_points", "ROCK-29", text, "points", params=params)


def _forfeit_problems(setup: Setup, card: Card, action: Forfeit) -> tuple[Problem, ...]:
    if card.dice:
        return (Problem("forfeit_after_roll", "ROCK-26", FORFEIT_AFTER_ROLL, params={"dice": card.dice}),)
    return ()


def _roll(setup: Setup, card: Card, action: Roll) -> Card:
    return Card(card.turns, action.keep + action.dice, card.rolls + 1)


def _result(setup: Setup, card: Card, action: Result) -> Card:
    return Card(card.turns, action.dice, card.rolls if action.rolls is None else action.rolls, True)


def _score(setup: Setup, card: Card, action: Score) -> Card:
    points = get_box_points(setup, card, action.box, card.dice)
    how: TurnSource = "final" if card.is_final else "rolls"
    return _end_turn(card, Turn(action.box, LABEL[action.box], points, card.dice, how))


def _paper(setup: Setup, card: Card, action: Paper) -> Card:
    return _end_turn(card, Turn(action.box, LABEL[action.box], action.points, how="paper"))


def _forfeit(setup: Setup, card: Card, action: Forfeit) -> Card:
    return _end_turn(card, Turn(None, MISSED, 0, how="missed"))


def _end_turn(card: Card, turn: Turn) -> Card:
    return Card((*card.turns, turn))


PROBLEMS: Mapping[type[Action], Callable[[Setup, Card, Any], tuple[Problem, ...]]] = {
    Roll: _roll_problems,
    Result: _result_problems,
    Score: _score_problems,
    Paper: _paper_problems,
    Forfeit: _forfeit_problems,
}
APPLY: Mapping[type[Action], Callable[[Setup, Card, Any], Card]] = {
    Roll: _roll,
    Result: _result,
    Score: _score,
    Paper: _paper,
    Forfeit: _forfeit,
}
