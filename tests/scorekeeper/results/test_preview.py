"""The image that previews of links show for published results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from PIL import Image

from scorekeeper.audience.services import freeze_standings, lift_freeze
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.results.preview import Preview, PreviewPlace, draw_preview, is_drawable
from scorekeeper.standings.services.closure import reopen_contest
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.results.test_descriptions import MetaTags

HOST = "http://testserver"
PLACE = PreviewPlace("1", "Bike 5 (Ann)", "Bike 5", "120", "")
PREVIEW = Preview(1, "The ride", "20 June 2026", "Yahtzee", "Official, revision 1", "Total", (PLACE,), "", "")


def list_pages(ride: Ride) -> list[str]:
    return [
        reverse("results:event", args=[ride.event.slug]),
        reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug]),
    ]


def get_tags(url: str) -> dict[str, str]:
    return MetaTags(Client().get(url).content.decode()).contents


def get_image_url(ride: Ride) -> str:
    """Return the address of the image, as the page of the contest has it."""
    return get_tags(list_pages(ride)[1])["og:image"].removeprefix(HOST)


def get_image(url: str, **headers: str) -> Any:
    return Client().get(url, headers=headers)


@pytest.fixture
def publish(ride: Ride, desk: Actor, tied_bikes: None, close, cut) -> Callable[[], Ride]:
    """Close and publish: bikes 1, 2 and 3 were tied for first place; cards decided it."""

    def make() -> Ride:
        close()
        cut({1: "QS", 2: "KS", 3: "2H"})
        publish_contest(desk, uuid4(), ride.contest.pk, "some turns were missed")
        ride.contest.refresh_from_db()
        return ride

    return make


@pytest.fixture
def published(publish: Callable[[], Ride]) -> Ride:
    """The ride with official results."""
    return publish()


@pytest.mark.django_db
def test_every_page_of_results_names_an_image_that_exists(published: Ride) -> None:
    for url in list_pages(published):
        tags = get_tags(url)
        response = get_image(tags["og:image"].removeprefix(HOST))

        with Image.open(BytesIO(response.content)) as image:
            assert (image.format, image.size) == ("PNG", (1200, 630))
        assert response.headers["Content-Type"] == tags["og:image:type"] == "image/png"
        assert (tags["og:image:width"], tags["og:image:height"]) == ("1200", "630")
        assert tags["twitter:card"] == "summary_large_image"
        assert "Official, revision 1: 1 Bike 2 (Ben, Zoe), 24; 2 Bike 1 (Ann), 24; 3 Bike 3" in tags["og:image:alt"]


@pytest.mark.django_db
def test_there_is_no_image_before_publication_nor_after_reopening(published: Ride, desk: Actor) -> None:
    url = get_image_url(published)
    reopen_contest(desk, uuid4(), published.contest.pk, "a card was found")

    assert get_image(url).status_code == 404
    for page in list_pages(published):
        assert "og:image" not in get_tags(page)
        assert "twitter:card" not in get_tags(page)


@pytest.mark.django_db
def test_a_freeze_withholds_the_image_and_the_chart(published: Ride) -> None:
    address, page = get_image_url(published), list_pages(published)[1]
    freeze_standings(published.event)

    assert get_image(address).status_code == 404
    assert all("og:image" not in get_tags(each) for each in list_pages(published))
    assert b"Places over the stops" not in Client().get(page).content

    lift_freeze(published.event)
    assert get_image(address).status_code == 200
    assert b"Places over the stops" in Client().get(page).content


@pytest.mark.django_db
def test_a_draft_has_no_image(published: Ride) -> None:
    url = get_image_url(published)
    Event.objects.update(state=Event.State.DRAFT)

    assert get_image(url).status_code == 404


@pytest.mark.django_db
def test_an_image_is_cached_until_something_in_it_changes(published: Ride) -> None:
    url = get_image_url(published)
    response = get_image(url)

    assert "immutable" in response.headers["Cache-Control"]
    assert get_image(url, **{"If-None-Match": response.headers["ETag"]}).status_code == 304

    Event.objects.update(name="Another name")

    assert get_image_url(published) != url
    moved = get_image(url)
    assert (moved.status_code, moved.headers["Location"]) == (302, get_image_url(published))
    assert moved.headers["Cache-Control"] == "no-cache"


@pytest.mark.django_db
def test_an_erased_name_is_not_in_the_image(published: Ride) -> None:
    url, before = get_image_url(published), get_tags(list_pages(published)[1])["og:image:alt"]
    old = get_image(url).content
    call_command("erase", published.event.slug, "Ann", "--yes")

    assert "Ann" in before
    assert "Ann" not in get_tags(list_pages(published)[1])["og:image:alt"]
    assert get_image(url).status_code == 302
    assert get_image(get_image_url(published)).content != old


@pytest.mark.django_db
@pytest.mark.parametrize(("shown", "entrant"), [("initials", "Bike 1 (A.)"), ("numbers", "Bike 1,")])
def test_names_are_as_public_as_on_the_pages(published: Ride, shown: str, entrant: str) -> None:
    Event.objects.update(people_shown=shown)

    alt = get_tags(list_pages(published)[1])["og:image:alt"]
    assert entrant in alt
    assert "Ann" not in alt


@pytest.mark.django_db
def test_the_image_of_a_practice_says_so(publish: Callable[[], Ride]) -> None:
    Event.objects.update(is_practice=True)
    published = publish()

    assert "Practice: nothing here counts" in get_tags(list_pages(published)[1])["og:image:alt"]
    assert draw_preview(PREVIEW) != draw_preview(replace(PREVIEW, practice="Practice"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann Žižek-O’Brien", True),
        ("Иван", True),
        ("Zoe\u0308", True),
        ("山田", False),
        ("Ann 🏍", False),
        ("علي", False),
    ],
)
def test_it_is_known_what_the_fonts_can_draw(text: str, expected: bool) -> None:
    assert is_drawable(text) is expected


def test_a_bike_goes_by_its_number_if_a_name_cannot_be_drawn() -> None:
    foreign, short = replace(PLACE, entrant="Bike 5 (山田)"), replace(PLACE, entrant="Bike 5")

    assert draw_preview(replace(PREVIEW, places=(foreign,))) == draw_preview(replace(PREVIEW, places=(short,)))


def test_long_texts_stay_within_the_image() -> None:
    long = replace(
        PLACE, entrant="Bike 57 (" + "Maximilian Featherstonehaugh, " * 9 + ")", total="-123456789", cards="x" * 300
    )
    preview = replace(PREVIEW, event="W" * 120, contest="W" * 120, places=(long,) * 3, more="and 12 more")

    with Image.open(BytesIO(draw_preview(preview))) as image:
        plain = image.convert("RGB")
        edges = {plain.getpixel((x, y)) for x in (20, 1180) for y in range(130, 620)}
    assert len(edges) == 1
    assert (len(draw_preview(preview))) < 100_000


def test_everything_the_image_says_is_in_its_digest() -> None:
    texts = ("event", "date", "contest", "official", "total_label", "more", "practice")
    values: dict[str, Any] = dict.fromkeys(texts, "another")
    values |= {"revision": 2, "places": (replace(PLACE, entrant="Bike 6"),)}
    digests = {replace(PREVIEW, **{name: value}).digest for name, value in values.items()}

    assert values.keys() == {field.name for field in fields(Preview)}
    assert len(digests - {PREVIEW.digest}) == len(values)
