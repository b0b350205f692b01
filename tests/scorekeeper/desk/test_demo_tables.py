"""The games at the demo's tables have the results of the plays in its file, worked out by hand."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from scorekeeper.desk.demo.table_script import parse_plays
from scorekeeper.desk.selectors.worth_a_look import compute_warnings
from scorekeeper.events.models import Event
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.open_table import TableWithEntrants
from scorekeeper.scorecards.selectors.table_summaries import list_tables
from scorekeeper.scorecards.selectors.tables import fold_tables
from scorekeeper.standings.models import StandingsRow
from tests.scorekeeper.desk.demo_rides import LoadedRide, load_ride

pytestmark = pytest.mark.django_db

# Taken from the chart of ROGUE-4: a figure for each turn, including additional turns. "2 *" is a rogue set aside with
# the set, or one on the last die, which doubles the whole turn.
CAMPFIRE = {
    "Lena F.": (250, 2 * 300, 2 * 40),
    "Mack D.": (15 + 12 + 8, 30 + 10, 2 * (75 + 12), 4),
    "Edie": (250, 2 * 60, 8 + 10),
    "Quin W.": (2 * 200, 2 * 50, 2 * 250),
}
# Sid L.'s segments: the locked dice, those of the last roll, and the penalties.
WET = (
    (30 + 20 + 25 + 20) + (25 + 20),
    20 + 15 + 25,
    (25 + 30 + 20) + (15 + 10) - 10,  # a yellow flag; the green die went flat
    20 + 15,  # after the reroll of a red flag
    20 + 10 + 25 + 15 + 20,  # exactly the limit of 90
    (30 + 20 + 15) + (25 + 10 + 20) - 20,  # a red flag: the crash needs a second roll
)


@pytest.fixture
def loaded_ride(db: None) -> LoadedRide:
    """The ride when it has reached the barbecue."""
    return load_ride("bbq")


@pytest.fixture
def event(loaded_ride: LoadedRide) -> Event:
    """The ride when it has reached the barbecue."""
    return loaded_ride.event


def list_contest_tables(event: Event, slug: str) -> list[TableWithEntrants]:
    return fold_tables(get_contest_rules(event.contests.get(slug=slug).pk))


def get_points(table: TableWithEntrants) -> dict[str, int | None]:
    """Return the lines of the only seat's score sheet, by their keys."""
    sheet = table.contest.ruleset.game.sheet(table.state)
    return {line.key: line.cells[0].points for line in sheet.lines}


def get_totals(event: Event, slug: str) -> dict[str, int]:
    rows = StandingsRow.objects.filter(contest__event=event, contest__slug=slug)
    return dict(rows.values_list("player__name", "total"))


@pytest.mark.slow
def test_the_finished_rogue_table_has_the_points_worked_out_by_hand(event: Event) -> None:
    first, _second = list_tables(event.contests.get(slug="rogue-at-the-campfire"))

    assert {seat["name"]: seat["total"] for seat in first.seats} == {
        name: sum(turns) for name, turns in CAMPFIRE.items()
    }
    assert sum(CAMPFIRE["Quin W."]) == 1000
    assert first.outcome == "Quin W. has won."


def test_the_other_rogue_table_is_in_play_with_dice_showing(event: Event) -> None:
    """Ada H. has a pair of sixes and the rogue that doubles it set aside, 2 * 12."""
    _first, second = list_contest_tables(event, "rogue-at-the-campfire")

    assert (second.state.seat, second.state.turn.points, second.state.turn.showing) == (2, 24, (4, 4, 5))


def test_in_the_wet_one_driver_has_finished_one_is_driving_and_one_has_not_started(event: Event) -> None:
    finished, on_the_way, not_begun = list_contest_tables(event, "go-500-wet")
    sheet = get_points(finished)

    assert tuple(sheet[f"segment_{number}"] for number in range(1, 7)) == WET
    assert (sheet["total"], sheet["rerolls"]) == (sum(WET), 1) == (515, 1)
    # 10 + 25 + 25 + 5 + 20 + 10 with traffic lights, then 15 + 10 + 20 + 15. Now a black flag was rolled, with all
    # rerolls left. The dice locked before it and those rolled with it make 55 + 45.
    sheet = get_points(on_the_way)
    assert (sheet["segment_1"], sheet["segment_2"], sheet["segment_3"]) == (95, 60, None)
    assert (sheet["total"], sheet["rerolls"]) == (155, 2)
    assert on_the_way.turns
    assert not not_begun.turns


def test_on_the_circuit_one_driver_has_won_one_is_out_and_one_is_driving(event: Event) -> None:
    won, out, driving = (get_points(table) for table in list_contest_tables(event, "grand-prix-solo"))

    # Spaces 4, 8, 13, 16, 18, 21, 24, 27, 31, 35, 39, 44 and the flag at 49; in gear 3 over space 17, damage 3 of 10.
    # One select of three was used.
    assert (won["place_1"], won["unused_1"], won["free_select"]) == (0, 10 - 3, 2)
    # Spaces 5, 10, 16, 20: in gear 6 over 11 to 15, in gear 5 over 17. 11 of 10: not finished.
    assert (out["place_1"], out["total"]) == (20, 20)
    # Spaces 4 (with include), 7, 9 (after a re-roll), 12, 14 (after a shift), 16, 18: in gear 4 over space 17. This is
    # the eighth of 18 turns, in gear 5; the flag is at 49.
    assert (driving["unused_1"], driving["distance"], driving["time"], driving["gear"]) == (10 - 4, 49 - 18, 10, 5)
    free = tuple(driving[f"free_{special}"] for special in ("reroll", "include", "select", "shift"))
    assert free == (1, 1, 3, 1)


def test_of_six_races_two_are_finished_and_one_is_at_a_challenge(event: Event) -> None:
    races = list_contest_tables(event, "drag-rage-knock-out")
    game = races[0].contest.ruleset.game

    # Walt 1 + 10 + 8 + 4, three counters, against Eli G. 1 + 12 + 11, two. Then Eli G. 1 + 12 + 10; Walt is tied with
    # two counters on 1 + 11 + 9.
    assert [(heat["winner"], heat["spaces"]) for heat in game.extra_results(races[0].state)["heats"]] == [
        (1, [23, 24]),
        (1, [21, 23]),
    ]
    # Gus H., spun out with the 12, 1 + 11 + 10; Deb G. 1 + 9 + 8 + 5. Then 1 + 7 + 8 against 1 + 12 + 10.
    assert [(heat["winner"], heat["spaces"]) for heat in game.extra_results(races[1].state)["heats"]] == [
        (1, [22, 23]),
        (1, [16, 23]),
    ]
    offered = [spec.type for spec in game.legal_actions(races[2].state, 0)]
    assert [race.is_finished for race in races] == [True, True, False, False, False, False]
    assert [bool(race.turns) for race in races] == [True, True, True, False, False, False]
    assert "defend" in offered


def test_the_standings_match_the_tables(event: Event) -> None:
    campfire = {name: sum(turns) for name, turns in CAMPFIRE.items()}

    # Gwen R. 6 + 2 * 10, Dan B. 60; Ada H.'s first turn is not finished.
    assert get_totals(event, "rogue-at-the-campfire") == campfire | {"Gwen R.": 26, "Dan B.": 60, "Ada H.": 0}
    assert get_totals(event, "go-500-wet") == {"Sid L.": 515, "Tess N.": 155, "Flo C.": 0}
    assert get_totals(event, "grand-prix-solo") == {"Clem T.": 0, "Rae L.": 20, "Kit N.": 0}
    assert get_totals(event, "drag-rage-knock-out") == {"Eli G.": 1, "Deb G.": 1, "Walt": 0, "Gus H.": 0}


def test_the_ride_has_turns_and_tables_and_raises_no_warning(event: Event) -> None:
    contests = event.contests.exclude(slug="rock-yahtzee")

    assert Turn.objects.count() == 75
    assert [len(list_tables(contest)) for contest in contests] == [2, 3, 3, 6]
    assert {contest.status for contest in contests} == {"open"}
    assert compute_warnings(event) == []


def test_loading_prints_what_to_open_and_it_opens(loaded_ride: LoadedRide, client: Client) -> None:
    home = "http://127.0.0.1:8000"
    desk, link, table, board = (
        word.removeprefix(home) for word in loaded_ride.printed.split() if word.startswith(home)
    )

    client.force_login(User.objects.get(username="organiser"))
    for path in (desk, link, board):
        assert client.get(path).status_code == 200
    phone = Client()
    phone.post(link)
    assert "Gwen R." in phone.get(table).content.decode()


def test_a_line_of_plays_is_parsed_with_the_fields_of_the_game() -> None:
    fields = {"go": "counter", "throw": "black, green flag?", "keep": "dice*", "stop": ""}
    plays = "Ann  throw 5,10 - flag, keep C2, stop\nThe table  go 1"

    assert list(parse_plays(plays, ["Bob", "Ann"], fields)) == [
        {"seat": 1, "type": "throw", "black": [5, 10], "flag": True},
        {"seat": 1, "type": "keep", "dice": ["C", 2]},
        {"seat": 1, "type": "stop"},
        {"type": "go", "counter": 1},
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Ann stop", "two spaces"),
        ("Cid  stop", "nobody of that name"),
        ("Ann  jump", "no action of this game"),
        ("Ann  go", "'counter' is missing"),
        ("Ann  go 1 2", "more than the fields"),
    ],
)
def test_a_line_that_is_not_in_the_notation_is_rejected(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        list(parse_plays(line, ["Bob", "Ann"], {"go": "counter", "stop": ""}))
