"""The consequences of an action: how a roll ends the segment, what is rolled next, and what the segment scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games.core.actions import Action
from games.core.consequences import Consequence
from games.core.text import Text, gettext_noop, ngettext_lazy
from games.go_500.actions import Lock, Stand
from games.go_500.names import make_segment_text
from games.go_500.scoring import count_red_rolls
from games.go_500.state import Hand, Penalties, Race, Rolled, Setup, get_total, is_done

ENDS: Mapping[str, Text] = {
    "GO-7": gettext_noop("All six dice are circled: 175 and an extra turn."),
    "GO-9": gettext_noop("The black flag ends the segment with 0."),
    "GO-10": gettext_noop("The yellow flag ends the segment at %(total)s, and the yellow die is rolled."),
    "GO-11": gettext_noop("The red flag ends the segment at %(total)s, and the red die is rolled."),
    "GO-23": gettext_noop("No die is left to lock: the segment ends at %(total)s."),
}
ABOVE = gettext_noop("%(total)s is %(excess)s above the limit of %(limit)s: the segment ends without a penalty.")
ABOVE_WITH_ROLLS = ngettext_lazy(
    "%(total)s is %(excess)s above the limit of %(limit)s: the segment ends. Roll the red die %(count)s time.",
    "%(total)s is %(excess)s above the limit of %(limit)s: the segment ends. Roll the red die %(count)s times.",
)
EXTRA_TURN = gettext_noop("175 points are scored, and the segment is raced once more.")
LOCKED = ngettext_lazy(
    "Locked so far: %(total)s. Roll the other %(count)s die again.",
    "Locked so far: %(total)s. Roll the other %(count)s dice again.",
)
ALL_LOCKED = gettext_noop("All the dice are locked.")
RED_DUE = ngettext_lazy("Roll the red die %(count)s time.", "Roll the red die %(count)s times.")
YELLOW_DUE = gettext_noop("Roll the yellow die.")
SECOND_ROLL = gettext_noop("Roll the red die a second time.")
SEGMENT_GIVES = gettext_noop("%(segment)s scores %(score)s.")
RACE_ENDED = gettext_noop("A circled X on a second roll ends the race: the remaining segments score 0.")
RACE_COMPLETE = gettext_noop("The race is over, with a total of %(total)s.")


def list_consequences(setup: Setup, before: Race, action: Action, after: Race) -> tuple[Consequence, ...]:
    """Return the consequences of an action, in the order in which they happen."""
    return tuple(_iter_consequences(setup, before, action, after))


def _iter_consequences(setup: Setup, before: Race, action: Action, after: Race) -> Iterator[Consequence]:
    match after.moment:
        case Rolled() as rolled if rolled.end is not None:
            yield _describe_roll(setup, after, rolled, rolled.end)
        case Hand() as hand if isinstance(action, Lock):
            count = hand.black + (hand.no_green is None)
            yield Consequence(LOCKED, "GO-14", {"total": hand.locked, "count": count})
        case Penalties() as penalties:
            yield from _describe_due(before, penalties)
    if after.earned > before.earned and isinstance(action, Stand):
        yield Consequence(EXTRA_TURN, "GO-20")
    if len(after.scores) > len(before.scores):
        yield from _describe_segment(setup, action, after)


def _describe_roll(setup: Setup, race: Race, rolled: Rolled, end: str) -> Consequence:
    if end != "GO-13":
        return Consequence(ENDS[end], end, {"total": rolled.total})
    limit = setup.course.segments[len(race.scores)].limit
    assert limit is not None, "nothing is above a limit that is not there"
    excess = rolled.total - limit
    count = count_red_rolls(excess)
    params = {"total": rolled.total, "excess": excess, "limit": limit, "count": count}
    return Consequence(ABOVE_WITH_ROLLS if count else ABOVE, "GO-13", params)


def _describe_due(before: Race, penalties: Penalties) -> Iterator[Consequence]:
    if penalties.is_second:
        yield Consequence(SECOND_ROLL, "GO-11")
    elif penalties.rule == "GO-10":
        yield Consequence(YELLOW_DUE, "GO-10")
    else:
        yield Consequence(RED_DUE, penalties.rule, {"count": penalties.due})


def _describe_segment(setup: Setup, action: Action, after: Race) -> Iterator[Consequence]:
    number = len(after.scores) - 1
    if isinstance(action, Lock):
        yield Consequence(ALL_LOCKED, "GO-14")
    segment = make_segment_text(setup.course.segments[number].name)
    yield Consequence(SEGMENT_GIVES, "GO-14", {"segment": segment, "score": after.scores[number]})
    if after.is_over:
        yield Consequence(RACE_ENDED, "GO-11")
    elif is_done(setup, after):
        yield Consequence(RACE_COMPLETE, "GO-3", {"total": get_total(after)})
