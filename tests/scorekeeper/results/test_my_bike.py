"""`?mine=`: the rows of pinned bikes on top of a leaderboard and of the page of an event."""

from __future__ import annotations

import re
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.audience.services import freeze_standings, lift_freeze, reveal_to_step, start_reveal
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest, Event
from scorekeeper.players.models import Player
from scorekeeper.results.my_bike import MAX_PINNED
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn
from tests.scorekeeper.sheet_rides import add_poker_run, draw, make_dice_run, roll, sell
from tests.scorekeeper.statements import count_statements

pytestmark = pytest.mark.database

HTMX = {"HX-Request": "true"}


@pytest.fixture
def scored(tied_bikes, update_standings) -> None:
    """Bikes 1 to 3 lead with 24 points, bike 4 follows with 20."""
    update_standings()


@pytest.fixture
def board(ride: Ride) -> str:
    return get_board(ride.contest)


@pytest.fixture
def event_page(ride: Ride) -> str:
    return reverse("results:event", args=[ride.event.slug])


def get_board(contest: Contest) -> str:
    return reverse("results:leaderboard", args=[contest.event.slug, contest.slug])


def list_pinned(client: Client, url: str, *pins: object, part: bool = False) -> list[str]:
    """Return the visible text of each pinned row."""
    page = get_page_text(client.get(url, {"mine": [str(pin) for pin in pins]}, headers=HTMX if part else {}))
    rows = page.split('id="mine-rows"', 1)[1].split("</ul>", 1)[0]
    without = re.compile(r"<form.*?</form>|<[^>]*>", re.DOTALL)
    texts = [" ".join(without.sub(" ", row).split()) for row in rows.split("<li ")[1:]]
    return [text.split(">", 1)[1].strip() for text in texts]


@pytest.mark.usefixtures("scored")
def test_a_pinned_row_has_the_place_the_points_to_the_next_and_the_last_turn(
    ride: Ride, client: Client, board: str
) -> None:
    row = "Place 4 Bike 4 Dan Total 20 4 points to 1st place Last turn, Ozweld's: Chance, 20 points"
    assert list_pinned(client, board, ride.bikes[4].pk) == [row]
    assert list_pinned(client, board, ride.bikes[4].pk, part=True) == [row]
    assert reverse("results:bike", args=[ride.event.slug, ride.contest.slug, ride.bikes[4].pk]) in get_page_text(
        client.get(board, {"mine": str(ride.bikes[4].pk)})
    )


@pytest.mark.usefixtures("scored")
def test_a_bike_that_has_not_rolled_has_neither(ride: Ride, client: Client, board: str) -> None:
    assert list_pinned(client, board, ride.bikes[8].pk) == ["Place – Bike 8 Hal Total – not yet played"]


@pytest.mark.usefixtures("scored")
def test_a_script_gets_the_rows_alone_and_not_again_while_nothing_has_changed(
    ride: Ride, client: Client, board: str, add_turn, update_standings
) -> None:
    query = {"mine": str(ride.bikes[4].pk)}
    first = client.get(board, query, headers=HTMX)
    assert "<html" not in get_page_text(first)
    assert 'id="board"' not in get_page_text(first)
    again = client.get(board, query, headers={**HTMX, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")

    add_turn(4, 2, make_paper_turn("sixes", 6))
    update_standings()

    changed = client.get(board, query, headers={**HTMX, "If-None-Match": first.headers["ETag"]})
    assert changed.status_code == 200
    assert "Last turn, Parks: Sixes, 6 points" in get_page_text(changed)


@pytest.mark.usefixtures("scored")
def test_pages_without_ids_are_the_same_for_everyone_and_those_with_them_depend_on_the_address_alone(
    ride: Ride, client: Client, board: str, event_page: str, alice: User
) -> None:
    for url in (board, event_page):
        response = client.get(url)
        assert 'aria-label="My bike" hidden' in get_page_text(response)
        assert "Set-Cookie" not in response.headers
        assert client.cookies == {} or set(client.cookies) <= {"csrftoken"}
        query = {"mine": str(ride.bikes[4].pk)}
        other = Client()
        other.cookies["tailgunner-my-bikes"] = "anything"
        assert client.get(url, query, headers=HTMX).content == other.get(url, query, headers=HTMX).content


@pytest.mark.usefixtures("scored")
def test_several_bikes_are_pinned_in_their_order_each_can_be_removed(ride: Ride, client: Client, board: str) -> None:
    pins = [str(ride.bikes[number].pk) for number in (4, 1)]
    page = get_page_text(client.get(board, {"mine": pins}))

    assert [row.split()[3] for row in list_pinned(client, board, *pins)] == ["4", "1"]
    removal = page.split(f'data-unpin="{pins[0]}"', 1)[1].split("</form>", 1)[0]
    assert re.findall(r'name="mine" value="(.*?)"', removal) == [pins[1]]
    search = page.split('role="search"', 1)[1].split("</form>", 1)[0]
    assert re.findall(r'name="mine" value="(.*?)"', search) == pins


@pytest.mark.usefixtures("scored")
def test_an_address_with_too_many_ids_or_with_none_that_can_be_read_is_answered_kindly(
    ride: Ride, client: Client, board: str, event_page: str
) -> None:
    many = [str(bike.pk) for bike in ride.bikes.values()]
    for url in (board, event_page):
        assert len(list_pinned(client, url, *many)) == MAX_PINNED
        assert "Only the first 5 bikes of this address are pinned." in get_page_text(client.get(url, {"mine": many}))
        for bad in ("", "17", "x" * 10_000, "'; DROP TABLE", "\0"):
            assert list_pinned(client, url, bad) == []
        assert len(list_pinned(client, url, *["x"] * 500, ride.bikes[1].pk)) <= 1


@pytest.mark.usefixtures("scored")
def test_an_unknown_bike_and_one_that_is_not_shown_look_the_same(ride: Ride, client: Client, board: str) -> None:
    freeze_standings(ride.event)
    late = Bike.objects.create(event=ride.event, number=77)
    expected = ["One of your bikes is not on this leaderboard."]

    assert list_pinned(client, board, late.pk) == expected
    assert list_pinned(client, board, uuid4()) == expected


@pytest.mark.usefixtures("scored")
def test_a_bike_that_was_merged_is_the_other_one(ride: Ride, client: Client, board: str) -> None:
    Bike.objects.filter(pk=ride.bikes[8].pk).update(merged_into=ride.bikes[4])

    assert list_pinned(client, board, ride.bikes[8].pk) == list_pinned(client, board, ride.bikes[4].pk)
    assert len(list_pinned(client, board, ride.bikes[4].pk, ride.bikes[8].pk)) == 1


def test_all_sheets_of_a_bike_are_pinned_the_best_first(ride: Ride, client: Client, board: str) -> None:
    contest, rita = make_dice_run(ride), make_actor(ride.rita)
    second = sell(ride, rita, 2)
    roll(ride, rita, ride.bikes[2], 1, 20)
    roll(ride, rita, second, 1, 25)
    refresh_standings(contest.pk)
    url = get_board(contest)

    rows = list_pinned(client, url, ride.bikes[2].pk)

    assert [row.split(" Total")[0] for row in rows] == ["Place 1 Bike 2/2 Ben, Zoe", "Place 2 Bike 2 Ben, Zoe"]
    assert list_pinned(client, url, second.pk) == rows, "also if it was pinned by one of its sheets"


def test_the_page_of_an_event_has_the_places_in_all_contests(
    ride: Ride, client: Client, event_page: str, scored, pig_tables, pig_contest: Contest
) -> None:
    rows = list_pinned(client, event_page, ride.bikes[1].pk)

    assert [row.split(" Place ")[0] for row in rows] == [ride.contest.name, pig_contest.name]
    assert "Place 3 Ann" in rows[1], "the rider of the bike"
    assert list_pinned(client, event_page, Player.objects.get(name="Ann").pk) == rows
    assert list_pinned(client, event_page, ride.bikes[1].pk, part=True) == rows


def test_hands_have_their_words_and_cards_and_no_points(ride: Ride, client: Client) -> None:
    contest, rita = add_poker_run(ride), make_actor(ride.rita)
    draw(contest, rita, ride.bikes[1], 1, "AS")
    draw(contest, rita, ride.bikes[2], 1, "KS")
    refresh_standings(contest.pk)

    (row,) = list_pinned(client, get_board(contest), ride.bikes[2].pk)

    assert row.startswith("Place 2 Bike 2 Ben, Zoe Hand High card, K")
    assert "point" not in row
    assert "Last turn, Ozweld's: K" in row


@pytest.mark.usefixtures("scored")
def test_under_a_freeze_and_in_a_reveal_it_shows_what_the_leaderboard_shows(
    ride: Ride, client: Client, board: str, event_page: str, desk, add_turn, close, update_standings
) -> None:
    pin = ride.bikes[4].pk
    freeze_standings(ride.event)
    frozen = {url: list_pinned(client, url, pin) for url in (board, event_page)}
    add_turn(4, 2, make_paper_turn("sixes", 30))
    update_standings()
    close()
    update_standings()
    assert {url: list_pinned(client, url, pin) for url in frozen} == frozen

    start_reveal(ride.event, [ride.contest])
    reveal_to_step(ride.event, 1)
    (row,) = list_pinned(client, board, pin)
    assert row.startswith("Place 4 Bike 4 Dan Total 20 Place not announced yet Last turn, Ozweld")
    assert "50" not in row

    lift_freeze(ride.event)
    publish_contest(desk, uuid4(), ride.contest.pk, "revealed")
    (row,) = list_pinned(client, board, pin)
    assert row.startswith("Place 1 Bike 4 Dan Total 50")


@pytest.mark.usefixtures("scored")
def test_names_follow_the_events_settings(ride: Ride, client: Client, board: str) -> None:
    Event.objects.update(people_shown="numbers")

    assert "Dan" not in list_pinned(client, board, ride.bikes[4].pk)[0]


@pytest.mark.usefixtures("scored")
def test_a_draft_is_not_found(ride: Ride, client: Client, board: str, event_page: str) -> None:
    Event.objects.update(state="draft")
    for url in (board, event_page):
        assert client.get(url, {"mine": str(ride.bikes[1].pk)}, headers=HTMX).status_code == 404


@pytest.mark.usefixtures("scored")
def test_bikes_of_another_event_are_unknown(ride: Ride, client: Client, board: str, other_event: Event) -> None:
    other = Bike.objects.create(event=other_event, number=4)
    player = Player.objects.create(event=other_event, name="Olga", bike=other)

    for pk in (other.pk, player.pk):
        assert list_pinned(client, board, pk) == ["One of your bikes is not on this leaderboard."]


@pytest.mark.usefixtures("scored")
def test_the_number_of_queries_does_not_depend_on_the_number_of_bikes(ride: Ride, client: Client, board: str) -> None:
    def count(pins: list[UUID]) -> int:
        return count_statements(client, f"{board}?" + "&".join(f"mine={pin}" for pin in pins))

    pins = [ride.bikes[8].pk]
    few = count(pins)
    Bike.objects.bulk_create([Bike(event=ride.event, number=100 + n) for n in range(40)])

    assert count(pins) == few
    assert count([ride.bikes[7].pk, *pins]) == few, "a bike that has not rolled has no scorecard to read"
