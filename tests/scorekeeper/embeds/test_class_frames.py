"""The frame with the board of a class, its oEmbed and its snippet. Bikes 2, 3 and 5 are in the class."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from scorekeeper.audience.services import freeze_standings, reveal_to_step, start_reveal
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.class_settings import add_class
from scorekeeper.players.models import ClassMember, EventClass
from scorekeeper.scorecards.services.class_changes import ClassChange
from scorekeeper.standings.services.class_corrections import correct_classes
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.embeds.conftest import change_event, get_board_url
from tests.scorekeeper.embeds.test_frames import get, publish, weigh
from tests.scorekeeper.embeds.test_snippets import list_snippets
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.conftest import make_paper_turn

pytestmark = pytest.mark.django_db

AddTurn = Callable[..., Any]
BASE = "https://rides.example.org"


@pytest.fixture
def ladies(
    ride: Ride, add_turn: AddTurn, desk: Actor, update_standings: Callable[[], object], settings: Settings
) -> EventClass:
    settings.BASE_URL = BASE
    for number, points in {1: 30, 2: 10, 3: 20, 5: 5}.items():
        add_turn(number, 1, make_paper_turn("chance", points), by=desk, reason="from the paper cards")
    made = add_class(ride.event, "Ladies")
    ClassMember.objects.bulk_create([ClassMember(event_class=made, bike=ride.bikes[n]) for n in (2, 3, 5)])
    update_standings()
    return made


def get_class_url(ride: Ride, event_class: EventClass, query: str = "") -> str:
    return get_board_url(ride, f"classes/{event_class.pk}/{query}")


def list_rows(response: Any) -> list[tuple[str, str]]:
    """Return the place and the number of each row."""
    return re.findall(r"<td>(\d+=?|–)</td> <th scope=\"row\"><a [^>]*>(\d+)</a></th>", get_page_text(response))


def test_the_frame_has_the_places_in_the_class_and_links_to_its_pages(ride: Ride, ladies: EventClass) -> None:
    response = get(get_class_url(ride, ladies, "?rows=2"))

    assert list_rows(response) == [("1", "3"), ("2", "2")]
    page = get_page_text(response)
    assert "<title>Ladies · R.O.C.K. Yahtzee · Rock the Roll</title>" in page
    assert "R.O.C.K. Yahtzee · Ladies</a></h1>" in page
    assert "The leaderboard with all 3 rows" in page
    addresses = re.findall(r'href="(/events/[^"]*)"', page)
    whole = f"/events/{ride.event.slug}/{ride.contest.slug}/"
    assert addresses == [
        f"{whole}classes/{ladies.pk}/",
        *(f"{whole}bikes/{ride.bikes[number].pk}/" for number in (3, 2)),
        f"{whole}classes/{ladies.pk}/",
    ]
    assert [get(address).status_code for address in addresses] == [200] * 4
    assert weigh(get_class_url(ride, ladies)) < weigh(get_board_url(ride)) + 100


def test_an_unchanged_frame_is_not_sent_again_and_another_name_or_turn_is(
    ride: Ride, ladies: EventClass, add_turn: AddTurn, update_standings: Callable[[], object]
) -> None:
    url = get_class_url(ride, ladies)
    etag = get(url).headers["ETag"]
    assert etag != get(get_board_url(ride)).headers["ETag"]
    assert get(url, **{"If-None-Match": etag}).status_code == 304

    EventClass.objects.update(name="Women")
    renamed = get(url, **{"If-None-Match": etag})
    assert renamed.status_code == 200
    assert "· Women</a></h1>" in get_page_text(renamed)

    add_turn(2, 2, make_paper_turn("sixes", 18))
    update_standings()
    changed = get(url, **{"If-None-Match": renamed.headers["ETag"]})
    assert list_rows(changed)[0] == ("1", "2")


def test_a_frozen_frame_stays_as_it_is_and_is_empty_during_the_reveal(
    ride: Ride,
    ladies: EventClass,
    desk: Actor,
    add_turn: AddTurn,
    update_standings: Callable[[], object],
    close: Callable[[], object],
) -> None:
    url = get_class_url(ride, ladies)
    freeze_standings(ride.event)
    frozen = get(url)
    assert "Standings frozen" in get_page_text(frozen)

    add_turn(2, 2, make_paper_turn("sixes", 18))
    moved = ClassChange("bike", ride.bikes[3].pk, frozenset([ladies.pk]), frozenset())
    correct_classes(desk, uuid4(), [moved], "on another bike")
    EventClass.objects.update(name="Women")
    update_standings()
    close()
    publish(ride, desk)
    again = get(url)
    assert (again.content, again.headers["ETag"]) == (frozen.content, frozen.headers["ETag"])

    start_reveal(ride.event, [ride.contest])
    reveal_to_step(ride.event, 1)
    assert list_rows(get(url)) == [], "how many of the class are still missing would be told by their places"


def test_a_class_that_was_deleted_stays_in_the_frame_of_a_frozen_board(ride: Ride, ladies: EventClass) -> None:
    url = get_class_url(ride, ladies)
    freeze_standings(ride.event)
    rows = list_rows(get(url))
    ladies.delete()

    assert list_rows(get(url)) == rows != []


def test_other_classes_and_drafts_are_not_found(ride: Ride, ladies: EventClass) -> None:
    unknown = get_board_url(ride, f"classes/{uuid4()}/")
    assert "There is no public table at this address." in get_page_text(get(unknown))
    assert (get(unknown).status_code, get(unknown.removeprefix("/embed")).status_code) == (404, 404)
    change_event(ride.event, state="draft")
    assert get(get_class_url(ride, ladies)).status_code == 404


def test_its_page_has_it_by_oembed(ride: Ride, ladies: EventClass) -> None:
    path = get_class_url(ride, ladies)
    page = get(path.removeprefix("/embed")).content.decode()
    found = re.search(r'<link rel="alternate" type="application/json\+oembed" href="([^"]*)" title="([^"]*)"', page)
    assert found is not None
    assert found[2] == "R.O.C.K. Yahtzee · Ladies"
    address = found[1].replace("&amp;", "&").removeprefix(BASE)

    for url in (address, f"/oembed?{urlencode({'url': f'{BASE}{path}?rows=3'})}"):
        answer = json.loads(Client().get(url).content)
        assert answer["title"] == "R.O.C.K. Yahtzee · Ladies, Rock the Roll"
        assert f'src="{BASE}{path}' in answer["html"]
    unknown = f"{BASE}/events/{ride.event.slug}/{ride.contest.slug}/classes/{uuid4()}/"
    assert Client().get(f"/oembed?{urlencode({'url': unknown})}").status_code == 404


def test_the_desk_has_its_snippet(ride: Ride, ladies: EventClass, alice: User, sign_in: SignIn) -> None:
    url = f"/desk/events/{ride.event.slug}/website/"
    desk = sign_in(alice)
    chosen = f"{ride.contest.pk}.{ladies.pk}"
    assert f'<option value="{chosen}">R.O.C.K. Yahtzee · Ladies</option>' in get_page_text(desk.get(url))
    assert f'src="{BASE}{get_board_url(ride)}"' in list_snippets(desk.get(url))[0], "the whole board comes first"

    response = desk.get(url, {"what": chosen, "rows": "4"})

    address = get_class_url(ride, ladies, "?rows=4")
    assert all(f'src="{BASE}{address}"' in snippet for snippet in list_snippets(response))
    assert f'value="{BASE}/events/{ride.event.slug}/{ride.contest.slug}/classes/{ladies.pk}/"' in get_page_text(
        response
    )
