"""What pages with links and codes say about the address that these carry, before anything is printed."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from pytest_django import Settings

from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_page_text

PAGES = ("crew:sheet", "players:codes", "prints:list", "live:settings", "events:open", "events:edit", "desk:event")
WARNINGS = {
    "http://127.0.0.1:8000": "No phone can open the links and codes made here.",
    "http://192.168.1.20:8000": "Links and codes made here may stop working.",
    "http://tailgunner.local:8000": "Links and codes made here work only in your own Wi-Fi.",
}


@pytest.mark.parametrize("address", WARNINGS)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_with_links_or_codes_says_first_what_is_wrong_with_their_address(
    ride: Ride, alice: User, sign_in: SignIn, settings: Settings, address: str, page: str
) -> None:
    settings.BASE_URL = address

    text = get_page_text(sign_in(alice).get(reverse(page, args=[ride.event.slug])))

    assert [warning for warning in WARNINGS.values() if warning in text] == [WARNINGS[address]]
    assert f"<code>{address}</code>" in text
    assert f'href="{reverse("events:edit", args=[ride.event.slug])}#address"' in text


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_said_of_an_address_that_everybody_can_open(
    ride: Ride, alice: User, sign_in: SignIn, settings: Settings, page: str
) -> None:
    settings.BASE_URL = "https://rides.example.org"

    text = get_page_text(sign_in(alice).get(reverse(page, args=[ride.event.slug])))

    assert not any(warning in text for warning in WARNINGS.values())


def test_links_that_were_just_made_say_it_too(ride: Ride, alice: User, sign_in: SignIn) -> None:
    organiser, slug = sign_in(alice), ride.event.slug
    invitation = organiser.post(reverse("crew:invite", args=[slug, ride.rita.pk]), follow=True)
    sheet = organiser.post(reverse("crew:sheet", args=[slug]), {"who": "everyone"})

    for page in (invitation, sheet):
        assert WARNINGS["http://127.0.0.1:8000"] in get_page_text(page)


def test_the_settings_say_which_address_links_carry_and_what_to_do(
    ride: Ride, alice: User, sign_in: SignIn, settings: Settings
) -> None:
    def read_section() -> str:
        text = get_page_text(sign_in(alice).get(reverse("events:edit", args=[ride.event.slug])))
        return text.split('id="address"')[1].split("</section>")[0]

    for address, start in {"http://127.0.0.1:8000": True, "http://192.168.1.20:8000": False}.items():
        settings.BASE_URL = address
        section = read_section()
        assert f"<code>{address}</code>" in section
        assert "Ask the person who set up Tailgunner" in section
        assert ("make run HOST=0.0.0.0 TLS=1" in section) is start

    settings.BASE_URL = "https://rides.example.org"
    section = read_section()
    assert "<code>https://rides.example.org</code>" in section
    assert "Ask the person who set up Tailgunner" not in section
