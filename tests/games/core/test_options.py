"""Declared options: defaults, ranges, and undeclared options."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.options import (
    NumberOption,
    NumbersOption,
    RecordOption,
    RowsOption,
    TextOption,
    read_options,
    write_options,
)
from games.core.problems import Malformed
from games.core.text import Text

T = Text("")
TURNS = NumberOption("turns", T, T, 5, low=1, high=15)
LIVES = NumberOption("lives", T, T, 3)
ENTRIES = NumbersOption("entries", T, T, (50, 100), low=1, lengths=(1, 3))
BONUS = RecordOption("bonus", T, T, (NumberOption("from", T, T, 63, low=1), NumberOption("points", T, T, 35)))
DECLARED = (TURNS, LIVES, ENTRIES, BONUS)


def test_what_is_not_given_keeps_its_default() -> None:
    defaults = {"turns": 5, "lives": 3, "entries": (50, 100), "bonus": {"from": 63, "points": 35}}
    assert read_options(DECLARED, {}) == defaults
    assert read_options(DECLARED, {"turns": 15}) == defaults | {"turns": 15}


def test_given_values_are_read() -> None:
    given = {"turns": 1, "lives": 10**9, "entries": [7], "bonus": {"points": 0, "from": 1}}
    assert read_options(DECLARED, given) == given | {"entries": (7,)}


@pytest.mark.parametrize(
    ("given", "field", "message"),
    [
        ([], "options", "This must be an object with named fields."),
        ({"luck": 1}, "options.luck", "There is no field “luck” here. Use one of these: turns, lives, entries, bonus."),
        ({"turns": 16}, "options.turns", "This must be a whole number from 1 to 15."),
        ({"turns": True}, "options.turns", "This must be a whole number."),
        ({"lives": -1}, "options.lives", "This must be a whole number of 0 or more."),
        ({"entries": 5}, "options.entries", "This must be a list."),
        ({"entries": []}, "options.entries", "This must be a list of 1 to 3 items."),
        ({"entries": [1, 0]}, "options.entries[1]", "This must be a whole number of 1 or more."),
        ({"bonus": {"from": 1}}, "options.bonus.points", "The field “points” is missing."),
        ({"bonus": {"from": 0, "points": 1}}, "options.bonus.from", "This must be a whole number of 1 or more."),
    ],
)
def test_what_does_not_fit_is_reported_by_its_field(given: Any, field: str, message: str) -> None:
    with pytest.raises(Malformed) as caught:
        read_options(DECLARED, given)
    assert (caught.value.field, caught.value.message()) == (field, message)


NAME = TextOption("name", T, T, "Parks")
LIMIT = NumberOption("limit", T, T, None, nullable=True)
SEGMENT = RecordOption("segment", T, T, (NAME, LIMIT))
SEGMENTS = RowsOption("segments", T, T, ({"name": "Turn 1", "limit": 90},), SEGMENT, (1, 3))
COURSE = RecordOption("course", T, T, (NAME, SEGMENTS), partial=True)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"turns": 6},
        {"entries": [7]},
        {"bonus": {"from": 63, "points": 40}},
        {"course": {"name": "The long way"}},
        {"course": {"segments": [{"name": "Turn 1", "limit": None}, {"name": "Turn 2", "limit": 70}]}},
    ],
)
def test_what_differs_from_the_defaults_is_written_and_reads_back_to_the_same(given: dict[str, Any]) -> None:
    declared = (*DECLARED, COURSE)
    assert write_options(declared, read_options(declared, given)) == given


def test_what_was_given_as_the_default_is_not_written() -> None:
    given = {"turns": 5, "entries": [50, 100], "course": {"segments": [{"name": "Turn 1", "limit": 90}]}}
    assert write_options((*DECLARED, COURSE), read_options((*DECLARED, COURSE), given)) == {}
