"""What is printed for Rogue: the chart of points, and the rules on one page."""

from __future__ import annotations

from games.core.handouts import Chart, Handout, Panel, Point, Points, Word
from games.core.text import gettext_noop
from games.rogue.scoring import CHART, CRITTER, DICE, FACES, RUN_POINTS
from games.rogue.state import Setup

RULES = gettext_noop("Rogue in short")
CHART_TITLE = gettext_noop("What a set scores")
ALIKE = gettext_noop("Alike")
CRITTERS = gettext_noop("Critter")
COUNTS = {
    2: gettext_noop("Two"),
    3: gettext_noop("Three"),
    4: gettext_noop("Four"),
    5: gettext_noop("Five"),
    6: gettext_noop("Six"),
}


def list_handouts(setup: Setup) -> tuple[Handout, ...]:
    """Return the summary of the rules with the chart, and the chart alone in large print."""
    chart = Panel(CHART_TITLE, (_make_chart(),))
    return (
        Handout("rules", RULES, (Panel("", (_list_points(setup),)), chart)),
        Handout("chart", gettext_noop("Rogue’s chart"), (chart, Panel("", (_list_chart_points(),))), is_across=True),
    )


def _make_chart() -> Chart:
    headings: list[Word] = [ALIKE]
    headings += [CRITTERS if face == CRITTER else str(face) for face in FACES]
    rows: list[tuple[Word, ...]] = [
        (COUNTS[count], *(str(CHART[face][count]) for face in FACES)) for count in range(2, DICE + 1)
    ]
    return Chart(tuple(headings), tuple(rows))


def _list_chart_points() -> Points:
    return Points(
        (
            Point(gettext_noop("A run of all six faces on one roll: %(points)s."), "ROGUE-11", {"points": RUN_POINTS}),
            Point(gettext_noop("A lone critter is a rogue: with dice that score, it doubles them."), "ROGUE-7"),
            Point(gettext_noop("A rogue on the last die doubles everything the turn has scored."), "ROGUE-8"),
        )
    )


def _list_points(setup: Setup) -> Points:
    return Points(
        (
            Point(gettext_noop("Roll all six dice. After each roll, set aside what scores, or a rogue."), "ROGUE-2"),
            Point(gettext_noop("Then roll what is left, or end the turn. What was set aside is yours."), "ROGUE-22"),
            Point(gettext_noop("A roll with nothing to set aside ends the turn."), "ROGUE-3"),
            Point(gettext_noop("Sets are two or more alike on the same roll. Rolls do not add up."), "ROGUE-4"),
            *_list_chart_points().points,
            Point(gettext_noop("A rogue may be set aside alone. It scores nothing; roll on."), "ROGUE-9"),
            Point(
                gettext_noop("From %(war)s points on it is war: a turn that uses all six dice earns another."),
                "ROGUE-12",
                {"war": setup.war_at},
            ),
            Point(
                gettext_noop("At %(target)s points the round is the last. Then the most points win."),
                "ROGUE-13",
                {"target": setup.target},
            ),
            Point(gettext_noop("Tied for the lead? Everyone plays another round."), "ROGUE-14"),
            Point(gettext_noop("Six rogues one after the other in one turn win at once."), "ROGUE-15"),
        )
    )
