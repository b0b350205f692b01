"""`/events/<slug>/<contest>/`: the public leaderboard."""

from __future__ import annotations

import io
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from scorekeeper.audience.services import freeze_standings, lift_freeze, reveal_to_step, start_reveal
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.players.models import Player
from scorekeeper.scorecards.services.review import decide_review
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text, get_visible_text, strip_times
from tests.scorekeeper.scorecards.conftest import make_paper_turn
from tests.scorekeeper.statements import count_statements

pytestmark = pytest.mark.database


@pytest.fixture
def url(ride: Ride) -> str:
    return reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])


def text(client: Client, url: str, **headers: str) -> str:
    return client.get(url, headers=headers).content.decode()


@pytest.mark.usefixtures("tied_bikes")
def test_it_shows_places_bikes_riders_turns_and_totals(client: Client, url: str, update_standings) -> None:
    update_standings()

    page = " ".join(text(client, url).split())

    assert page.count("<td>1=</td>") == 3
    assert "Ben, Zoe" in page
    assert "1/5</td>" in page
    assert "Unofficial, " in page
    assert "not yet played" in page


@pytest.mark.usefixtures("tied_bikes")
def test_the_fragment_is_the_board_of_the_page(client: Client, url: str, update_standings) -> None:
    update_standings()

    fragment = text(client, url, **{"HX-Request": "true"})

    assert "<html" not in fragment
    assert strip_times(fragment) in strip_times(text(client, url))


@pytest.mark.usefixtures("tied_bikes")
def test_an_unchanged_board_is_not_sent_again(ride: Ride, client: Client, url: str, update_standings, add_turn) -> None:
    update_standings()
    htmx = {"HX-Request": "true"}
    etag = client.get(url, headers=htmx).headers["ETag"]

    unchanged = client.get(url, headers={**htmx, "If-None-Match": etag})
    assert (unchanged.status_code, unchanged.content) == (304, b"")

    add_turn(4, 2, make_paper_turn("sixes", 30))
    update_standings()
    changed = client.get(url, headers={**htmx, "If-None-Match": etag})
    assert changed.status_code == 200

    Player.objects.filter(name="Ann").update(name="Anna")
    renamed = client.get(url, headers={**htmx, "If-None-Match": changed.headers["ETag"]})
    assert renamed.status_code == 200


def test_without_javascript_the_page_refreshes_itself(client: Client, url: str) -> None:
    assert '<noscript><meta http-equiv="refresh" content="10"></noscript>' in text(client, url)


@pytest.mark.usefixtures("tied_bikes")
@pytest.mark.parametrize(
    ("shown", "seen", "unseen"),
    [("names", ["Ann", "Zoe"], []), ("initials", ["A.", "Z."], ["Ann", "Zoe"]), ("numbers", [], ["Ann", "Zoe", "A."])],
)
def test_names_follow_the_events_settings(
    ride: Ride, client: Client, url: str, update_standings, shown: str, seen: list[str], unseen: list[str]
) -> None:
    update_standings()
    Event.objects.update(people_shown=shown)

    page = text(client, url)

    assert [word for word in seen if word not in page] == []
    assert [word for word in unseen if word in page] == []


@pytest.mark.usefixtures("tied_bikes")
def test_a_tied_first_place_names_the_next_step_once_the_contest_is_closed(
    client: Client, url: str, close, cut, update_standings
) -> None:
    """ROCK-19"""
    close()
    update_standings()
    assert text(client, url).count("cards to be cut") == 3

    cut({1: "QS", 2: "KH", 3: "KD"})
    update_standings()
    page = text(client, url)
    assert page.count("cut again") == 2
    assert "Cut cards: queen of spades" in page


@pytest.mark.usefixtures("tied_bikes")
def test_an_official_board_shows_the_revision_and_no_later_entries(
    ride: Ride, client: Client, url: str, desk, close, cut, update_standings, add_turn
) -> None:
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    publish_contest(desk, uuid4(), ride.contest.pk)
    assert "Official, revision 1, " in text(client, url)

    add_turn(4, 2, make_paper_turn("sixes", 30), by=desk, reason="found in a pocket")
    decide_review(desk, uuid4(), ReviewItem.objects.get().pk, "apply", "found in a pocket")
    update_standings()

    page = text(client, url)
    assert "The organiser is checking a correction" in page
    assert "ready to publish" not in page
    assert ">50<" not in page


def test_missed_turns_are_not_counted_as_turns(
    ride: Ride, client: Client, url: str, desk, close, add_turn, update_standings
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 24))
    add_turn(1, 2, make_paper_turn("sixes", 18))
    add_turn(2, 1, make_paper_turn("chance", 20))
    close()
    update_standings()
    screen = reverse("live:screen", args=[ride.event.slug])

    def check(seen: str) -> None:
        for page in (url, screen):
            shown = get_visible_text(client.get(page))
            assert "Ann 3 turns missed" in shown.replace("Ann3", "Ann 3"), (seen, page)
            assert "2/5" in shown, (seen, page)
            assert "4 turns missed" in shown, (seen, page)
            assert "5/5" not in shown, (seen, page)

    check("closed")
    freeze_standings(ride.event)
    check("frozen")
    start_reveal(ride.event, [ride.contest])
    reveal_to_step(ride.event, 1)
    assert "4 turns missed" in get_visible_text(client.get(url)), "announced"
    lift_freeze(ride.event)
    publish_contest(desk, uuid4(), ride.contest.pk, "some turns were missed")
    check("official")
    pdf = client.get(reverse("prints:public_file", args=[ride.event.slug, ride.contest.slug, "standings"]))
    assert "3 turns missed" in PdfReader(io.BytesIO(pdf.content)).pages[0].extract_text()


def test_a_board_without_rolls_says_so(client: Client, ride: Ride, url: str) -> None:
    Bike.objects.all().update(merged_into=ride.bikes[1])
    assert "Nobody has played yet" in text(client, url)


def test_a_draft_is_not_found(ride: Ride, client: Client, url: str) -> None:
    Event.objects.update(state="draft")
    assert client.get(url).status_code == 404


def test_the_number_of_queries_does_not_depend_on_the_number_of_bikes(
    ride: Ride, client: Client, url: str, tied_bikes, update_standings
) -> None:
    def statements() -> int:
        return count_statements(client, url)

    update_standings()
    few = statements()
    made = Bike.objects.bulk_create([Bike(event=ride.event, number=100 + n) for n in range(40)])
    Player.objects.bulk_create([Player(event=ride.event, name=f"Rider {n}", bike=bike) for n, bike in enumerate(made)])

    assert statements() == few


@pytest.mark.parametrize(
    ("name", "has_line"),
    [
        ("Ann", False),
        ("Nell Nordstrom, Edie", False),
        ("Featherstonehaugh", True),
        ("Al Bo Cy Di Ed Flo Gus Hal Ida Jo", True),
        ("Anne-Marie", False),
    ],
)
@pytest.mark.usefixtures("tied_bikes")
def test_a_long_name_has_a_line_of_its_own_on_a_phone(
    ride: Ride, client: Client, update_standings, name: str, has_line: bool
) -> None:
    Player.objects.filter(name="Ann").update(name=name)
    update_standings()

    page = get_page_text(client.get(reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])))

    assert (f'<td class="is-long">{name}' in page) is has_line
    assert name in page
