"""A contest in which the lowest total wins, and one in which the total closest to a target does: what pages say."""

from __future__ import annotations

import csv
import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.events.models import Contest
from scorekeeper.scorecards.contest_rules import clear_contest_rules_cache
from scorekeeper.standings.models import ChancesReport
from scorekeeper.standings.selectors.leaderboard import get_leaderboard
from scorekeeper.standings.selectors.next_ahead import find_next_total
from scorekeeper.standings.services.chances_computation import compute_chances
from scorekeeper.standings.services.luck_computation import compute_luck
from tests.scorekeeper.conftest import Ride, change_game
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.results.test_exports import get, read_csv, read_sheets

pytestmark = pytest.mark.database


def paper(total: int) -> list[dict[str, Any]]:
    return [{"type": "paper", "total": total}]


@pytest.fixture
def options() -> dict[str, Any]:
    return {"goal": "target", "target": 88}


@pytest.fixture
def contest(contest: Contest, options: dict[str, Any]) -> Contest:
    change_game(contest, "dice-run", **options)
    clear_contest_rules_cache()
    return contest


def get_url(ride: Ride, page: str, *args: object) -> str:
    return reverse(f"results:{page}", args=[ride.event.slug, ride.contest.slug, *args])


@pytest.fixture
def thrown(ride: Ride, add_turn, update_standings) -> Ride:
    """Bike 1 has 88 after five turns, bike 2 has 92, and bike 3 has 12 after its first one."""
    for ordinal, (first, second) in enumerate(((18, 20), (18, 18), (18, 18), (17, 18), (17, 18)), 1):
        add_turn(1, ordinal, paper(first))
        add_turn(2, ordinal, paper(second))
    add_turn(3, 1, paper(12))
    update_standings()
    return ride


def test_with_a_target_the_board_has_total_and_distance_and_says_what_wins(thrown: Ride, client: Client) -> None:
    """DICE-10, DICE-13"""
    text = get_visible_text(client.get(get_url(thrown, "leaderboard")))

    assert "The total closest to 88 wins." in text
    for about in ("88 Exactly 88", "92 4 away from 88", "12 76 away from 88"):
        assert about.split(" ", 1)[1] in text
    rows = [(row.number, row.rank, row.total) for row in get_leaderboard(thrown.contest).rows if row.is_ranked]
    assert rows == [("1", 1, 88), ("2", 2, 92), ("3", 3, 12)]
    bike = get_visible_text(client.get(get_url(thrown, "bike", thrown.bikes[2].pk)))
    assert "4 away from 88" in bike
    assert all(row.outlook is None and not row.chance for row in get_leaderboard(thrown.contest).rows)


@pytest.mark.parametrize("options", [{"goal": "target", "target": 88}, {"goal": "low"}])
def test_chances_to_win_are_told_under_every_goal(ride: Ride, add_turn, update_standings) -> None:
    """DICE-12, DICE-19: one turn before the end, a good sheet leads a bad one and one with a missed turn by far."""
    ride.contest.odds_shown = ride.contest.OddsShown.SCREEN
    ride.contest.save()
    good, bad = (18, 30) if ride.contest.options["goal"] == "target" else (8, 25)
    for ordinal in range(1, 5):
        add_turn(1, ordinal, paper(good))
        add_turn(2, ordinal, paper(bad))
        add_turn(3, ordinal, [{"type": "forfeit"}] if ordinal == 1 else paper(good))
    update_standings()

    assert compute_chances(ride.contest.pk)

    stored = ChancesReport.objects.get(pk=ride.contest.pk).chances
    leader, other, missed = (stored[str(ride.bikes[number].pk)][0] for number in (1, 2, 3))
    assert leader > 0.3
    assert max(other, missed) < 0.01


@pytest.mark.parametrize("options", [{"goal": "target", "target": 88}, {"goal": "low"}, {}])
def test_the_api_and_every_file_have_the_distance_where_there_is_one(
    thrown: Ride, client: Client, options: dict[str, Any]
) -> None:
    """DICE-10, DICE-13"""
    expected = {"1": 0, "2": 4, "3": 76} if options.get("goal") == "target" else {}
    slugs = [thrown.event.slug, thrown.contest.slug]
    data = json.loads(get(client, "export", thrown, "export.json"))
    answers = [client.get(reverse(f"api:{page}", args=slugs)).json() for page in ("standings", "results")]
    rows = [row for answer in (data, *answers) for row in answer["standings"]]
    assert {row["number"]: row["distance"] for row in rows} == {
        str(number): expected.get(str(number)) for number in thrown.bikes
    }, "nobody who has not started has any"
    assert {card["number"]: card["distance"] for card in data["cards"]} == {
        number: expected.get(number) for number in ("1", "2", "3")
    }

    lines = read_csv(get(client, "export", thrown, "export.csv"))
    titles, *sheet = read_sheets(get(client, "export", thrown, "export.xlsx"))["Standings"]
    if not expected:
        assert "Distance from the target" not in {*lines[0], *titles}
        return
    assert {line["Bike"]: line["Distance from the target"] for line in lines} == {
        str(number): str(expected.get(str(number), "")) for number in thrown.bikes
    }
    column, bikes = titles.index("Distance from the target"), titles.index("Bike")
    assert {str(row[bikes]): row[column] for row in sheet if row[column] not in (None, "")} == expected


@pytest.mark.parametrize("options", [{"goal": "low"}])
def test_where_the_lowest_wins_only_finished_totals_are_ahead(thrown: Ride, client: Client) -> None:
    """DICE-9, DICE-13: the 12 of a bike that has four turns to come is behind."""
    text = get_visible_text(client.get(get_url(thrown, "leaderboard")))

    assert "Total: the lowest wins." in text
    assert "away from" not in text
    board = get_leaderboard(thrown.contest)
    assert [row.number for row in board.rows if row.is_ranked] == ["1", "2", "3"]
    assert find_next_total(thrown.contest, 92) == 88
    assert find_next_total(thrown.contest, 88) is None
    first, second, third = (row.outlook for row in board.rows if row.is_ranked)
    assert first is not None
    assert second is not None
    assert third is not None
    assert (third.best, third.worst) == (12 + 4 * 5, 12 + 4 * 30)
    assert third.can_lead
    assert second.chance == "first_gone" or not second.can_lead, "bike 1 is done with less"


def test_with_a_target_luck_is_about_the_distance(thrown: Ride, close, client: Client) -> None:
    close()
    thrown.contest.refresh_from_db()
    assert compute_luck(thrown.contest.pk)

    page = get_page_text(client.get(get_url(thrown, "luck")))
    card = get_visible_text(client.get(get_url(thrown, "luck_card", thrown.bikes[2].pk)))

    assert ">Distance from the target<" in page
    assert ">Total<" not in page
    assert "Distance from the target 4.0" in card
    assert "Total" not in card.split("Luck and choices", 1)[1].split("Turn 1")[0]
    lines = {line["Bike"]: line for line in read_csv(get(client, "export", thrown, "luck.csv"))}
    assert float(lines["2"]["Distance from the target"]) == 4
    assert "Total" not in lines["2"]


def test_a_row_of_the_scorecards_file_has_a_value_for_each_heading(thrown: Ride, client: Client) -> None:
    """The lines of a dice run have keys like those of turns: "turn_1"."""
    headings, row, *_others = csv.reader(get(client, "export", thrown, "cards.csv").decode("utf-8-sig").splitlines())

    found = dict(zip(headings, row, strict=True))
    assert (found["Turn 1"], found["Turn 1, Ozweld's"]) == ("18", "Sum of the dice: 18")


@pytest.mark.parametrize("options", [{}])
def test_a_stop_that_was_left_out_leaves_its_line_empty(ride: Ride, add_turn, update_standings, client: Client) -> None:
    """DICE-2: the turn of the third stop is turn 3, also before the second one is recorded."""
    add_turn(1, 1, paper(19))
    add_turn(1, 3, paper(12))
    update_standings()

    text = get_visible_text(client.get(get_url(ride, "bike", ride.bikes[1].pk)))
    (card,) = json.loads(get(client, "export", ride, "export.json"))["cards"]

    assert "Turn 1 Ozweld&#x27;s 19 Turn 2 – Turn 3 BBQ 12 Turn 4 – Turn 5 – Total 31" in text.replace("'", "&#x27;")
    assert {line["key"]: line["points"] for line in card["lines"]}["turn_3"] == 12
    assert [turn["line"] for turn in card["turns"]] == ["turn_1", "turn_3"]


@pytest.mark.parametrize(("options", "best", "by"), [({"goal": "low"}, "12", "3"), ({}, "20", "2")])
def test_the_best_roll_of_a_stop_is_the_lowest_where_the_lowest_wins(
    thrown: Ride, client: Client, best: str, by: str
) -> None:
    """DICE-9, DICE-23"""
    first = read_csv(get(client, "export", thrown, "stops.csv"))[0]

    assert (first["Best"], first["Best turn by"]) == (best, by)
