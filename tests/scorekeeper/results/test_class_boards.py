"""What the public sees of classes: boards, the page of a bike, the API, and nothing new during a freeze."""

from __future__ import annotations

import csv
import io
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.audience.services import freeze_standings
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.class_settings import add_class
from scorekeeper.players.models import ClassMember, EventClass
from scorekeeper.scorecards.services.class_changes import ClassChange
from scorekeeper.standings.services.class_corrections import correct_classes
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.conftest import add_turn, desk, make_paper_turn
from tests.scorekeeper.standings.conftest import tied_bikes

__all__ = ["add_turn", "desk", "tied_bikes"]

pytestmark = pytest.mark.usefixtures("tied_bikes")


@pytest.fixture
def ladies(ride: Ride, tied_bikes: None) -> EventClass:
    """Bikes 2, 3 and 4 are in it."""
    ride.event.state = "open"
    ride.event.save()
    made = add_class(ride.event, "Ladies")
    ClassMember.objects.bulk_create([ClassMember(event_class=made, bike=ride.bikes[n]) for n in (2, 3, 4)])
    refresh_standings(ride.contest.pk)
    return made


def get_board_url(ride: Ride, event_class: EventClass) -> str:
    return reverse("results:class_board", args=[ride.event.slug, ride.contest.slug, event_class.pk])


def test_the_leaderboard_links_to_each_class_whose_board_has_places_of_its_own(
    ride: Ride, ladies: EventClass, client: Client
) -> None:
    whole = client.get(reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug]))
    url = get_board_url(ride, ladies)
    assert f'href="{url}"' in whole.content.decode()

    board = client.get(url)

    assert [(row.row.rank_label, row.row.number) for row in board.context["rows"]] == [
        ("1=", "2"),
        ("1=", "3"),
        ("3", "4"),
    ]
    assert f'href="../../bikes/{ride.bikes[2].pk}/"' in board.content.decode()
    assert client.get(url, headers={"HX-Request": "true"}).status_code == 200
    assert client.get(get_board_url(ride, ladies).replace(str(ladies.pk), str(uuid4()))).status_code == 404
    assert (
        client.get(reverse("live:class_board", args=[ride.event.slug, ride.contest.slug, ladies.pk])).status_code == 204
    )


def test_the_page_of_a_bike_has_its_place_in_each_class(ride: Ride, ladies: EventClass, client: Client) -> None:
    page = client.get(reverse("results:bike", args=[ride.event.slug, ride.contest.slug, ride.bikes[4].pk]))
    assert "Ladies: place 3" in get_visible_text(page)
    other = client.get(reverse("results:bike", args=[ride.event.slug, ride.contest.slug, ride.bikes[1].pk]))
    assert "Ladies" not in get_visible_text(other)


def test_the_api_has_the_classes_of_each_row_and_the_rows_of_each_class(
    ride: Ride, ladies: EventClass, client: Client
) -> None:
    url = reverse("api:standings", args=[ride.event.slug, ride.contest.slug])
    data = client.get(url).json()
    assert data["classes"] == [{"id": str(ladies.pk), "name": "Ladies"}]
    of_four = next(row for row in data["standings"] if row["number"] == "4")
    assert of_four["classes"] == [{"id": str(ladies.pk), "name": "Ladies", "rank": 3, "level": False, "place": "3"}]

    narrowed = client.get(url, {"class": str(ladies.pk)}).json()
    assert [(row["place"], row["number"]) for row in narrowed["standings"]] == [("1=", "2"), ("1=", "3"), ("3", "4")]
    assert client.get(url, {"class": str(uuid4())}).status_code == 404
    assert client.get(url, {"class": "ladies"}).status_code == 400
    whole = reverse("api:results", args=[ride.event.slug, ride.contest.slug])
    assert client.get(whole).json()["classes"] == [{"id": str(ladies.pk), "name": "Ladies"}]


def test_an_event_without_classes_has_no_such_fields(ride: Ride, client: Client) -> None:
    ride.event.state = "open"
    ride.event.save()
    refresh_standings(ride.contest.pk)
    data = client.get(reverse("api:standings", args=[ride.event.slug, ride.contest.slug])).json()
    assert "classes" not in data
    assert all("classes" not in row for row in data["standings"])


def test_a_correction_during_a_freeze_changes_no_byte_that_the_public_gets(
    ride: Ride, ladies: EventClass, client: Client, desk: Actor, add_turn: Any
) -> None:
    freeze_standings(ride.event)
    slugs = [ride.event.slug, ride.contest.slug]
    urls = [
        get_board_url(ride, ladies),
        reverse("results:leaderboard", args=slugs),
        reverse("results:bike", args=[*slugs, ride.bikes[2].pk]),
        reverse("api:standings", args=slugs),
        f"{reverse('api:standings', args=slugs)}?class={ladies.pk}",
        reverse("results:export", args=[*slugs, "export.csv"]),
        f"{reverse('results:export', args=[*slugs, 'export.csv'])}?class={ladies.pk}",
        reverse("results:export", args=[*slugs, "export.json"]),
    ]

    def read() -> list[bytes]:
        found = []
        for url in urls:
            response: Any = client.get(url)
            content = b"".join(response.streaming_content) if response.streaming else response.content
            # The time of the page is in every page.
            found.append(
                b"\n".join(line for line in content.splitlines() if b"data-now" not in line and b"<time" not in line)
            )
        return found

    before = read()
    changes = [
        ClassChange("bike", ride.bikes[2].pk, frozenset([ladies.pk]), frozenset()),
        ClassChange("bike", ride.bikes[5].pk, frozenset(), frozenset([ladies.pk])),
    ]
    correct_classes(desk, uuid4(), changes, "they swapped bikes")
    add_turn(2, 2, make_paper_turn("aces", 3), by=desk, reason="later")
    refresh_standings(ride.contest.pk)

    assert read() == before


def read_file(response: Any) -> str:
    assert response.status_code == 200
    return str(response.getvalue().decode("utf-8-sig"))


def test_the_standings_of_a_class_are_a_file_that_says_so(
    ride: Ride, ladies: EventClass, client: Client, sign_in: SignIn, alice: User
) -> None:
    organiser = sign_in(alice)
    slugs = [ride.event.slug, ride.contest.slug]
    url = f"{reverse('results:export', args=[*slugs, 'export.csv'])}?class={ladies.pk}"
    assert f'href="{url}"' in client.get(get_board_url(ride, ladies)).content.decode()

    response = client.get(url)

    name = f"{ride.event.slug}-{ride.contest.slug}-class-ladies-standings.csv"
    assert f'filename="{name}"' in response.headers["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(read_file(response))))
    assert [(row["Class"], row["Place"], row["Bike"]) for row in rows] == [
        ("Ladies", "1=", "2"),
        ("Ladies", "1=", "3"),
        ("Ladies", "3", "4"),
    ]
    assert not any(heading.startswith("Place in") for heading in rows[0])

    desk_url = f"{reverse('results:desk_export', args=[*slugs, 'export-semicolons.csv'])}?class={ladies.pk}"
    theirs = organiser.get(desk_url)
    assert "class-ladies-standings-semicolons.csv" in theirs.headers["Content-Disposition"]
    assert read_file(theirs).startswith("Class;Place;Bike;")
    finish = reverse("desk:finish", args=slugs)
    assert f"export.csv?class={ladies.pk}" in organiser.get(finish).content.decode()


@pytest.mark.parametrize("file", ["cards.csv", "export.json", "export.xlsx"])
def test_only_standings_are_a_file_of_a_class(ride: Ride, ladies: EventClass, client: Client, file: str) -> None:
    url = reverse("results:export", args=[ride.event.slug, ride.contest.slug, file])
    assert client.get(url, {"class": str(ladies.pk)}).status_code == 404


@pytest.mark.parametrize("wanted", ["ladies", "", "00000000-0000-4000-8000-000000000000"])
def test_a_class_that_there_is_not_has_no_file(ride: Ride, ladies: EventClass, client: Client, wanted: str) -> None:
    url = reverse("results:export", args=[ride.event.slug, ride.contest.slug, "export.csv"])
    assert client.get(url, {"class": wanted}).status_code == 404


def test_a_class_with_a_name_in_other_letters_has_a_file_with_a_plain_name(
    ride: Ride, ladies: EventClass, client: Client
) -> None:
    EventClass.objects.filter(pk=ladies.pk).update(name="Дамы/\r")
    refresh_standings(ride.contest.pk)
    url = reverse("results:export", args=[ride.event.slug, ride.contest.slug, "export.csv"])
    name = client.get(url, {"class": str(ladies.pk)}).headers["Content-Disposition"]
    assert name.isascii()
    assert name.endswith('standings.csv"')
