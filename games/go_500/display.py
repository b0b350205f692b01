"""The pictures of a race, as plain data for `display.html`.

Terms: the *bar* is a line from 0 past the speed limit, `BAR` units long. It is to scale up to the limit. Beyond it,
every step of GO-13 has one *band* of the same width, so that the steps can be told apart whatever the limit is. A
segment is *done*, *here* (running), *ahead*, or *left out* because the race ended before it (GO-25).

Derived: the flag of a roll follows from how the roll ends the segment; it is unknown if six circled faces make it
irrelevant (GO-7). Locked dice are shown as their sum, because the race does not record more (GO-5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.core.independent import Table
from games.core.reading import Face
from games.core.specs import Colour
from games.go_500.faces import get_mark
from games.go_500.kit import BLACK_FLAG, CIRCLED_X, CRASH, GREEN_FLAG, RED_FLAG, YELLOW_FLAG, Die
from games.go_500.names import make_segment_text, make_text
from games.go_500.scoring import RED_ROLLS, count_red_rolls, get_penalty_die
from games.go_500.state import Hand, Penalties, Race, Rolled, Setup, Thrown, get_total, is_done

JsonObject = dict[str, Any]

BEHIND_SHOWN = 3  # how many segments to show before and after the running one; the rest are only counted
AHEAD_SHOWN = 5

BAR = 320
LIMIT_AT = 110
BAND = 30
STEP = 20  # how far apart the steps of GO-13 are (GO-18)

FLAGS_BY_END: Mapping[str | None, str | None] = {
    None: GREEN_FLAG,
    "GO-7": None,
    "GO-9": BLACK_FLAG,
    "GO-10": YELLOW_FLAG,
    "GO-11": RED_FLAG,
    "GO-13": GREEN_FLAG,
    "GO-23": GREEN_FLAG,
}


def make_display(table: Table[Race]) -> JsonObject:
    """Return each seat's course, and the segment that it is racing."""
    setup: Setup = table.ruleset.setup
    return {
        "course": make_text(setup.course.name),
        "seats": [_seat(setup, race, number, number in table.retired) for number, race in enumerate(table.seats)],
    }


def describe_die(die: Die, colour: Colour, face: Face) -> JsonObject:
    """Return what to draw for a face: its label, its ring, and the mark that replaces a label."""
    return {
        "face": str(face),
        "colour": colour,
        "mark": get_mark(colour, face),
        "is_circled": face in die.circled,
    }


def place_on_bar(limit: int, total: int) -> int:
    """Return the position of a total on the bar, in units, limited to the ends of the bar."""
    if total > limit:
        return min(BAR, LIMIT_AT + (total - limit) * BAND // STEP)
    return max(0, total) * LIMIT_AT // limit if limit else 0 if total < 0 else LIMIT_AT


def _seat(setup: Setup, race: Race, number: int, is_retired: bool) -> JsonObject:
    is_at_end = is_retired or is_done(setup, race)
    segments = list(_list_segments(setup, race, is_at_end))
    here = len(race.scores)
    first = max(0, min(here, len(segments) - AHEAD_SHOWN) - BEHIND_SHOWN)
    last = min(len(segments), here + 1 + AHEAD_SHOWN)
    return {
        "number": number + 1,
        "is_retired": is_retired,
        "is_over": race.is_over,
        "total": get_total(race),
        "rerolls": race.rerolls,
        "length": len(segments),
        "segments": segments[first:last],
        "before": first,
        "after": len(segments) - last,
        "running": None if is_at_end else _running(setup, race),
    }


def _list_segments(setup: Setup, race: Race, is_at_end: bool) -> Iterator[JsonObject]:
    for index, segment in enumerate(setup.course.segments):
        score = race.scores[index] if index < len(race.scores) else None
        if score is not None:
            state = "done"
        elif is_at_end:
            state = "left_out"
        else:
            state = "here" if index == len(race.scores) else "ahead"
        yield {
            "number": index + 1,
            "name": make_segment_text(segment.name),
            "limit": segment.limit,
            "score": score,
            "state": state,
        }


def _running(setup: Setup, race: Race) -> JsonObject:
    segment = setup.course.segments[len(race.scores)]
    shown: JsonObject = {
        "name": make_segment_text(segment.name),
        "number": len(race.scores) + 1,
        "limit": segment.limit,
        "earned": race.earned,
    }
    match race.moment:
        case Hand() as hand:
            shown |= {"moment": "hand", "total": hand.locked, **_to_roll(hand)}
        case Rolled() as rolled:
            shown |= {"moment": "rolled", "total": rolled.total, **_rolled(setup, rolled)}
            shown["red_rolls"] = _count_red_rolls(segment.limit, rolled)
        case Penalties() as penalties:
            shown |= {"moment": "penalties", "total": penalties.score, **_penalties(penalties)}
        case Thrown(penalties, face):
            die = describe_die(get_penalty_die(setup, penalties), _get_colour(penalties), face)
            shown |= {"moment": "thrown", "total": penalties.score, "dice": [die], **_penalties(penalties)}
            shown["calls_again"] = penalties.rule != "GO-10" and not penalties.is_second and face in (CRASH, CIRCLED_X)
        case None:
            shown |= {"moment": "choose", "total": 0}
    if segment.limit is not None:
        shown["bar"] = _bar(segment.limit, shown["total"])
    return shown


def _to_roll(hand: Hand) -> JsonObject:
    return {"locked": hand.locked, "black": hand.black, "green": hand.no_green is None, "no_green": hand.no_green}


def _rolled(setup: Setup, rolled: Rolled) -> JsonObject:
    dice = [describe_die(setup.black, "black", face) for face in rolled.black]
    if rolled.green is not None:
        dice.append(describe_die(setup.green, "green", rolled.green))
    return {
        "locked": rolled.hand.locked,
        "dice": dice,
        "flag": FLAGS_BY_END[rolled.end],
        "end": rolled.end,
        "no_green": rolled.hand.no_green,
    }


def _count_red_rolls(limit: int | None, rolled: Rolled) -> int:
    """Return how many rolls of the red die follow if a total above the limit is accepted (GO-13)."""
    return count_red_rolls(rolled.total - limit) if limit is not None and rolled.end == "GO-13" else 0


def _get_colour(penalties: Penalties) -> Colour:
    return "yellow" if penalties.rule == "GO-10" else "red"


def _penalties(penalties: Penalties) -> JsonObject:
    return {
        "colour": _get_colour(penalties),
        "due": penalties.due,
        "is_second": penalties.is_second,
        "ends_race": penalties.ends_race,
    }


def _bar(limit: int, total: int) -> JsonObject:
    rolls = [0, *(rolls for _, rolls in reversed(RED_ROLLS))]
    return {
        "length": BAR,
        "limit_at": LIMIT_AT,
        "total_at": place_on_bar(limit, total),
        "over": max(0, total - limit),
        "bands": [
            {"at": LIMIT_AT + index * BAND, "middle": LIMIT_AT + index * BAND + BAND // 2, "rolls": count}
            for index, count in enumerate(rolls)
        ],
    }
