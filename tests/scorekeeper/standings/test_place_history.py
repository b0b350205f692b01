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
from scorekeeper.standings.contest_report import CardReport, ContestReport, ReportTurn
from scorekeeper.standings.leaderboard import LeaderboardRow
from scorekeeper.standings.place_history import PlaceAfter, make_place_history

pytestmark = pytest.mark.database

Points = int | None  # None: the turn was missed

STOPS = ("Clubhouse", "Parks", "Ferry", "Ferry", "Bridge", "Hall", "Hall")
# Few different points, so that there are many ties; cards of different length, as when bikes retire.
CARDS = st.lists(st.lists(st.one_of(st.none(), st.integers(0, 3)), min_size=1, max_size=len(STOPS)), max_size=12)


def make_turn(ordinal: int, points: Points) -> ReportTurn:
    how: TurnSource = "missed" if points is None else "final"
    return ReportTurn(ordinal, STOPS[ordinal - 1], None, "Chance", points or 0, (), how)


def make_report(cards: list[list[Points]], *, lowest_wins: bool = False, **more: Any) -> ContestReport:
    """Return the report of bikes 1, 2 and so on, with their turns in the order of the slots."""
    sign = -1 if lowest_wins else 1
    totals = {number: sum(points or 0 for points in turns) for number, turns in enumerate(cards, 1)}
    ranking = rank({number: Standing(total, (sign * total,)) for number, total in totals.items()})
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
            tuple(make_turn(ordinal, points) for ordinal, points in enumerate(turns, 1)),
            **more,
        )
        for number, turns in enumerate(cards, 1)
    ]
    return ContestReport(tuple(rows), tuple(reports))


def count_by_hand(cards: list[list[Points]], number: int, last: int, *, lowest_wins: bool) -> PlaceAfter | None:
    """Return the place of a bike after some turns: one more than the bikes that are better."""
    sums = {
        at: sum(points for points in turns[:last] if points is not None)
        for at, turns in enumerate(cards, 1)
        if any(points is not None for points in turns[:last])
    }
    if number not in sums:
        return None
    own = sums[number]
    better = [total for total in sums.values() if (total < own if lowest_wins else total > own)]
    return PlaceAfter(1 + len(better), is_tied=list(sums.values()).count(own) > 1)


@given(CARDS, st.booleans())
def test_the_places_are_what_counting_by_hand_finds(cards: list[list[Points]], lowest_wins: bool) -> None:
    report = make_report(cards, lowest_wins=lowest_wins)

    history = make_place_history(report, lowest_wins=lowest_wins)

    if len(cards) < 2:
        assert history is None
        return
    assert history is not None
    assert [step.ordinal for step in history.steps] == list(range(1, max(map(len, cards)) + 1))
    assert [line.entrant_id for line in history.lines] == [row.entrant_id for row in report.rows]
    for line, row in zip(history.lines, report.rows, strict=True):
        assert line.places == tuple(
            count_by_hand(cards, int(line.number), step.ordinal, lowest_wins=lowest_wins) for step in history.steps
        )
        assert line.final.label == row.rank_label


def test_a_bike_has_no_place_before_its_first_roll() -> None:
    history = make_place_history(make_report([[None, 3], [1, 1], [2, None]]), lowest_wins=False)

    assert history is not None
    assert [step.stop for step in history.steps] == ["Clubhouse", "Parks"]
    places = {line.number: [place and place.label for place in line.places] for line in history.lines}
    assert places == {"1": [None, "1"], "2": ["2", "2="], "3": ["1", "2="]}


def test_a_contest_at_tables_has_no_history() -> None:
    assert make_place_history(make_report([[1], [2]], table=1), lowest_wins=False) is None
