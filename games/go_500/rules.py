"""The rules of a race: each function returns every rule that an action breaks, the most specific first.

For an action at the wrong moment, the problem says which action is due; the dice of that action are not checked. The
effects of legal actions are in `transitions`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.core.actions import Action
from games.core.dice import remove_dice
from games.core.problems import Problem
from games.core.reading import Face
from games.core.text import Text, gettext_noop, ngettext_lazy
from games.go_500.actions import Lock, Penalty, Reroll, Roll, Stand, Start
from games.go_500.due_problems import get_due_problem
from games.go_500.kit import BLACK_DICE, FLAT
from games.go_500.scoring import add_penalty, get_penalty_die
from games.go_500.state import Dice, Hand, Penalties, Race, Rolled, Setup, Thrown

Problems = tuple[Problem, ...]
GreenMissing = tuple[str, Text]  # the clause that requires the green die, and the sentence about it

DICE_CHOSEN = gettext_noop("The dice for this segment have already been chosen. %(due)s")
BLACK_CHOICE = gettext_noop("Choose 0 to 5 black dice for a segment.")
GREEN_CHOICE = gettext_noop("There is one green die: choose 1, or 0 to leave it out.")
BLACK_IN_PLAY = ngettext_lazy(
    "Roll all the black dice in play: %(active)s. You entered %(count)s die.",
    "Roll all the black dice in play: %(active)s. You entered %(count)s dice.",
)
GREEN_IN_PLAY: GreenMissing = (
    "GO-5",
    gettext_noop("The green die is in play and is rolled too. Enter what it shows."),
)
GREEN_AGAIN: GreenMissing = (
    "GO-6",
    gettext_noop("The green die was just rolled, and is rolled again too. Enter what it shows."),
)
GREEN_BACK: GreenMissing = (
    "GO-22",
    gettext_noop("A reroll brings the green die back after its flat tyre. Enter what it shows."),
)
NO_GREEN: Mapping[str, Text] = {
    "GO-4": gettext_noop("The green die was not chosen for this segment. Leave “green” out."),
    "GO-8": gettext_noop("The green die has a flat tyre and is out for this segment. Leave “green” out."),
    "GO-14": gettext_noop("The green die is already locked. Leave “green” out."),
}
NO_REROLL_LEFT = gettext_noop("There are no rerolls left. Continue with this roll.")
REROLL_TOO_LATE = gettext_noop("A reroll can be spent only straight after the roll. %(due)s")
THROWN_TOGETHER = gettext_noop("Penalty dice thrown together count as thrown. %(due)s")
FLAG_MISSING = gettext_noop("The flag die is rolled again too. Enter what it shows.")
NO_PENALTY_DIE = gettext_noop("No penalty die has been rolled. Leave “face” out.")
FACE_MISSING = gettext_noop("The penalty die is rolled again. Give what it shows as “face”.")
ONLY_PENALTY_DIE = gettext_noop("Only the penalty die is rolled again. Leave “%(field)s” out.")
NOTHING_TO_LOCK = gettext_noop("Only dice just rolled can be locked. %(due)s")
CANNOT_DECLINE = gettext_noop("You cannot turn down 175 by locking dice. Accept the roll, or spend a reroll.")
NOT_SHOWING = gettext_noop("These dice are not showing: %(missing)s. Showing: %(showing)s.")
NO_BLACK_SHOWING = gettext_noop("No black die was rolled. Leave “black” out.")
NOTHING_LOCKED = gettext_noop("Lock at least one black or green die.")
NOT_ON_YELLOW = gettext_noop("The yellow die is rolled next, and it has no face “%(face)s”. Its faces are %(faces)s.")
NOT_ON_RED = gettext_noop("The red die is rolled next, and it has no face “%(face)s”. Its faces are %(faces)s.")
NO_FACES = gettext_noop("Enter at least one penalty die.")
TOO_MANY_FACES = ngettext_lazy(
    "You entered more penalty dice than needed. Remove the last %(count)s die.",
    "You entered more penalty dice than needed. Remove the last %(count)s dice.",
)


def _start_problems(setup: Setup, race: Race, action: Start) -> Problems:
    if race.moment is not None:
        return (Problem("dice_chosen", "GO-4", DICE_CHOSEN, params={"due": get_due_problem(race.moment).text}),)
    if 0 <= action.black <= BLACK_DICE and 0 <= action.green <= 1:
        return ()
    found = []
    if not 0 <= action.black <= BLACK_DICE:
        found.append(Problem("no_such_dice", "GO-4", BLACK_CHOICE, "black"))
    if not 0 <= action.green <= 1:
        found.append(Problem("no_such_dice", "GO-4", GREEN_CHOICE, "green"))
    return tuple(found)


def _roll_problems(setup: Setup, race: Race, action: Roll) -> Problems:
    hand = race.moment
    if not isinstance(hand, Hand):
        return (get_due_problem(hand),)
    return _dice_problems(hand, action, "GO-5", GREEN_IN_PLAY)


def _dice_problems(hand: Hand, action: Roll | Reroll, rule: str, green_missing: GreenMissing) -> Problems:
    """Check the dice of a roll against the dice in play.

    Args:
        hand: the dice in play.
        action: the recorded roll.
        rule: the clause that requires all dice to be rolled.
        green_missing: what to report if the green die is in play but missing.
    """
    black, green = action.black, action.green
    if len(black) == hand.black and (green is None) is (hand.no_green is not None):
        return ()
    found = []
    if hand.no_green is not None and green is not None:
        found.append(_make_no_green_problem(hand.no_green))
    if len(black) != hand.black:
        params = {"active": hand.black, "count": len(black)}
        found.append(Problem("wrong_number_of_dice", rule, BLACK_IN_PLAY, "black", params=params))
    if hand.no_green is None and green is None:
        found.append(Problem("green_missing", green_missing[0], green_missing[1], "green"))
    return tuple(found)


def _make_no_green_problem(rule: str) -> Problem:
    return Problem("no_green_die", rule, NO_GREEN[rule], "green")


def _reroll_problems(setup: Setup, race: Race, action: Reroll) -> Problems:
    moment = race.moment
    none_left = () if race.rerolls else (Problem("no_reroll_left", "GO-2", NO_REROLL_LEFT),)
    if isinstance(moment, Rolled):
        return (*none_left, *_reroll_dice_problems(moment, action))
    if isinstance(moment, Thrown):
        return (*none_left, *_reroll_penalty_problems(setup, moment.penalties, action))
    params = {"due": get_due_problem(moment).text}
    if race.as_thrown:
        return (Problem("as_thrown", "GO-27", THROWN_TOGETHER, params=params), *none_left)
    return (*none_left, Problem("reroll_late", "GO-6", REROLL_TOO_LATE, params=params))


def _reroll_dice_problems(rolled: Rolled, action: Reroll) -> Problems:
    found = _dice_problems(rolled.hand, action, "GO-6", GREEN_BACK if rolled.green == FLAT else GREEN_AGAIN)
    if action.face is not None:
        found = (Problem("no_penalty_die", "GO-6", NO_PENALTY_DIE, "face"), *found)
    if action.flag is None:
        found = (*found, Problem("flag_missing", "GO-6", FLAG_MISSING, "flag"))
    return found


def _reroll_penalty_problems(setup: Setup, penalties: Penalties, action: Reroll) -> Problems:
    found = []
    for field, is_given in (
        ("black", bool(action.black)),
        ("green", action.green is not None),
        ("flag", action.flag is not None),
    ):
        if is_given:
            found.append(Problem("only_penalty_die", "GO-12", ONLY_PENALTY_DIE, field, params={"field": field}))
    if action.face is None:
        found.append(Problem("face_missing", "GO-12", FACE_MISSING, "face"))
    else:
        found.extend(_face_problems(setup, penalties, action.face, "face"))
    return tuple(found)


def _lock_problems(setup: Setup, race: Race, action: Lock) -> Problems:
    rolled = race.moment
    if not isinstance(rolled, Rolled):
        return (Problem("nothing_to_lock", "GO-14", NOTHING_TO_LOCK, params={"due": get_due_problem(rolled).text}),)
    if rolled.end == "GO-7":
        return (Problem("not_declined", "GO-20", CANNOT_DECLINE),)
    if rolled.end is not None:
        return (get_due_problem(rolled),)
    found = []
    _, missing = remove_dice(rolled.black, action.black)
    if missing:
        text = NOT_SHOWING if rolled.black else NO_BLACK_SHOWING
        params = {"missing": missing, "showing": rolled.black}
        found.append(Problem("not_showing", "GO-14", text, "black", params=params))
    if action.green:
        if rolled.green is None:
            assert rolled.hand.no_green is not None
            found.append(_make_no_green_problem(rolled.hand.no_green))
        elif rolled.green == FLAT:
            found.append(_make_no_green_problem("GO-8"))
    elif not action.black:
        found.append(Problem("nothing_locked", "GO-14", NOTHING_LOCKED))
    return tuple(found)


def _stand_problems(setup: Setup, race: Race, action: Stand) -> Problems:
    moment = race.moment
    if isinstance(moment, Thrown) or (isinstance(moment, Rolled) and moment.end is not None):
        return ()
    return (get_due_problem(moment),)


def _penalty_problems(setup: Setup, race: Race, action: Penalty) -> Problems:
    penalties = race.moment
    if not isinstance(penalties, Penalties):
        return (get_due_problem(penalties),)
    if action.faces is not None:
        return _faces_problems(setup, penalties, action.faces)
    assert action.face is not None
    return _face_problems(setup, penalties, action.face, "face")


def _faces_problems(setup: Setup, penalties: Penalties, faces: Dice) -> Problems:
    if not faces:
        return (Problem("no_faces", "GO-27", NO_FACES, "faces"),)
    for number, face in enumerate(faces):
        if not penalties.due:
            params = {"count": len(faces) - number}
            return (Problem("too_many_faces", "GO-27", TOO_MANY_FACES, "faces", params=params),)
        if found := _face_problems(setup, penalties, face, "faces"):
            return found
        penalties = add_penalty(setup, penalties, face)
    return ()


def _face_problems(setup: Setup, penalties: Penalties, face: Face, field: str) -> Problems:
    """Check a face against the penalty die that is due; it may be a face of the other penalty die."""
    values = get_penalty_die(setup, penalties).values
    if face in values:
        return ()
    text = NOT_ON_YELLOW if penalties.rule == "GO-10" else NOT_ON_RED
    return (Problem("other_die", penalties.rule, text, field, params={"face": face, "faces": tuple(values)}),)


PROBLEMS: Mapping[type[Action], Callable[[Setup, Race, Any], Problems]] = {
    Start: _start_problems,
    Roll: _roll_problems,
    Reroll: _reroll_problems,
    Lock: _lock_problems,
    Stand: _stand_problems,
    Penalty: _penalty_problems,
}
