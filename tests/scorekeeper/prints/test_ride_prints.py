"""What is printed before the ride: blank scorecards with codes, and stop sheets. Only for organisers."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from scorekeeper.bikes.codes import make_code
from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import Invitation
from scorekeeper.crew.services.devices import create_device
from scorekeeper.events.models import Contest
from scorekeeper.players.models import Player
from scorekeeper.prints.models import PrintFile
from scorekeeper.prints.print_document import draw_qr_code
from scorekeeper.stops.models import Stop
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.prints.conftest import get_pages

pytestmark = pytest.mark.django_db


def get_blank_url(contest: Contest) -> str:
    return reverse("prints:contest_file", args=[contest.event.slug, contest.slug, "blank-cards"])


def get_stop_sheets_url(ride: Ride) -> str:
    return reverse("prints:event_file", args=[ride.event.slug, "stop-sheets"])


def test_every_bike_has_a_blank_scorecard_with_its_number_group_and_all_lines(ride: Ride, organiser: Client) -> None:
    pages = get_pages(organiser.get(get_blank_url(ride.contest)))

    assert len(pages) == 8
    for page, (number, bike) in zip(pages, ride.bikes.items(), strict=True):
        rider = Player.objects.get(bike=bike, role=Player.Role.RIDER).name
        assert page.startswith("Rock the Roll 20 June 2026")
        assert f"{number} R.O.C.K. Yahtzee {rider}" in page
        assert ("Group one" if number <= 4 else "Group two") in page
        for label in ("Upper section", "Aces", "Full house", "Grand total", "1 Ozweld's", "5 Finale"):
            assert label in page
        assert "Unofficial" in page
        assert "Grand total 0" not in page, "it is filled in with a pen"


def test_the_code_on_a_blank_scorecard_is_that_of_the_bike(ride: Ride, organiser: Client, settings: Settings) -> None:
    """The picture is one path; its modules are those of the page with the codes."""
    page = organiser.get(reverse("players:codes", args=[ride.event.slug])).content.decode()
    url = settings.BASE_URL + reverse("scorecards:scanned", args=[make_code(ride.bikes[1].pk)])
    path = draw_qr_code(url).partition('d="')[2].partition('"')[0]

    assert path in page


def test_one_bike_can_be_printed_again(ride: Ride, organiser: Client) -> None:
    (page,) = get_pages(organiser.get(get_blank_url(ride.contest), {"of": str(ride.bikes[3].pk)}))
    assert "Cleo" in page
    assert organiser.get(get_blank_url(ride.contest), {"of": str(ride.contest.pk)}).status_code == 404


def test_a_contest_at_tables_has_no_blank_scorecards(ride: Ride, rogue_contest: Contest, organiser: Client) -> None:
    assert organiser.get(get_blank_url(rogue_contest)).status_code == 404
    page = organiser.get(reverse("prints:list", args=[ride.event.slug])).content.decode()
    assert get_blank_url(ride.contest) in page
    assert get_blank_url(rogue_contest) not in page


def test_a_stop_sheet_lists_the_bikes_of_a_group_with_room_for_every_turn(ride: Ride, organiser: Client) -> None:
    Stop.objects.filter(name="BBQ").update(address="2 Main Street", crew_note="Ask for the key")
    Bike.objects.filter(number=8).update(did_not_start=True)

    pages = get_pages(organiser.get(get_stop_sheets_url(ride)))

    assert len(pages) == 2 * 4, "two groups at four stops"
    bbq = pages[2]
    texts = (
        "BBQ",
        "Group one",
        "Crew: ",
        "Rita",
        "Tom",
        "2 Main Street",
        "Ask for the key",
        "Turn 3",
        "1 Ann",
        "2 Ben",
    )
    for text in texts:
        assert text in bbq
    assert "Eve" not in bbq
    assert "Turn 4" in pages[3]
    assert "Turn 5" in pages[3]
    assert "Hal" not in pages[7], "a bike that did not start"


def test_without_turns_at_stops_the_stop_sheets_say_what_is_missing(ride: Ride, organiser: Client) -> None:
    ride.contest.slots.all().delete()

    (page,) = get_pages(organiser.get(get_stop_sheets_url(ride)))
    assert "No turn is assigned to a stop yet" in page


def test_nobody_else_gets_them(ride: Ride, client: Client) -> None:
    for url in (get_blank_url(ride.contest), get_stop_sheets_url(ride)):
        assert client.get(url).status_code == 302
    public = reverse("prints:public_file", args=[ride.event.slug, ride.contest.slug, "blank-cards"])
    assert client.get(public).status_code == 404


def print_crew_sheet(organiser: Client, ride: Ride, who: str, sheet: str = "") -> HttpResponse:
    url = reverse("prints:crew_links", args=[ride.event.slug])
    return organiser.post(url, {"who": who, "sheet": sheet or str(uuid4())})  # type: ignore[return-value]


def test_the_crew_sheet_has_a_link_for_everyone_without_a_phone_that_works(
    ride: Ride, organiser: Client, client: Client
) -> None:
    create_device(ride.rita)
    ride.sue.any_bike_at.add(ride.stops[2])

    response = print_crew_sheet(organiser, ride, "without_phone")

    (page,) = get_pages(response)
    assert response.headers["Cache-Control"] == "private, no-store"
    assert "Tail-gunner, Group one" in page
    assert "Any bike at: BBQ" in page
    assert "Rita" not in page
    links = re.findall(r"/crew/join/[\w-]+/", page.replace(" ", ""))
    assert len(links) == 3
    assert "This is my phone" in client.get(links[0]).content.decode()


def test_a_crew_sheet_is_stored_nowhere_and_made_once(ride: Ride, organiser: Client) -> None:
    sheet = str(uuid4())
    get_pages(print_crew_sheet(organiser, ride, "everyone", sheet))
    links = Invitation.objects.count()
    assert links == 4
    assert not PrintFile.objects.exists()

    again = print_crew_sheet(organiser, ride, "everyone", sheet)

    assert again.status_code == 302
    assert Invitation.objects.count() == links
    assert "already created" in get_page_text(organiser.get(again.headers["Location"]))


def test_a_crew_sheet_for_nobody_known_is_refused(ride: Ride, organiser: Client) -> None:
    response = print_crew_sheet(organiser, ride, str(uuid4()))

    assert "no longer in the crew" in get_page_text(organiser.get(response.headers["Location"]))
    assert not Invitation.objects.exists()
