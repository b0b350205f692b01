"""The course: segments in order, each with or without a speed limit (GO-1).

Terms: a *template* is the weather of the race, "1" for good and "2" for poor.

Invariant: after reading, every segment of a course has `limits` by template, even if it was written with a single
`limit` for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.core.options import ChoiceOption, NumberOption, RecordOption, RowsOption, TextOption
from games.core.problems import Malformed
from games.core.reading import check_fields, read_object
from games.core.text import Text, gettext_noop, pgettext_noop

MAX_LIMIT = 1000  # the highest speed limit
MAX_SEGMENTS = 50

TWO_LIMITS = gettext_noop("A segment gives either “limit” or “limits”, not both.")
LIMIT_HELP = gettext_noop("The speed limit, 0 to 1000.")


class Segment(NamedTuple):
    """A part of the course, with its speed limit in the weather of the race; None means no limit."""

    name: str
    limit: int | None


class Course(NamedTuple):
    """The course in the weather of the race."""

    name: str
    segments: tuple[Segment, ...]


def make_course(course: Mapping[str, Any], template: str) -> Course:
    """Return the course for the options `course` and `template`, which have been read."""
    return Course(course["name"], tuple(Segment(row["name"], row["limits"][template]) for row in course["segments"]))


@dataclass(frozen=True, slots=True)
class SegmentOption(RecordOption):
    """A row of the course. A single `limit` applies to both templates."""

    def read(self, value: object, path: str) -> Mapping[str, Any]:
        given = read_object(value, path)
        if "limits" in given:
            if "limit" in given:
                raise Malformed(f"{path}.limit", TWO_LIMITS)
            return RecordOption.read(self, given, path)
        check_fields(given, path, ("name", "limit", "limits"), ("name", "limit"))
        limit = GOOD_WEATHER.read(given["limit"], f"{path}.limit")
        return RecordOption.read(self, {"name": given["name"], "limits": {"1": limit, "2": limit}}, path)


def _segment(name: Text, good: int | None, poor: int | None) -> Mapping[str, Any]:
    return {"name": name.template, "limits": {"1": good, "2": poor}}


CLUB_500 = (
    _segment(pgettext_noop("segment of a course", "Grid straight"), None, None),
    _segment(pgettext_noop("segment of a course", "Turn 1"), 90, 70),
    _segment(pgettext_noop("segment of a course", "Back straight"), None, None),
    _segment(pgettext_noop("segment of a course", "Chicane"), 60, 45),
    _segment(pgettext_noop("segment of a course", "Long sweeper"), 110, 90),
    _segment(pgettext_noop("segment of a course", "Finish straight"), None, None),
)
SHORT_COURSE: Mapping[str, Any] = {
    "name": gettext_noop("Club sprint").template,
    "segments": [CLUB_500[0], CLUB_500[1], CLUB_500[3]],
}

GOOD_WEATHER = NumberOption(
    "1", gettext_noop("Limit in good weather"), LIMIT_HELP, None, low=0, high=MAX_LIMIT, nullable=True
)
POOR_WEATHER = NumberOption(
    "2", gettext_noop("Limit in poor weather"), LIMIT_HELP, None, low=0, high=MAX_LIMIT, nullable=True
)
SEGMENT = SegmentOption(
    "segment",
    gettext_noop("Segment"),
    gettext_noop("A part of the course."),
    fields=(
        TextOption("name", gettext_noop("Name"), gettext_noop("What the segment is called."), ""),
        RecordOption(
            "limits",
            gettext_noop("Speed limits"),
            gettext_noop("A total above the limit ends the segment."),
            fields=(GOOD_WEATHER, POOR_WEATHER),
        ),
    ),
)
COURSE = RecordOption(
    "course",
    gettext_noop("Course"),
    gettext_noop("The segments of the race, and their speed limits."),
    fields=(
        TextOption(
            "name",
            gettext_noop("Name"),
            gettext_noop("What the course is called."),
            gettext_noop("Club 500").template,
        ),
        RowsOption(
            "segments",
            gettext_noop("Segments"),
            gettext_noop("The parts of the course, in the order in which they are raced."),
            default=CLUB_500,
            row=SEGMENT,
            lengths=(1, MAX_SEGMENTS),
        ),
    ),
)
TEMPLATE = ChoiceOption(
    "template",
    gettext_noop("Template"),
    gettext_noop("The weather decides which of the course’s speed limits apply."),
    "1",
    (("1", gettext_noop("Good weather")), ("2", gettext_noop("Poor weather"))),
)
