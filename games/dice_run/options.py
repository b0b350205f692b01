"""The options of a contest, and how they are turned into a setup."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.core.options import TIES, ChoiceOption, NumberOption, make_house_rules
from games.core.problems import Malformed
from games.core.text import gettext_noop, pgettext_noop
from games.dice_run.state import Setup

MAX_TURNS = 15

TARGET_MISSING = gettext_noop("Say which total is the target, from 1 to 3000.")
TARGET_WITHOUT_GOAL = gettext_noop("Only where the total closest to a target wins is there a target. Leave this empty.")
COUNTS_TOO_MANY = gettext_noop(
    "Only the best %(counts)s turns count, so at least %(counts)s turns are needed, and a scorecard has %(turns)s. "
    "Choose fewer that count first, or add turns at the stops."
)
COUNTS_WITH_TARGET = gettext_noop("Where the total closest to a target wins, every turn counts. Leave this empty.")
BEST_WITH_TARGET = gettext_noop(
    "Where the total closest to a target wins, the last throw of a turn counts: which one is best would depend on "
    "later turns."
)

OPTIONS = (
    NumberOption(
        "turns", gettext_noop("Turns"), gettext_noop("How many turns a scorecard has."), 5, low=1, high=MAX_TURNS
    ),
    NumberOption("dice", gettext_noop("Dice"), gettext_noop("How many dice are thrown at once."), 5, low=1, high=10),
    NumberOption(
        "faces",
        gettext_noop("Faces of a die"),
        gettext_noop("An ordinary die has six."),
        6,
        low=4,
        high=20,
        values=(4, 6, 8, 10, 12, 20),
    ),
    NumberOption(
        "throws",
        gettext_noop("Throws in a turn"),
        gettext_noop("The most a turn may have. Each throw takes all the dice again."),
        1,
        low=1,
        high=5,
    ),
    ChoiceOption(
        "throw_counts",
        gettext_noop("Throw that counts"),
        gettext_noop("Which of the throws a turn is worth, where it may have several."),
        "last",
        (("last", gettext_noop("The last one")), ("best", gettext_noop("The best one"))),
    ),
    ChoiceOption(
        "goal",
        gettext_noop("Who wins"),
        gettext_noop("What the totals are compared by."),
        "high",
        (
            ("high", gettext_noop("The highest total")),
            ("low", gettext_noop("The lowest total")),
            ("target", gettext_noop("The total closest to a target")),
        ),
    ),
    NumberOption(
        "target",
        gettext_noop("Target"),
        gettext_noop("The total to come close to, where the closest one wins."),
        None,
        low=1,
        high=3000,
        nullable=True,
    ),
    NumberOption(
        "counts",
        gettext_noop("Turns that count"),
        gettext_noop("How many turns are added, the best ones. Without a number, all of them are."),
        None,
        low=1,
        high=MAX_TURNS,
        nullable=True,
        without=pgettext_noop("turns", "all"),
    ),
    TIES,
)

# Whether ties are cut is another question, so presets leave it as it is.
_HOUSE_RULES = tuple(option for option in OPTIONS if option is not TIES)
PRESETS = (
    make_house_rules(
        _HOUSE_RULES,
        "five_dice",
        gettext_noop("Five dice, five stops"),
        gettext_noop("One throw at each stop; the highest total wins."),
        {},
    ),
    make_house_rules(
        _HOUSE_RULES,
        "best_four",
        gettext_noop("Three dice, best four of five"),
        gettext_noop("One throw of three dice at each of five stops; the lowest does not count."),
        {"dice": 3, "counts": 4},
    ),
    make_house_rules(
        _HOUSE_RULES,
        "lowest",
        gettext_noop("Lowest total"),
        gettext_noop("Five dice at each stop. Low throws win."),
        {"goal": "low"},
    ),
    make_house_rules(
        _HOUSE_RULES,
        "closest",
        gettext_noop("Closest to 100"),
        gettext_noop("Five dice at each stop. Five turns average 87.5."),
        {"goal": "target", "target": 100},
    ),
)


def read_setup(options: Mapping[str, Any]) -> Setup:
    """Return the options as the rules read them.

    Raises:
        Malformed: they contradict each other (DICE-20).
    """
    turns, goal, target, counts = (options[name] for name in ("turns", "goal", "target", "counts"))
    best_throw = options["throw_counts"] == "best"
    if goal == "target" and target is None:
        raise Malformed("options.target", TARGET_MISSING)
    if goal != "target" and target is not None:
        raise Malformed("options.target", TARGET_WITHOUT_GOAL)
    if goal == "target" and counts is not None:
        raise Malformed("options.counts", COUNTS_WITH_TARGET)
    if counts is not None and counts > turns:
        raise Malformed("options.counts", COUNTS_TOO_MANY, {"counts": counts, "turns": turns})
    if goal == "target" and best_throw:
        raise Malformed("options.throw_counts", BEST_WITH_TARGET)
    return Setup(
        turns,
        options["dice"],
        options["faces"],
        options["throws"],
        best_throw,
        goal,
        target or 0,
        counts or turns,
        options["ties"] == "cut",
    )
