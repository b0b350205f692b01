"""The score sheet: a line for each segment, the total, and the score of the running segment so far."""

from __future__ import annotations

from games.core.sheet import Cell, Line
from games.core.text import gettext_noop
from games.go_500.names import make_segment_text, make_text
from games.go_500.state import Hand, Penalties, Race, Rolled, Setup, Thrown, get_total, is_done

TOTAL = gettext_noop("Total")
REROLLS = gettext_noop("Rerolls left")
RUNNING = gettext_noop("This segment")
LIMIT = gettext_noop("Speed limit")
RUNNING_SCORE = gettext_noop("Segment so far")


def list_lines(setup: Setup, race: Race) -> tuple[Line, ...]:
    """Return the lines of one race, each with one cell. A value that is missing or not known yet is empty."""
    course = make_text(setup.course.name)
    return (
        *(
            Line(
                f"segment_{number}",
                make_segment_text(segment.name),
                "GO-3",
                (Cell(_get_points(race, number - 1)),),
                section=course,
            )
            for number, segment in enumerate(setup.course.segments, 1)
        ),
        Line("total", TOTAL, "GO-3", (Cell(get_total(race)),), "total"),
        Line("rerolls", REROLLS, "GO-2", (Cell(race.rerolls),)),
        Line("limit", LIMIT, "GO-1", (Cell(_get_limit(setup, race)),), section=RUNNING),
        Line("stands_at", RUNNING_SCORE, "GO-5", (Cell(_get_running_score(race)),), section=RUNNING),
    )


def _get_points(race: Race, index: int) -> int | None:
    if index < len(race.scores):
        return race.scores[index]
    if race.is_over:
        return 0  # GO-25
    return race.earned or None if index == len(race.scores) else None


def _get_limit(setup: Setup, race: Race) -> int | None:
    return None if is_done(setup, race) else setup.course.segments[len(race.scores)].limit


def _get_running_score(race: Race) -> int | None:
    """Return the score of the running turn: locked dice, the roll, or the total with the penalties accepted so far."""
    match race.moment:
        case Hand() as hand:
            return hand.locked
        case Rolled() as rolled:
            return rolled.total
        case Penalties() as penalties:
            return penalties.score
        case Thrown() as thrown:
            return thrown.penalties.score
    return None
