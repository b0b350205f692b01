"""The problem to report if an action does not fit the moment, because another action is due.

Its clause is the clause that requires the action that is due; its sentence says what to record instead.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.core.problems import Problem
from games.core.text import gettext_noop
from games.go_500.state import Hand, Moment, Penalties, Rolled

DICE_DUE = Problem(
    "dice_due",
    "GO-4",
    gettext_noop(
        "This segment has not started. First choose its dice: 0 to 5 black dice, with or without the green die."
    ),
)
ROLL_DUE = Problem(
    "roll_due",
    "GO-5",
    gettext_noop("Roll the dice, then enter what they and the flag die show."),
)
LOCK_DUE = Problem(
    "lock_due",
    "GO-14",
    gettext_noop("The flag is green and the total is within the limit. Lock at least one black or green die first."),
)

# The problems after a roll that ended the segment, by the clause that ended it.
SEGMENT_ENDED: Mapping[str, Problem] = {
    "GO-7": Problem(
        "all_circled",
        "GO-7",
        gettext_noop(
            "All six dice are circled, which scores 175 and gives an extra turn. Accept the roll, or spend a reroll."
        ),
    ),
    "GO-9": Problem(
        "black_flag",
        "GO-9",
        gettext_noop("The black flag has ended this segment with 0. Accept the roll, or spend a reroll."),
    ),
    "GO-10": Problem(
        "yellow_flag",
        "GO-10",
        gettext_noop("The yellow flag has ended this segment. Accept the roll, or spend a reroll."),
    ),
    "GO-11": Problem(
        "red_flag",
        "GO-11",
        gettext_noop("The red flag has ended this segment. Accept the roll, or spend a reroll."),
    ),
    "GO-13": Problem(
        "above_limit",
        "GO-13",
        gettext_noop(
            "The total is above the speed limit, which ends this segment. Accept the roll, or spend a reroll."
        ),
    ),
    "GO-23": Problem(
        "nothing_left",
        "GO-23",
        gettext_noop("There is no die left to lock, so this segment is complete. Accept the roll, or spend a reroll."),
    ),
}

_RED_DUE = gettext_noop("Roll the red die, then enter what it shows.")
PENALTY_DUE: Mapping[str, Problem] = {
    "GO-10": Problem("penalty_due", "GO-10", gettext_noop("Roll the yellow die, then enter what it shows.")),
    "GO-11": Problem("penalty_due", "GO-11", _RED_DUE),
    "GO-13": Problem("penalty_due", "GO-13", _RED_DUE),
}

_NOT_ACCEPTED = gettext_noop("Accept the penalty roll, or spend a reroll on it.")
ACCEPT_DUE: Mapping[str, Problem] = {rule: Problem("accept_due", rule, _NOT_ACCEPTED) for rule in PENALTY_DUE}


def get_due_problem(moment: Moment) -> Problem:
    """Return the problem that says which action is due at this moment."""
    if moment is None:
        return DICE_DUE
    if isinstance(moment, Hand):
        return ROLL_DUE
    if isinstance(moment, Rolled):
        return SEGMENT_ENDED[moment.end] if moment.end else LOCK_DUE
    if isinstance(moment, Penalties):
        return PENALTY_DUE[moment.rule]
    return ACCEPT_DUE[moment.penalties.rule]
