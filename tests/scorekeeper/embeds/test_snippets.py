"""The organisers' pages with what to put into a website."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from scorekeeper.events.models import Event
from scorekeeper.seasons.models import Season
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.embeds.conftest import change_event, get_board_url
from tests.scorekeeper.page_checks import assert_refused, get_page_text

pytestmark = pytest.mark.django_db

BASE = "https://rides.example.org"


@pytest.fixture(autouse=True)
def _public_address(settings: Settings) -> None:
    settings.BASE_URL = BASE


def get_url(ride: Ride, query: str = "") -> str:
    return f"/desk/events/{ride.event.slug}/website/{query}"


def list_snippets(response: Any) -> list[str]:
    """Return the texts of the two fields, as a browser shows them."""
    found = re.findall(r"<textarea[^>]*>([^<]*)</textarea>", response.content.decode())
    assert len(found) == 2
    return [unescape(text) for text in found]


def test_there_is_a_snippet_with_a_script_and_one_without(ride: Ride, alice: User, sign_in: SignIn) -> None:
    response = sign_in(alice).get(get_url(ride))

    with_script, without = list_snippets(response)
    frame = (
        f'<iframe src="{BASE}{get_board_url(ride)}" title="R.O.C.K. Yahtzee, Rock the Roll" width="100%" height="592" '
        'style="border:0;max-width:100%" loading="lazy"></iframe>'
    )
    assert without == frame
    assert with_script == f'{frame}\n<script src="{BASE}/embed/embed.js" async></script>'
    page = get_page_text(response)
    assert f'<iframe class="frame-preview" src="{get_board_url(ride)}"' in page
    assert f'value="{BASE}/events/{ride.event.slug}/{ride.contest.slug}/"' in page
    assert page.count("data-copy=") == 4


def test_what_is_chosen_is_in_the_snippets_and_in_the_preview(ride: Ride, alice: User, sign_in: SignIn) -> None:
    query = f"?what={ride.contest.pk}&rows=3&theme=dark&lang=de"
    response = sign_in(alice).get(get_url(ride, query))

    address = get_board_url(ride, "?rows=3&theme=dark&lang=de")
    assert all(f'src="{BASE}{address}"' in unescape(snippet) for snippet in list_snippets(response))
    assert f'src="{address}"' in get_page_text(response)

    prizes = sign_in(alice).get(get_url(ride, "?what=prizes&rows=10"))
    assert all(f'src="{BASE}/embed/events/{ride.event.slug}/"' in snippet for snippet in list_snippets(prizes))


def test_what_cannot_be_chosen_is_refused_and_kept(ride: Ride, alice: User, sign_in: SignIn) -> None:
    response = sign_in(alice).get(get_url(ride, "?rows=51&theme=dark&what=prizes"))
    assert_refused(response, "id_rows", "Enter a number of rows from 1 to 50.")
    assert 'value="51"' in get_page_text(response)
    assert '<option value="dark" selected>' in get_page_text(response)
    assert_refused(sign_in(alice).get(get_url(ride, "?what=elsewhere")), "id_what", "Choose what to show.")


def test_a_draft_has_a_warning(ride: Ride, alice: User, sign_in: SignIn) -> None:
    change_event(ride.event, state=Event.State.DRAFT)
    assert "The event is a draft" in get_page_text(sign_in(alice).get(get_url(ride)))


def test_an_event_without_contests_has_the_snippet_of_its_prizes(event: Event, alice: User, sign_in: SignIn) -> None:
    response = sign_in(alice).get(f"/desk/events/{event.slug}/website/")
    assert f'src="{BASE}/embed/events/{event.slug}/"' in list_snippets(response)[0]


def test_a_season_has_its_own_page(season: Season, alice: User, sign_in: SignIn) -> None:
    desk = sign_in(alice)
    assert f"/desk/seasons/{season.slug}/website/" in get_page_text(desk.get(f"/desk/seasons/{season.slug}/"))
    response = desk.get(f"/desk/seasons/{season.slug}/website/?rows=5")
    assert f'src="{BASE}/embed/seasons/{season.slug}/?rows=5"' in list_snippets(response)[0]
    assert f'value="{BASE}/seasons/{season.slug}/results.atom"' in get_page_text(response)


def test_nobody_else_opens_them(ride: Ride, season: Season, charlie: User, sign_in: SignIn) -> None:
    for url in (get_url(ride), f"/desk/seasons/{season.slug}/website/"):
        assert sign_in(charlie).get(url).status_code == 404
