"""What is printed for a dice run: the rules on one page, with the numbers of the contest."""

from __future__ import annotations

from games.core.handouts import TIES_ARE_CUT, Chart, Handout, Panel, Point, Points
from games.core.text import gettext_noop
from games.dice_run.state import Setup

RULES = gettext_noop("Dice run in short")

SHEETS = gettext_noop("A score sheet has %(turns)s turns, one at each stop.")
ONE_THROW = gettext_noop("Throw all %(dice)s dice once. The turn is worth their sum.")
LAST_THROW = gettext_noop("Throw all %(dice)s dice, up to %(throws)s times. Only the last throw counts.")
BEST_THROW = gettext_noop("Throw all %(dice)s dice, up to %(throws)s times. The best throw counts.")
NOTHING_ASIDE = gettext_noop("Every throw takes all the dice again: none is set aside.")
STOP = gettext_noop("You may stop after any throw.")
NO_PATTERNS = gettext_noop("Dice alike, runs and other patterns earn nothing extra.")
ALL_COUNT = gettext_noop("The total is the sum of all turns.")
SOME_COUNT = gettext_noop("The total is the sum of your %(counts)s best turns.")
HIGHEST = gettext_noop("The highest total wins.")
LOWEST = gettext_noop("The lowest total wins.")
CLOSEST = gettext_noop("The total closest to %(target)s wins, whether it is above or below.")
MISSED_ZERO = gettext_noop("A stop that you miss is worth 0.")
MISSED_MOST = gettext_noop("A stop that you miss is worth %(points)s, the most that the dice can show.")
MISSED_BELOW = gettext_noop("Whoever misses a stop ranks below everyone who missed fewer.")
TEN_IS_ZERO = gettext_noop("The 0 of a ten-sided die is a 10.")
TIES_STAY = gettext_noop("Riders who are tied share the place.")

SUMS = gettext_noop("What the dice can bring")


def list_handouts(setup: Setup) -> tuple[Handout, ...]:
    """Return the summary of the rules, with the numbers of the contest."""
    panels = (Panel("", (Points(tuple(_list_points(setup))),)), Panel(SUMS, (_make_chart(setup),)))
    return (Handout("rules", RULES, panels),)


def _list_points(setup: Setup) -> list[Point]:
    points = [Point(SHEETS, "DICE-2", {"turns": setup.turns})]
    numbers = {"dice": setup.dice, "throws": setup.throws}
    if setup.throws == 1:
        points.append(Point(ONE_THROW, "DICE-6", numbers))
    else:
        points.append(Point(BEST_THROW if setup.best_throw else LAST_THROW, "DICE-6", numbers))
        points.append(Point(NOTHING_ASIDE, "DICE-4"))
        points.append(Point(STOP, "DICE-5"))
    points.append(Point(NO_PATTERNS, "DICE-16"))
    if setup.counts < setup.turns:
        points.append(Point(SOME_COUNT, "DICE-7", {"counts": setup.counts}))
    else:
        points.append(Point(ALL_COUNT, "DICE-7"))
    if setup.goal == "high":
        points += [Point(HIGHEST, "DICE-8"), Point(MISSED_ZERO, "DICE-11")]
    elif setup.goal == "low":
        points += [Point(LOWEST, "DICE-9"), Point(MISSED_MOST, "DICE-11", {"points": setup.missed})]
    else:
        points += [Point(CLOSEST, "DICE-10", {"target": setup.target}), Point(MISSED_BELOW, "DICE-12")]
    if setup.faces == 10:
        points.append(Point(TEN_IS_ZERO, "DICE-21"))
    points.append(Point(TIES_ARE_CUT if setup.cuts_cards else TIES_STAY, "DICE-15"))
    return points


def _make_chart(setup: Setup) -> Chart:
    average = setup.dice * (setup.faces + 1) / 2
    rows = (
        (gettext_noop("One throw"), str(setup.lowest), f"{average:g}", str(setup.highest)),
        (
            gettext_noop("All turns that count"),
            str(setup.counts * setup.lowest),
            f"{setup.counts * average:g}",
            str(setup.counts * setup.highest),
        ),
    )
    headings = ("", gettext_noop("Lowest"), gettext_noop("Average"), gettext_noop("Highest"))
    return Chart(headings, rows)
