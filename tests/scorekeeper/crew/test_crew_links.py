"""/crew/join/, and the same form on the start page: a crew link that is pasted, as in an installed app."""

from __future__ import annotations

import uuid
from html import unescape
from http import HTTPStatus

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper.bikes.codes import make_code
from scorekeeper.crew.models import CrewMember, Device, Invitation
from scorekeeper.crew.services.invitations import accept_invitation, create_invitation
from scorekeeper.desk.services.event_deletion import delete_event
from tests.scorekeeper.page_checks import get_page_text

OWN_SITE = "https://rides.example.org"
FORM = "/crew/join/"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_site(settings) -> None:
    settings.BASE_URL = OWN_SITE


def token_for(member: CrewMember) -> str:
    return create_invitation(member)[1]


def refuse(client: Client, text: str) -> str:
    """Paste a text that is refused; return the page's text, after checking that what was typed is still there."""
    response = client.post(FORM, {"link": text})
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    page = response.content.decode()
    assert f"\n{text}</textarea>" in unescape(page)
    return unescape(get_page_text(response))


@pytest.mark.parametrize("path", ["/crew/", FORM])
def test_the_start_page_takes_a_crew_link(client: Client, path: str) -> None:
    page = client.get(path).content.decode()

    assert 'action="/crew/join/"' in page
    assert '<textarea name="link"' in page
    assert "Scan the QR code on your crew card" in page


@pytest.mark.parametrize(
    "text",
    [
        OWN_SITE + "/crew/join/{}/",
        "rides.example.org/crew/join/{}",
        "  HTTPS://Rides.Example.org/crew/join/{}/  ",
        "Hello Rita,\nyour link: <" + OWN_SITE + "/crew/join/{}/>.\nSee https://elsewhere.example/crew/join/x/",
        "http://testserver/crew/join/{}/",
    ],
)
def test_a_crew_link_leads_to_its_page(rita: CrewMember, client: Client, text: str) -> None:
    token = token_for(rita)

    response = client.post(FORM, {"link": text.format(token)})

    assert response["Location"] == f"/crew/join/{token}/"
    assert "This is my phone" in get_page_text(client.get(response["Location"]))
    assert not Device.objects.exists()
    assert Invitation.objects.get().is_usable()


def test_no_link_at_all_is_answered_with_how_it_begins(client: Client) -> None:
    assert "it begins with https://rides.example.org/crew/join/" in refuse(client, "I have lost it")
    assert "it begins with https://rides.example.org/crew/join/" in refuse(client, f"{OWN_SITE}/events/rock/")
    assert "it begins with https://rides.example.org/crew/join/" in refuse(client, f"{OWN_SITE}/crew/join/")


def test_an_empty_field_is_answered_with_where_the_link_is(client: Client) -> None:
    response = client.post(FORM, {"link": " "})

    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Paste your crew link here." in get_page_text(response)


@pytest.mark.parametrize(
    "start",
    [
        "https://evil.example",
        "https://rides.example.org.evil.example",
        "https://rides.example.org@evil.example",
        "https://rides.example.org:444",
    ],
)
def test_a_link_of_another_site_is_not_followed(rita: CrewMember, client: Client, start: str) -> None:
    page = refuse(client, f"{start}/crew/join/{token_for(rita)}/")

    host = start.rpartition("/")[2].rpartition("@")[2]
    assert f"This link is for another site, {host}, and this app is for rides.example.org." in page


@pytest.mark.parametrize("text", ["//evil.example/crew/join/../..//evil.example", "javascript:alert(1)//crew/join/x"])
def test_nothing_leads_to_another_site(client: Client, text: str) -> None:
    refuse(client, text)


def test_a_bikes_code_is_told_from_a_crew_link(client: Client) -> None:
    page = refuse(client, f"{OWN_SITE}/b/{make_code(uuid.uuid4())}/")

    assert "This is the code of a bike, not a crew link." in page


def test_an_unknown_link_says_that_part_may_be_missing(rita: CrewMember, client: Client) -> None:
    assert "We don’t know this link." in refuse(client, f"{OWN_SITE}/crew/join/{token_for(rita)[:20]}")


def test_a_used_and_an_expired_link_say_to_ask_for_a_new_one(rita: CrewMember, client: Client) -> None:
    expired, used = token_for(rita), token_for(rita)  # a newer link ends the one before
    accept_invitation(Invitation.objects.get(expires_at__gt=timezone.now()))

    assert "This link has expired." in refuse(client, f"{OWN_SITE}/crew/join/{expired}/")
    page = refuse(client, f"{OWN_SITE}/crew/join/{used}/")
    assert "This link has been used. A link works for one phone only. Ask the organiser for a new one." in page


def test_a_link_of_a_deleted_ride_says_so(rita: CrewMember, client: Client) -> None:
    token = token_for(rita)
    delete_event(rita.group.event)

    assert "This link was for Rock the Roll, which was deleted." in refuse(client, f"{OWN_SITE}/crew/join/{token}/")


def test_a_text_without_end_is_refused(client: Client) -> None:
    assert "This text is too long. Paste only the link." in refuse(client, "x" * 2001)


def test_the_form_cannot_be_sent_from_another_site(rita: CrewMember) -> None:
    response = Client(enforce_csrf_checks=True).post(FORM, {"link": f"{OWN_SITE}/crew/join/{token_for(rita)}/"})

    assert response.status_code == HTTPStatus.FORBIDDEN


def test_what_was_pasted_is_in_no_cache_and_no_log(
    rita: CrewMember, client: Client, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    token = token_for(rita)
    for text in (f"{OWN_SITE}/crew/join/{token}/", f"https://evil.example/crew/join/{token}/"):
        assert client.post(FORM, {"link": text})["Cache-Control"] == "private, no-store"

    logged = caplog.text + "".join(capsys.readouterr())

    assert "crew/join/" in logged
    assert token not in logged
