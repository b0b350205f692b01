"""`?mine=` and `?q=` on the board of a class: pinned bikes and the search, with the places in that class.

Bikes 1 to 3 lead with 24 points, bike 4 follows with 20 and bike 5 with 10. Bikes 2, 3 and 5 are in the class.
"""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.audience.services import freeze_standings, reveal_to_step, start_reveal
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.live.sources import find_class_board_source
from scorekeeper.players.class_settings import add_class
from scorekeeper.players.models import ClassMember, EventClass, Player
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.results.test_board_search import get_found_text, list_found
from tests.scorekeeper.results.test_my_bike import HTMX, get_board, list_pinned
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn
from tests.scorekeeper.sheet_rides import make_dice_run, roll, sell

pytestmark = pytest.mark.database

NOT_HERE = ["One of your bikes is not on this leaderboard."]


@pytest.fixture
def ladies(ride: Ride, tied_bikes, add_turn, desk, update_standings) -> EventClass:
    add_turn(5, 1, make_paper_turn("chance", 10), by=desk, reason="from the paper cards")
    made = add_class(ride.event, "Ladies")
    ClassMember.objects.bulk_create([ClassMember(event_class=made, bike=ride.bikes[n]) for n in (2, 3, 5)])
    update_standings()
    return made


@pytest.fixture
def board(ride: Ride, ladies: EventClass) -> str:
    return get_class_board(ride.contest, ladies)


def get_class_board(contest: Contest, event_class: EventClass) -> str:
    return reverse("results:class_board", args=[contest.event.slug, contest.slug, event_class.pk])


def get_row_addresses(client: Client, url: str, **query: str) -> list[str]:
    return re.findall(r'href="([^"]*/bikes/[^"]*)"', get_page_text(client.get(url, query)).split('id="board"')[0])


def test_a_pinned_row_has_the_place_in_the_class_and_the_gap_to_the_next_in_it(
    ride: Ride, client: Client, board: str
) -> None:
    pin = ride.bikes[5].pk
    row = "Place 3 Bike 5 Eve Total 10 14 points to 1st place Last turn, Ozweld's: Chance, 10 points"
    assert list_pinned(client, board, pin) == [row]
    assert list_pinned(client, board, pin, part=True) == [row]
    assert list_pinned(client, get_board(ride.contest), pin)[0].startswith(
        "Place 5 Bike 5 Eve Total 10 10 points to 4th place"
    )
    bike = reverse("results:bike", args=[ride.event.slug, ride.contest.slug, pin])
    assert get_row_addresses(client, board, mine=str(pin)) == [bike]


def test_a_script_gets_the_rows_of_the_class_alone_and_not_again_while_they_are_unchanged(
    ride: Ride, client: Client, board: str, add_turn, desk, update_standings
) -> None:
    query = {"mine": str(ride.bikes[5].pk)}
    first = client.get(board, query, headers=HTMX)
    assert 'id="board"' not in get_page_text(first)
    with_etag = {**HTMX, "If-None-Match": first.headers["ETag"]}
    assert client.get(board, query, headers=with_etag).status_code == 304

    add_turn(5, 2, make_paper_turn("sixes", 24), by=desk, reason="from the paper cards")
    update_standings()

    assert client.get(board, query, headers=with_etag).status_code == 200
    assert list_pinned(client, board, ride.bikes[5].pk)[0].startswith("Place 1 Bike 5 Eve Total 34")


def test_the_stream_of_a_class_says_the_places_and_gaps_in_it(ride: Ride, ladies: EventClass) -> None:
    source = find_class_board_source(ride.event.slug, ride.contest.slug, ladies.pk)
    assert source is not None
    snapshot = source.take_snapshot()
    assert snapshot is not None

    said = re.findall(r'data-nth="([^"]*)" data-gap="([^"]*)" id="row-([^"]*)"', snapshot.render())

    assert [(nth, gap) for nth, gap, row in said if row == str(ride.bikes[5].pk)] == [("3rd", "14 points to 1st place")]
    assert len(said) == 3


def test_a_bike_that_is_not_in_the_class_looks_like_one_that_there_is_not(
    ride: Ride, client: Client, board: str
) -> None:
    assert list_pinned(client, board, ride.bikes[1].pk) == NOT_HERE
    assert list_pinned(client, board, uuid4()) == NOT_HERE


def test_a_merge_during_a_freeze_is_not_told_by_the_board_of_a_class(ride: Ride, client: Client, board: str) -> None:
    freeze_standings(ride.event)
    Bike.objects.filter(pk=ride.bikes[1].pk).update(merged_into=ride.bikes[5])

    assert list_pinned(client, board, ride.bikes[1].pk) == NOT_HERE, "which is on the frozen leaderboard itself"


def test_a_bike_has_the_rows_of_those_of_its_sheets_that_are_in_the_class(ride: Ride, client: Client) -> None:
    contest, rita = make_dice_run(ride), make_actor(ride.rita)
    second = sell(ride, rita, 2)
    roll(ride, rita, ride.bikes[2], 1, 20)
    roll(ride, rita, second, 1, 25)
    roll(ride, rita, ride.bikes[3], 1, 30)
    made = add_class(ride.event, "Novices")
    ClassMember.objects.create(event_class=made, bike=ride.bikes[2])
    refresh_standings(contest.pk)
    url = get_class_board(contest, made)

    rows = list_pinned(client, url, ride.bikes[2].pk)

    assert [row.split(" Total")[0] for row in rows] == ["Place 1 Bike 2/2 Ben, Zoe", "Place 2 Bike 2 Ben, Zoe"]
    assert list_pinned(client, url, second.pk) == rows


def test_a_table_game_finds_the_people_of_a_pinned_bike_in_the_class(
    ride: Ride, client: Client, pig_tables, pig_contest: Contest
) -> None:
    made = add_class(ride.event, "Novices")
    ClassMember.objects.create(event_class=made, player=Player.objects.get(name="Ann"))
    refresh_standings(pig_contest.pk)
    url = get_class_board(pig_contest, made)

    (row,) = list_pinned(client, url, ride.bikes[1].pk)

    assert row.startswith("Place 1 Ann"), "the rider of the bike"
    assert list_pinned(client, url, ride.bikes[2].pk) == NOT_HERE, "Ben has played, and is no novice"


def test_the_search_finds_among_the_rows_of_the_class_only(ride: Ride, client: Client, board: str) -> None:
    whole = get_board(ride.contest)
    assert [list_found(client, whole, text) for text in ("4", "ann", "eve")] == [["4"], ["1"], ["5"]]

    assert [list_found(client, board, text) for text in ("4", "ann", "eve")] == [[], [], ["5"]]
    assert get_found_text(client, board, "eve").startswith("1 result for “eve” Place 3 5 Eve")
    bike = reverse("results:bike", args=[ride.event.slug, ride.contest.slug, ride.bikes[5].pk])
    assert get_row_addresses(client, board, q="eve") == [bike]


def test_without_scripts_the_forms_stay_on_the_board_of_the_class(ride: Ride, client: Client, board: str) -> None:
    page = get_page_text(client.get(board))
    assert f'<a href="{board}?q=#search">' in page
    assert '<meta http-equiv="refresh"' in page

    pin = ride.bikes[5].pk
    page = get_page_text(client.get(board, {"q": "eve", "mine": str(pin)}))

    assert '<meta http-equiv="refresh"' not in page, "it would clear what is being typed"
    forms = re.findall(r'<form[^>]* method="get"[^>]*>', page)
    assert len(forms) == 4, "the search, the button in its result and in the script's template, and the one that unpins"
    assert all(f'action="{board}' in form for form in forms), forms
    assert f'data-url="{board}"' in page


def test_during_a_reveal_nobody_is_found_or_pinned(ride: Ride, client: Client, board: str, close) -> None:
    close()
    start_reveal(ride.event, [ride.contest])
    reveal_to_step(ride.event, 1)

    assert list_pinned(client, board, ride.bikes[5].pk) == NOT_HERE
    assert list_found(client, board, "eve") == []
