"""What is printed for Drag Rage: the strip, the counters to cut out, and the rules on one page."""

from __future__ import annotations

from games.core.handouts import Handout, Panel, Point, Points, Tile, Tiles, Track, make_drawing
from games.core.text import gettext_noop
from games.drag_rage.state import COUNTERS, FINISH, HEATS_TO_WIN, LAST

RULES = gettext_noop("Drag Rage in short")
COUNTER_SIZE = 22  # millimetres
LANES = (gettext_noop("First car"), gettext_noop("Second car"))
BODY = make_drawing(60, 60, '<circle cx="30" cy="30" r="27" fill="#fff" stroke="#1c1714" stroke-width="4"/>')
NITRO = make_drawing(60, 60, '<circle cx="30" cy="30" r="27" fill="#b3221a" stroke="#1c1714" stroke-width="4"/>')


def list_handouts() -> tuple[Handout, ...]:
    """Return the summary of the rules, the strip and the counters."""
    counters = (*(Tile(BODY, str(counter)) for counter in COUNTERS), *(Tile(NITRO, "N", is_light=True),) * 2)
    strip = Track(LAST, LANES, FINISH - 1, gettext_noop("Finish"))
    return (
        Handout("rules", RULES, (Panel("", (_list_points(),)),)),
        Handout(
            "strip",
            gettext_noop("Drag Rage strip"),
            (
                Panel("", (strip,)),
                Panel(gettext_noop("Counters, and a nitro for each player"), (Tiles(counters, COUNTER_SIZE, True),)),
            ),
            is_across=True,
        ),
    )


def _list_points() -> Points:
    return Points(
        (
            Point(gettext_noop("Start on space 1. The finish line is behind space 22."), "DRAG-1"),
            Point(gettext_noop("Take an unused counter, 2 to 12, and move by its number."), "DRAG-4"),
            Point(gettext_noop("Each counter is used once in a heat, by one of the two."), "DRAG-2"),
            Point(gettext_noop("Instead of moving you may challenge the move just made."), "DRAG-3"),
            Point(
                gettext_noop("The challenged player rolls two dice, or three with the nitro, once a heat."), "DRAG-5"
            ),
            Point(gettext_noop("Below the counter: the car goes back, and the challenger may move."), "DRAG-6"),
            Point(
                gettext_noop("As much or more: the move holds. The challenger passes, or gives up the nitro to move."),
                "DRAG-7",
            ),
            Point(
                gettext_noop("Across with fewer counters wins; with the same number, nearest to space 23."), "DRAG-10"
            ),
            Point(
                gettext_noop("Beyond space 26 the ’chute breaks: only a rival who never crosses loses to it."),
                "DRAG-13",
            ),
            Point(gettext_noop("Not enough counters left to cross: the engine is blown."), "DRAG-15"),
            Point(
                gettext_noop("A dead heat is run again. %(heats)s heats win the race."),
                "DRAG-16",
                {"heats": HEATS_TO_WIN},
            ),
        )
    )
