"""The public page of an event: an invitation, the podium once it is public, and nothing that is not."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from scorekeeper.audience.services import freeze_standings, lift_freeze
from scorekeeper.event_page.gpx import read_gpx
from scorekeeper.event_page.models import EventPage, EventSponsor, PosterImage, ProgrammeItem, RouteTrack
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.services import PrizeSettings, add_prize
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.stops.models import Stop
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.event_page_rows import fill_page
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.results.conftest import add_turn, close, cut, desk, tied_bikes, update_standings

__all__ = ["add_turn", "close", "cut", "desk", "tied_bikes", "update_standings"]
pytestmark = pytest.mark.django_db


def read(event: Event) -> str:
    return get_page_text(Client().get(reverse("results:event", args=[event.slug])))


@pytest.fixture
def published(ride: Ride, desk: Actor, tied_bikes: None, close, cut) -> Ride:
    """The ride with official results and a prize for the first place."""
    cup = PrizeSettings(ride.contest, "The Cup", "Acme", Prize.Rule.PLACE, place=1)
    add_prize(desk, ride.event, uuid4(), cup)
    close()
    cut({1: "QS", 2: "KS", 3: "2H"})
    publish_contest(desk, uuid4(), ride.contest.pk, "some turns were missed")
    ride.contest.refresh_from_db()
    return ride


def test_an_event_without_any_of_it_has_its_name_its_date_and_its_contests(ride: Ride) -> None:
    Stop.objects.update(address="")
    page = read(ride.event)
    assert f'<h1 itemprop="name">{ride.event.name}</h1>' in page
    assert "R.O.C.K. Yahtzee" in page
    for word in ("Programme", "What to bring", "Questions?", "With thanks to", "<img"):
        assert word not in page


def test_everything_that_organisers_enter_is_there(ride: Ride) -> None:
    fill_page(ride.event)
    page = read(ride.event)
    image = PosterImage.objects.order_by("width").last()
    assert image is not None

    assert "<h2>Welcome</h2>" in page
    assert f'src="/events/{ride.event.slug}/poster/{image.pk}/"' in page
    assert 'alt="A tail-light"' in page
    assert f"{image.width}w" in page
    assert "Sign-on" in page
    assert "Rain gear" in page
    assert 'href="tel:+14035550133"' in page
    assert 'href="https://garage.example" rel="nofollow ugc noopener noreferrer"' in page
    assert "1.2 mi" in page
    assert f'href="/events/{ride.event.slug}/route.gpx"' in page
    assert 'itemtype="https://schema.org/Event"' in page


def test_nothing_is_fetched_from_another_host(ride: Ride) -> None:
    fill_page(ride.event)
    EventPage.objects.update(text="![x](https://evil.example/x.png) <img src=https://evil.example/y.png>")
    page = read(ride.event)
    assert 'src="http' not in page
    assert "url(http" not in page


def test_a_draft_shows_none_of_it(ride: Ride) -> None:
    fill_page(ride.event)
    image = PosterImage.objects.first()
    assert image is not None
    addresses = [
        reverse("results:event", args=[ride.event.slug]),
        reverse("event_page:poster_image", args=[ride.event.slug, image.pk]),
        reverse("event_page:gpx", args=[ride.event.slug]),
        reverse("results:route", args=[ride.event.slug]),
    ]
    assert [Client().get(address).status_code for address in addresses] == [200] * 4
    Event.objects.update(state=Event.State.DRAFT)
    assert [Client().get(address).status_code for address in addresses] == [404] * 4


def test_the_poster_of_another_event_and_one_that_is_no_picture_are_not_found(ride: Ride, event: Event) -> None:
    fill_page(ride.event)
    image = PosterImage.objects.first()
    assert image is not None
    other = Event.objects.create(name="Other", slug="other", date=dt.date(2026, 1, 1), state=Event.State.OPEN)
    assert Client().get(reverse("event_page:poster_image", args=[other.slug, image.pk])).status_code == 404
    PosterImage.objects.update(content=b"<svg onload=hi(1)>")
    assert Client().get(reverse("event_page:poster_image", args=[ride.event.slug, image.pk])).status_code == 404


def test_the_route_is_downloaded_as_gpx_and_not_again_while_it_is_the_same(ride: Ride) -> None:
    fill_page(ride.event)
    Stop.objects.filter(event=ride.event, ordinal=2).update(latitude="51.05", longitude="-114.02")
    address = reverse("event_page:gpx", args=[ride.event.slug])
    response = Client().get(address)

    assert response.headers["Content-Type"] == "application/gpx+xml"
    assert response.headers["Content-Disposition"] == f'attachment; filename="{ride.event.slug}-route.gpx"'
    file = read_gpx(response.content)
    assert [one.name for one in file.waypoints] == ["Parks"]
    assert len(file.points) == 3
    assert Client().get(address, headers={"If-None-Match": response.headers["ETag"]}).status_code == 304
    Stop.objects.filter(event=ride.event, ordinal=2).update(name="New Parks")
    assert Client().get(address, headers={"If-None-Match": response.headers["ETag"]}).status_code == 200


def test_without_any_place_there_is_no_file_and_no_link_to_one(ride: Ride) -> None:
    assert Client().get(reverse("event_page:gpx", args=[ride.event.slug])).status_code == 404
    assert "route.gpx" not in read(ride.event)
    RouteTrack.objects.create(event=ride.event, points="damaged", length=1)
    assert Client().get(reverse("event_page:gpx", args=[ride.event.slug])).status_code == 404


def test_the_route_says_how_far_it_is_if_every_part_is_known(ride: Ride) -> None:
    route = reverse("results:route", args=[ride.event.slug])
    for stop in Stop.objects.filter(event=ride.event, ordinal__gt=1):
        Stop.objects.filter(pk=stop.pk).update(distance=10_000 * stop.ordinal)
    page = get_page_text(Client().get(route))
    assert "20 km from the stop before" in page
    assert "90 km" in page
    Stop.objects.filter(event=ride.event, ordinal=3).update(distance=None)
    assert "90 km" not in get_page_text(Client().get(route))
    assert "60 km" not in get_page_text(Client().get(route))


def test_before_the_ride_the_programme_comes_first_and_from_its_day_on_the_contests(ride: Ride) -> None:
    fill_page(ride.event)
    Event.objects.update(date=dt.date(2036, 6, 20))
    page = read(ride.event)
    assert page.index("Sign-on") < page.index("R.O.C.K. Yahtzee")
    Event.objects.update(date=dt.date(2020, 6, 20))
    page = read(ride.event)
    assert page.index("R.O.C.K. Yahtzee") < page.index("Sign-on")


def test_see_you_next_year_is_said_once_the_ride_is_over(ride: Ride) -> None:
    EventPage.objects.create(event=ride.event, next_date=dt.date(2037, 6, 20))
    Event.objects.update(date=dt.date(2036, 6, 21))
    assert "See you next year" not in read(ride.event)
    Event.objects.update(date=dt.date(2020, 6, 20))
    assert "See you again: Saturday, " in read(ride.event)
    EventPage.objects.update(next_date=dt.date(2021, 6, 19))
    assert "See you next year: Saturday, " in read(ride.event)


def test_the_podium_has_the_first_three_and_their_prizes_once_it_is_public(published: Ride, desk: Actor) -> None:
    page = read(published.event)

    assert "Congratulations" in page
    assert "winners__step--1" in page
    podium = page[page.index("Congratulations") : page.index("Picture to share")]
    assert podium.index("Bike 2 (Ben, Zoe)") < podium.index("The Cup") < podium.index("Bike 1 (Ann)")
    assert "Given by Acme" in podium
    assert "preview-1-" in page, "the picture to share"


def test_a_freeze_withholds_the_podium_byte_for_byte(
    ride: Ride, desk: Actor, tied_bikes: None, close: Callable[[], object], cut: Callable[..., object]
) -> None:
    fill_page(ride.event)
    freeze_standings(ride.event)
    before = read(ride.event)
    close()
    cut({1: "QS", 2: "KS", 3: "2H"})
    publish_contest(desk, uuid4(), ride.contest.pk, "some turns were missed")

    def strip(page: str) -> str:
        import re

        return re.sub(r"\d\d:\d\d:\d\d|<time[^>]*>", "", page)

    assert strip(read(ride.event)) == strip(before)
    assert "Congratulations" not in before
    lift_freeze(ride.event)
    assert "Congratulations" in read(ride.event)


def test_links_to_the_page_have_the_poster_until_there_is_a_podium(published: Ride, ride: Ride) -> None:
    fill_page(ride.event)
    assert 'property="og:image:type" content="image/png"' in read(ride.event)
    assert "preview-1-" in read(ride.event)


def test_the_beginning_of_the_text_is_what_search_engines_show(ride: Ride) -> None:
    EventPage.objects.create(event=ride.event, text='# A & "B"\n\n' + "word " * 100)
    page = Client().get(reverse("results:event", args=[ride.event.slug])).content.decode()
    content = page.partition('<meta name="description" content="')[2].partition('"')[0]
    assert "A &amp; &quot;B&quot; word" in content
    assert "&amp;amp;" not in content
    assert len(content) < 230


def test_an_event_page_takes_as_many_statements_with_all_of_it_as_with_little(ride: Ride, settings: Settings) -> None:
    fill_page(ride.event)

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            read(ride.event)
        return len(queries)

    count()
    few = count()
    for number in range(9):
        ProgrammeItem.objects.create(event=ride.event, text=f"Point {number}")
        EventSponsor.objects.create(event=ride.event, position=5 + number, name=f"Sponsor {number}")
    assert count() == few


def test_organisers_see_the_page_of_a_draft_with_its_poster(ride: Ride, alice, sign_in, client: Client) -> None:
    fill_page(ride.event)
    Event.objects.update(state=Event.State.DRAFT)
    browser = sign_in(alice)
    page = get_page_text(browser.get(reverse("results:event_preview", args=[ride.event.slug])))
    image = PosterImage.objects.first()
    assert image is not None
    own = reverse("event_page:desk_poster", args=[ride.event.slug, image.pk])
    assert own in page
    assert "sse-connect" not in page
    assert browser.get(own).content == bytes(image.content)
    assert client.get(own).status_code == 302
