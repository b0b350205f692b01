"""/desk/events/<slug>/bikes/codes/: a printable QR code for each bike."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.bikes.codes import make_code
from scorekeeper.bikes.models import Bike
from scorekeeper.common.qr import QUICK_MASK, make_qr_code
from scorekeeper.events.models import Event
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text


@pytest.fixture
def alice_at(alice, sign_in) -> Client:
    return sign_in(alice)


def url(event: Event) -> str:
    return reverse("players:codes", args=[event.slug])


def test_every_bike_has_its_code_with_number_and_riders(ride: Ride, alice_at: Client, settings: Any) -> None:
    settings.BASE_URL = "https://rides.example.org"
    Bike.objects.create(event=ride.event, number=99)
    Bike.objects.create(event=ride.event, number=98, merged_into=ride.bikes[1])

    page = get_page_text(alice_at.get(url(ride.event)))

    for bike in Bike.objects.filter(merged_into=None):
        code = make_qr_code(f"https://rides.example.org/b/{make_code(bike.pk)}/", mask=QUICK_MASK)
        assert f'aria-label="QR code of bike {bike.number}"' in page
        assert f'd="{code.path}"' in page
    assert page.count("QR code of bike") == 9
    assert re.search(r'<span class="plate">2</span> <span>Ben, Zoe</span>', page)
    assert page.index("Group one") < page.index("Group two") < page.index("No group yet")


def test_without_bikes_the_page_says_so(event: Event, alice_at: Client) -> None:
    assert "No bikes yet" in get_page_text(alice_at.get(url(event)))


def test_the_roster_links_to_the_codes(ride: Ride, alice_at: Client) -> None:
    assert f'href="{url(ride.event)}"' in get_page_text(alice_at.get(reverse("players:roster", args=[ride.event.slug])))


def test_others_cannot_see_the_codes(ride: Ride, charlie, other_event, sign_in, crew_client) -> None:
    assert sign_in(charlie).get(url(ride.event)).status_code == 404
    assert crew_client(ride.rita).get(url(ride.event)).headers["Location"].startswith("/sign-in/")
