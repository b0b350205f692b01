"""What is printed for R.O.C.K. Yahtzee: the rules on one page."""

from __future__ import annotations

from games.core.handouts import TIES_ARE_CUT, Chart, Handout, Panel, Point, Points
from games.core.text import gettext_noop
from games.rock_yahtzee.boxes import BOXES
from games.rock_yahtzee.state import Setup

RULES = gettext_noop("R.O.C.K. Yahtzee in short")
WORTH = {
    **dict.fromkeys(
        ("aces", "twos", "threes", "fours", "fives", "sixes"), gettext_noop("The sum of the dice with that number")
    ),
    **dict.fromkeys(("three_of_a_kind", "four_of_a_kind", "chance"), gettext_noop("The sum of all five dice")),
    "full_house": gettext_noop("25: three of one number, two of another"),
    "small_straight": gettext_noop("30: four numbers in a row"),
    "large_straight": gettext_noop("40: five numbers in a row"),
}


def list_handouts(setup: Setup) -> tuple[Handout, ...]:
    """Return the summary of the rules, with the numbers of the contest."""
    return (
        Handout("rules", RULES, (Panel("", (_list_points(setup),)), Panel(gettext_noop("Boxes"), (_chart(setup),)))),
    )


def _list_points(setup: Setup) -> Points:
    return Points(
        (
            Point(
                gettext_noop("One card for each bike, %(turns)s turns. The highest total wins."),
                "ROCK-2",
                {"turns": setup.turns},
            ),
            Point(gettext_noop("Roll all five dice. Keep what you like and roll the rest, up to twice."), "ROCK-3"),
            Point(gettext_noop("Dice that you kept may be rolled again after the second roll."), "ROCK-20"),
            Point(gettext_noop("You may stop after any roll. Then score the five dice in one open box."), "ROCK-6"),
            Point(gettext_noop("Dice that do not fit the box give 0, and the box is used."), "ROCK-21"),
            Point(
                gettext_noop("An upper section of %(threshold)s or more earns %(bonus)s extra."),
                "ROCK-8",
                {"threshold": setup.threshold, "bonus": setup.bonus},
            ),
            Point(TIES_ARE_CUT, "ROCK-19"),
        )
    )


def _chart(setup: Setup) -> Chart:
    yahtzee = ", ".join(map(str, setup.yahtzee_points))
    rows = tuple((box.label, WORTH.get(box.word, yahtzee)) for box in BOXES)
    return Chart((gettext_noop("Box"), gettext_noop("Points")), rows)
