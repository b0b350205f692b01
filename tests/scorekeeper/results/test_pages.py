"""`/`, `/events/<slug>/` and the pages of bikes."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.scorecards.services.review import decide_review
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.conftest import make_final_turn, make_paper_turn
from tests.scorekeeper.statements import count_statements


def text(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


@pytest.fixture
def bike_url(ride: Ride) -> str:
    return reverse("results:bike", args=[ride.event.slug, ride.contest.slug, ride.bikes[1].pk])


def test_the_home_page_lists_only_listed_open_events(ride: Ride, client: Client, other_event: Event) -> None:
    assert "Rock the Roll" not in text(client, "/")

    Event.objects.update(is_listed=True)
    assert "Rock the Roll" in text(client, "/")

    Event.objects.filter(pk=ride.event.pk).update(state="draft")
    assert "Rock the Roll" not in text(client, "/")
    assert "Charlie&#x27;s run" in text(client, "/")


def test_the_home_page_links_to_sign_in_or_to_my_events(client: Client, alice: User, sign_in) -> None:
    assert "Sign in as an organiser" in text(client, "/")
    assert "My events" in text(sign_in(alice), "/")


def test_an_event_that_is_not_listed_is_found_by_its_link(ride: Ride, client: Client) -> None:
    page = text(client, reverse("results:event", args=[ride.event.slug]))

    assert "As of <time" in page
    assert reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug]) in page
    assert "Open" in page


def test_a_draft_and_an_unknown_url_are_not_found(ride: Ride, client: Client, bike_url: str) -> None:
    Event.objects.update(state="draft")
    for url in (reverse("results:event", args=[ride.event.slug]), bike_url, "/events/nothing/", "/events/no/thing/"):
        assert client.get(url).status_code == 404


def test_a_bikes_page_shows_every_box_and_where_each_turn_was_rolled(client: Client, bike_url: str, add_turn) -> None:
    """ROCK-18"""
    add_turn(1, 1, make_final_turn([6, 6, 6, 6, 6], "yahtzee"))
    add_turn(1, 3, make_final_turn([6, 6, 6, 6, 6], "yahtzee"))
    add_turn(1, 2, make_final_turn([1, 2, 3, 4, 5], "large_straight"))

    page = get_visible_text(client.get(bike_url))

    for label in ("Aces", "Sixes", "Three of a kind", "Full house", "Chance", "Bonus", "Grand total"):
        assert label in page
    assert "Yahtzee Ozweld's, BBQ 100" in page
    assert "Large straight Parks 40" in page
    assert "Grand total 140" in page


def test_every_line_of_a_scorecard_links_to_its_clause(ride: Ride, client: Client, bike_url: str) -> None:
    """ROCK-12"""
    lines = re.findall(r'<th scope="row"><a href="([^"#]+)#([A-Z]+-\d+)">([^<]+)</a>', text(client, bike_url))

    assert len(lines) == text(client, bike_url).count('<th scope="row">')
    assert ("ROCK-12", "Small straight") in [(rule, label) for _, rule, label in lines]
    assert {page for page, _, _ in lines} == {reverse("rulebooks:book", args=[ride.contest.game_key])}
    book = text(client, lines[0][0])
    assert [rule for _, rule, _ in lines if f'id="{rule}"' not in book] == []


def test_a_bike_that_has_not_rolled_has_an_empty_scorecard(client: Client, bike_url: str) -> None:
    page = text(client, bike_url)
    assert "This bike has not played yet." in page
    assert "Grand total" in page


def test_the_scorecard_of_an_official_contest_is_the_published_one(
    ride: Ride, client: Client, bike_url: str, desk, close, add_turn
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    close()
    publish_contest(desk, uuid4(), ride.contest.pk)
    add_turn(1, 2, make_paper_turn("sixes", 30))
    decide_review(desk, uuid4(), ReviewItem.objects.get().pk, "apply", "late")

    page = text(client, bike_url)

    assert "Official, revision 1, " in page
    assert "The organiser is checking a correction" in page
    assert '<td class="num">20</td>' in page
    assert '<td class="num">50</td>' not in page


def test_an_open_page_of_a_bike_gets_its_scorecard_again_once_it_has_changed(
    client: Client, bike_url: str, add_turn
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    part = client.get(bike_url, headers={"HX-Request": "true"})
    assert part.content.startswith(b'\n<div class="stack" id="card" data-live ')
    version = part.headers["ETag"]
    assert f"data-version={version}" in part.content.decode()
    assert f"data-version={version}" in text(client, bike_url)

    again = {"HX-Request": "true", "If-None-Match": version}
    assert client.get(bike_url, headers=again).status_code == 304
    add_turn(1, 2, make_paper_turn("sixes", 30))
    assert '<td class="num">50</td>' in client.get(bike_url, headers=again).content.decode()


def test_a_merged_bike_redirects_to_the_bike_it_was_merged_into(ride: Ride, client: Client, bike_url: str) -> None:
    Bike.objects.filter(pk=ride.bikes[1].pk).update(merged_into=ride.bikes[2])
    assert client.get(bike_url).headers["Location"].endswith(f"{ride.bikes[2].pk}/")


def test_a_bike_of_another_event_is_not_found(ride: Ride, client: Client, other_event: Event) -> None:
    other = Bike.objects.create(event=other_event, number=1)
    url = reverse("results:bike", args=[ride.event.slug, ride.contest.slug, other.pk])
    assert client.get(url).status_code == 404


@pytest.mark.parametrize(("shown", "name"), [("names", "Ann"), ("initials", "A."), ("numbers", "")])
def test_names_follow_the_events_settings(client: Client, bike_url: str, shown: str, name: str) -> None:
    Event.objects.update(people_shown=shown)
    page = text(client, bike_url)
    assert name in page
    assert ("Ann" in page) is (name == "Ann")


def test_the_number_of_queries_does_not_depend_on_the_number_of_bikes(
    ride: Ride, client: Client, bike_url: str, add_turn
) -> None:
    def statements() -> int:
        refresh_standings(ride.contest.pk)
        return count_statements(client, bike_url)

    add_turn(1, 1, make_paper_turn("chance", 20))
    few = statements()
    for number in (2, 3, 4):
        add_turn(number, 1, make_paper_turn("chance", 20))
    assert statements() == few
