"""Capital letters, and what stands behind an address in a sentence, are forgiven in shared and printed addresses."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from django.test import Client

from scorekeeper.bikes.codes import make_code
from scorekeeper.common.forgiving_addresses import find_page
from scorekeeper.common.rights_check import list_routes
from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.rights import ANYBODY, ROUTES
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.rights.small_ride import make_small_ride

pytestmark = pytest.mark.django_db

ENDINGS = (")", "]", ".", ",", "'", '"', "”", "’", ").", "/)", "/.", "/),", ";", ":", "!", ">", "…", " ", "/ ")


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_stands_behind_an_address_is_dropped(client: Client, ride: Ride, ending: str) -> None:
    for page in (f"/events/{ride.event.slug}", f"/events/{ride.event.slug}/rock-yahtzee", "/rules", "/sign-in"):
        response = client.get(f"{page}{quote(ending)}?paper=a4")
        assert response.status_code == 302, (page, ending)
        assert response.headers["Location"] == f"{page}/?paper=a4"
        assert client.get(response.headers["Location"]).status_code == 200


def test_capital_letters_lead_to_the_same_page(client: Client, ride: Ride) -> None:
    page = f"/events/{ride.event.slug}/rock-yahtzee/bikes/{ride.bikes[1].pk}/"
    for typed in (page.upper(), page.title(), page.upper().removesuffix("/"), f"{page.upper()})."):
        response = client.get(typed, follow=True)
        assert response.redirect_chain[-1][0] == page, typed
        assert response.status_code == 200


def test_a_short_code_is_read_in_any_case(client: Client, ride: Ride) -> None:
    code = make_code(ride.bikes[1].pk)
    for typed in (f"/b/{code.upper()}/", f"/B/{code.upper()}", f"/B/{code})"):
        response = client.get(typed)
        assert response.status_code == 302, typed
        assert response.headers["Location"] == f"/b/{code}/"


def test_a_token_keeps_its_letters(client: Client, ride: Ride) -> None:
    _invitation, token = create_invitation(ride.tom)
    for typed in (f"/crew/join/{token}/)", f"/crew/join/{token}.", f"/crew/join/{token}%22", f"/Crew/Join/{token}/"):
        response = client.get(typed)
        assert response.status_code == 302, typed
        assert response.headers["Location"] == f"/crew/join/{token}/"
    assert client.get(f"/crew/join/{token}/").status_code == 200


def test_every_page_with_a_token_is_forgiven(client: Client) -> None:
    ride = make_small_ride("Quokka")
    routes = [name for name, route in list_routes().items() if "token" in route.pattern.converters]
    assert len(routes) >= 5
    for route in routes:
        page = ride.get_url(route)
        assert ROUTES[route]["GET"] is ANYBODY
        assert client.get(f"{page}).").headers["Location"] == page


def test_nothing_else_is_redirected(client: Client, ride: Ride) -> None:
    assert client.post(f"/events/{ride.event.slug}).").status_code == 404
    assert client.get("/no-such-page).").status_code == 404
    assert client.get("/NO-SUCH-PAGE/").status_code == 404
    assert find_page("//evil.example/") is None
    assert client.get("/desk/).").status_code == 404, "not a page for everyone"
    assert client.get("/events/no-such-event/").status_code == 404


@pytest.mark.timeout(10)  # at a time that grows with the square, it would take longer
def test_a_long_row_of_brackets_is_answered_at_once(client: Client) -> None:
    for path in (f"/{')' * 60_000}x", f"/{') ' * 30_000}x/", f"/{')' * 60_000}"):
        client.get(quote(path))
