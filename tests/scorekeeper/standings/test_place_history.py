"""The places after each turn: in random rides they are what counting by hand finds."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core.ranking import rank
from games.core.sheet import TurnSource
from games.core.standing import Standing
from scorekeeper.common.game_adapter import get_game
from scorekeeper.standings.contest_report import CardReport, ContestReport, ReportTurn
from scorekeeper.standings.leaderboard import LeaderboardRow
from scorekeeper.standings.place_history import PlaceAfter, make_place_history

pytestmark = pytest.mark.database

Points = int | None  # None: the turn was missed

RULESET = get_game("rock-yahtzee").ruleset()
STOPS = ("Clubhouse", "Parks", "Ferry", "Ferry", "Bridge", "Hall", "Hall")
# Few different points, so that there are many ties; cards of different length, as when bikes retire.
CARDS = st.lists(st.lists(st.one_of(st.none(), st.integers(0, 3)), min_size=1, max_size=len(STOPS)), max_size=12)


def make_turn(ordinal: int, points: Points, missed: int = 0) -> ReportTurn:
    how: TurnSource = "missed" if points is None else "paper"
    return ReportTurn(ordinal, STOPS[ordinal - 1], None, "Chance", missed if points is None else points, (), how)


def make_report(cards: list[list[Points]], *, missed: int = 0, **more: Any) -> ContestReport:
    """Return the report of bikes 1, 2 and so on, with their turns in the order of the slots."""
    totals = {number: sum(points or 0 for points in turns) for number, turns in enumerate(cards, 1)}
    ranking = rank({number: Standing(total, (total,)) for number, total in totals.items()})
    rows = [
        LeaderboardRow(
            UUID(int=number), str(number), place.rank, len(place.seats) > 1, totals[number], 0, "done", None, "points"
        )
        for place in ranking.places
        for number in place.seats
    ]
    reports = [
        CardReport(
            UUID(int=100 + number),
            UUID(int=number),
            str(number),
            totals[number],
            (),
            tuple(make_turn(ordinal, points, missed) for ordinal, points in enumerate(turns, 1)),
            **more,
        )
        for number, turns in enumerate(cards, 1)
    ]
    return ContestReport(tuple(rows), tuple(reports))


def count_by_hand(cards: list[list[Points]], number: int, last: int) -> PlaceAfter | None:
    """Return the place of a bike after some turns: one more than the bikes that are better."""
    sums = {
        at: sum(points for points in turns[:last] if points is not None)
        for at, turns in enumerate(cards, 1)
        if any(points is not None for points in turns[:last])
    }
    if number not in sums:
        return None
    own = sums[number]
    better = [total for total in sums.values() if total > own]
    return PlaceAfter(1 + len(better), is_tied=list(sums.values()).count(own) > 1)


@given(CARDS)
def test_the_places_are_what_counting_by_hand_finds(cards: list[list[Points]]) -> None:
    report = make_report(cards)

    history = make_place_history(report, RULESET)

    if len(cards) < 2:
        assert history is None
        return
    assert history is not None
    assert [step.ordinal for step in history.steps] == list(range(1, max(map(len, cards)) + 1))
    assert [line.entrant_id for line in history.lines] == [row.entrant_id for row in report.rows]
    for line, row in zip(history.lines, report.rows, strict=True):
        assert line.places == tuple(count_by_hand(cards, int(line.number), step.ordinal) for step in history.steps)
        assert line.final.label == row.rank_label


def test_a_bike_has_no_place_before_its_first_roll() -> None:
    history = make_place_history(make_report([[None, 3], [1, 1], [2, None]]), RULESET)

    assert history is not None
    assert [step.stop for step in history.steps] == ["Clubhouse", "Parks"]
    places = {line.number: [place and place.label for place in line.places] for line in history.lines}
    assert places == {"1": [None, "1"], "2": ["2", "2="], "3": ["1", "2="]}


def test_a_contest_at_tables_has_no_history() -> None:
    assert make_place_history(make_report([[1], [2]], table=1), RULESET) is None


# Bike 1 throws 30, 6 and 6; bike 2 throws 12 three times; bike 3 throws 5, misses a stop and throws 5.
THREE: list[list[Points]] = [[30, 6, 6], [12, 12, 12], [5, None, 5]]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {"1": ["1", "1", "1"], "2": ["2", "2", "2"], "3": ["3", "3", "3"]}),
        # The best two are 30 and 6, which is 36, against 24.
        ({"counts": 2}, {"1": ["1", "1", "1"], "2": ["2", "2", "2"], "3": ["3", "3", "3"]}),
        # The best one: 30, 12 and 5.
        ({"counts": 1}, {"1": ["1", "1", "1"], "2": ["2", "2", "2"], "3": ["3", "3", "3"]}),
        # A missed stop is worth 30: 5, 35, 40 against 12, 24, 36 and 30, 36, 42.
        ({"goal": "low"}, {"1": ["3", "3", "3"], "2": ["2", "1", "1"], "3": ["1", "2", "2"]}),
        # The lowest two: 12 of bike 1, 24 of bike 2, 10 of bike 3.
        ({"goal": "low", "counts": 2}, {"1": ["3", "3", "2"], "2": ["2", "1", "3"], "3": ["1", "2", "1"]}),
        # Away from 36: 6, 0, 6 against 24, 12, 0; bike 3 has missed a stop and is last.
        (
            {"goal": "target", "target": 36},
            {"1": ["1", "1", "2"], "2": ["2", "2", "1"], "3": ["3", "3", "3"]},
        ),
    ],
)
def test_the_places_are_those_of_the_game(options: dict[str, Any], expected: dict[str, list[str]]) -> None:
    """DICE-7, DICE-11, DICE-12, DICE-19"""
    ruleset = get_game("dice-run").ruleset({"turns": 3, **options})

    missed = 30 if options.get("goal") == "low" else 0
    history = make_place_history(make_report(THREE, missed=missed), ruleset)

    assert history is not None
    assert {line.number: [place and place.label for place in line.places] for line in history.lines} == expected


def test_who_has_ended_fewer_turns_ranks_below_where_the_lowest_wins() -> None:
    """DICE-13"""
    ruleset = get_game("dice-run").ruleset({"turns": 3, "goal": "low"})

    history = make_place_history(make_report([[12, 12], [5]]), ruleset)

    assert history is not None
    assert [[place and place.label for place in line.places] for line in history.lines] == [["2", "1"], ["1", "2"]]
