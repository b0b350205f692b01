"""Groups and cuts of cards on the public leaderboard, in the files, and on the big screen."""

from __future__ import annotations

import json
import re
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.audience.services import freeze_standings, lift_freeze, reveal_to_step, start_reveal
from scorekeeper.bikes.models import Bike
from scorekeeper.events.group_setting import GroupSetting
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.services.contests import rename_contest
from scorekeeper.ledger.models import CutWitness
from scorekeeper.live.sources import LeaderboardSource, ScreenSource
from scorekeeper.standings.models import FrozenStandings
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.results.test_exports import get, read_csv, read_sheets
from tests.scorekeeper.scorecards.conftest import make_paper_turn
from tests.scorekeeper.standings.conftest import WITNESS

CARDS = {1: "QS", 2: "KH", 3: "AD"}

pytestmark = pytest.mark.usefixtures("tied_bikes")


@pytest.fixture
def url(ride: Ride) -> str:
    return reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])


@pytest.fixture
def group_two_rolls(ride: Ride, tied_bikes: None, add_turn, desk) -> None:
    """Group one has 24, 24, 24 and 20 points, group two 30 and 17."""
    for number, points in ((5, 30), (6, 17)):
        add_turn(number, 1, make_paper_turn("chance", points), by=desk, reason="from the paper cards")


def compare_groups(contest: Contest, by: str, best: int = 3) -> None:
    rename_contest(contest, name=contest.name, groups=GroupSetting(by, best))


def read_text(client: Client, url: str) -> str:
    return " ".join(get_visible_text(client.get(url)).split())


@pytest.mark.usefixtures("group_two_rolls")
def test_a_second_table_shows_the_groups(ride: Ride, client: Client, url: str, update_standings) -> None:
    update_standings()
    assert "Groups" not in read_text(client, url)

    compare_groups(ride.contest, "mean")
    page = read_text(client, url)
    assert "The mean of all totals of each group." in page
    assert "1 Group two 2 23.50" in page
    assert "2 Group one 4 23.00" in page

    compare_groups(ride.contest, "best", 3)
    page = read_text(client, url)
    assert "The sum of the 3 best totals of each group. A group with fewer has no place." in page
    assert "1 Group one 3 of 4 72" in page
    assert "– Group twoToo few for a place 2 –" in page


@pytest.mark.usefixtures("group_two_rolls")
def test_the_open_page_is_sent_the_groups_when_they_change(ride: Ride, url: str, update_standings, add_turn) -> None:
    compare_groups(ride.contest, "mean")
    update_standings()
    source = LeaderboardSource(ride.contest)
    before = source.take_snapshot()
    assert before is not None

    add_turn(4, 2, make_paper_turn("sixes", 24))
    update_standings()
    after = source.take_snapshot()

    assert after is not None
    changed = after.diff_from(before)
    assert 'id="board-groups" hx-swap-oob="true"' in changed
    assert "29.00" in changed
    assert f"row-{ride.bikes[1].pk}" not in changed or "1=" not in changed
    compare_groups(ride.contest, "")
    off = source.take_snapshot()
    assert off is not None
    assert 'id="board" hx-swap-oob="true"' in off.diff_from(after)


@pytest.mark.usefixtures("group_two_rolls")
def test_the_files_have_the_same_figures_as_the_page(
    ride: Ride, client: Client, alice: User, sign_in: SignIn, update_standings
) -> None:
    update_standings()
    missing = reverse("results:export", args=[ride.event.slug, ride.contest.slug, "groups.csv"])
    assert client.get(missing).status_code == 404
    assert "groups" not in json.loads(get(client, "export", ride, "export.json"))

    compare_groups(ride.contest, "mean")
    lines = read_csv(get(client, "export", ride, "groups.csv"))
    sheet = read_sheets(get(client, "export", ride, "export.xlsx"))["Groups"]
    data = json.loads(get(client, "export", ride, "export.json"))["groups"]

    assert [(line["Place"], line["Group"], line["Mean"], line["Bikes that count"]) for line in lines] == [
        ("1", "Group two", "23.5", "2"),
        ("2", "Group one", "23.0", "4"),
    ]
    assert "Unofficial, " in lines[0]["Result"]
    assert [row[:3] for row in sheet[1:]] == [(1, "Group two", 23.5), (2, "Group one", 23)]
    assert [(row["place"], row["name"], row["score"], row["points"]) for row in data["rows"]] == [
        ("1", "Group two", 23.5, 47),
        ("2", "Group one", 23.0, 92),
    ]
    desk_file = get(sign_in(alice), "desk_export", ride, "groups.csv")
    assert read_csv(desk_file) == lines


@pytest.mark.usefixtures("group_two_rolls")
def test_the_big_screen_has_pages_for_groups(ride: Ride, client: Client, update_standings, add_turn) -> None:
    compare_groups(ride.contest, "best", 2)
    update_standings()
    screen = reverse("live:screen", args=[ride.event.slug])

    page = client.get(f"{screen}?page=2")
    assert page.context["paging"].last == 2
    text = " ".join(page.content.decode().split())
    assert "R.O.C.K. Yahtzee: groups" in text
    assert "The sum of the 2 best totals of each group." in text
    assert re.findall(r'<section class="screen__board"[^>]*data-board ?(hidden)?', text) == ["hidden", ""]

    source = ScreenSource(ride.event)
    before = source.take_snapshot()
    add_turn(4, 2, make_paper_turn("sixes", 24))
    update_standings()
    after = source.take_snapshot()
    assert before is not None
    assert after is not None
    assert f'id="groups-{ride.contest.pk}" hx-swap-oob="true"' in after.diff_from(before)


@pytest.mark.usefixtures("group_two_rolls")
def test_a_freeze_has_frozen_groups_and_a_reveal_hides_them_to_the_end(
    ride: Ride, client: Client, url: str, update_standings, add_turn, desk
) -> None:
    def list_groups() -> list[list[str]]:
        """The scores on the screen, on the page, in the table and in the data."""
        screen = client.get(reverse("live:screen", args=[ride.event.slug])).context["boards"]
        page = client.get(url).context["groups"]
        data = json.loads(get(client, "export", ride, "export.json")).get("groups")
        found = [[row.score_text for row in board.groups.rows] for board in screen if board.groups]
        if page is not None:
            found.append([row.score_text for row in page.rows])
        if data is not None:
            found.append([str(row["score"]) for row in data["rows"]])
        table = reverse("results:export", args=[ride.event.slug, ride.contest.slug, "groups.csv"])
        if client.get(table).status_code == 200:
            found.append([line["Sum"] for line in read_csv(get(client, "export", ride, "groups.csv"))])
        return found

    compare_groups(ride.contest, "best", 2)
    update_standings()
    freeze_standings(ride.event)
    frozen = list_groups()
    assert frozen == [["48", "47"]] * 4
    add_turn(7, 1, make_paper_turn("chance", 29), by=desk, reason="from the paper cards")
    update_standings()
    Bike.objects.filter(pk=ride.bikes[5].pk).update(group=ride.group_one)
    compare_groups(ride.contest, "mean")
    assert list_groups() == frozen
    Bike.objects.filter(pk=ride.bikes[5].pk).update(group=ride.group_two)
    compare_groups(ride.contest, "best", 2)

    start_reveal(ride.event, [ride.contest])
    last = client.get(reverse("live:screen", args=[ride.event.slug])).context["step"][1]
    assert last > 1
    assert list_groups() == frozen[1:], "no row is announced yet; the screen shows none"
    for step in range(1, last):
        reveal_to_step(ride.event, step)
        assert list_groups() == []
    reveal_to_step(ride.event, last)
    assert list_groups() == [["59", "48"]] * 4
    lift_freeze(ride.event)
    assert list_groups() == [["59", "48"]] * 4


def test_a_contest_added_after_the_freeze_has_no_groups_until_it_is_announced(
    ride: Ride, client: Client, url: str, update_standings
) -> None:
    compare_groups(ride.contest, "mean")
    update_standings()
    freeze_standings(ride.event)
    FrozenStandings.objects.filter(pk=ride.contest.pk).delete()

    start_reveal(ride.event, [ride.contest])

    assert client.get(url).context["groups"] is None
    assert "groups" not in json.loads(get(client, "export", ride, "export.json"))


def test_a_cut_is_shown_once_those_who_cut_are_announced(
    ride: Ride, client: Client, url: str, close, cut, update_standings, add_turn, desk
) -> None:
    freeze_standings(ride.event)
    add_turn(5, 1, make_paper_turn("chance", 30), by=desk, reason="from the paper cards")
    close()
    cut(CARDS)
    update_standings()
    assert client.get(url).context["cuts"] == ()

    start_reveal(ride.event, [ride.contest])
    last = client.get(reverse("live:screen", args=[ride.event.slug])).context["step"][1]
    screen, shown = reverse("live:screen", args=[ride.event.slug]), []
    for step in range(last + 1):
        reveal_to_step(ride.event, step)
        boards = client.get(screen).context["boards"][:1]  # none before the first place
        announced = {row.row.number for board in boards for row in board.leaderboard.rows}
        is_announced = announced >= {"1", "2", "3"}
        assert (len(client.get(url).context["cuts"]) == 1) == is_announced
        assert (len(json.loads(get(client, "export", ride, "export.json"))["cuts"]) == 1) == is_announced
        shown.append(is_announced)
    assert shown[:2] == [False, False]
    assert shown[-2:] == [True, True]


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("names", "Bike 3 (Cleo): ace of diamonds; Bike 2 (Ben, Zoe): king of hearts; Bike 1 (Ann): queen of spades"),
        ("initials", "Bike 1 (A.): queen of spades Witness: W. W."),
        ("numbers", "Bike 3: ace of diamonds; Bike 2: king of hearts; Bike 1: queen of spades"),
    ],
)
def test_the_result_says_how_ties_were_decided_and_who_watched(
    ride: Ride, client: Client, url: str, desk, close, cut, update_standings, shown: str, expected: str
) -> None:
    Event.objects.filter(pk=ride.event.pk).update(people_shown=shown)
    update_standings()
    assert "How ties were decided" not in read_text(client, url)
    close()
    cut(CARDS)
    update_standings()

    live = read_text(client, url)
    publish_contest(desk, uuid4(), ride.contest.pk)
    official = read_text(client, url)

    for page in (live, official):
        assert "How ties were decided" in page
        assert expected in page
        assert (f"Witness: {WITNESS}" in page) == (shown == "names")
        assert ("Witness:" in page) == (shown != "numbers")


def test_a_cut_after_publishing_is_not_in_the_published_result(
    ride: Ride, client: Client, url: str, desk, close, cut, update_standings
) -> None:
    close()
    cut({1: "QS", 2: "KH", 3: "KD"})
    publish_contest(desk, uuid4(), ride.contest.pk, "the rest is cut later")
    cut({2: "2S", 3: "4D"})
    update_standings()

    page = read_text(client, url)
    assert "king of diamonds" in page
    assert "4 of diamonds" not in page


def test_the_public_files_name_the_witness_as_people_are_shown(
    ride: Ride, client: Client, alice: User, sign_in: SignIn, close, cut, update_standings
) -> None:
    close()
    cut({1: "QS", 2: "KH", 3: "KD"})
    cut({2: "2S", 3: "4D"})
    CutWitness.objects.filter(operation__entries__seq=3, operation__entries__chain=ride.contest.pk).update(name="Zoe")
    update_standings()
    Event.objects.filter(pk=ride.event.pk).update(people_shown="initials")

    def read(user: Client, page: str) -> tuple[dict[str, str], Any]:
        lines = read_csv(get(user, page, ride, "export.csv"))
        return {line["Bike"]: line["Witness"] for line in lines[:4]}, json.loads(get(user, page, ride, "export.json"))

    witnesses, data = read(client, "export")
    assert witnesses == {"3": "W. W., then Z.", "2": "W. W., then Z.", "1": "W. W.", "4": ""}
    assert [cut["witness"] for cut in data["cuts"]] == ["W. W.", "Z."]
    witnesses, data = read(sign_in(alice), "desk_export")
    assert witnesses["2"] == f"{WITNESS}, then Zoe"
    assert data["cuts"][1]["cards"][0] == {"holder": str(ride.bikes[3].pk), "number": "3", "card": "4D"}
