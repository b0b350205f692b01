"""Each reader gets pages in their own language, and programs get English."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import translation

from scorekeeper.common.languages import list_languages
from scorekeeper.crew.models import DiceSet
from scorekeeper.events.models import AccountLanguage, Event
from scorekeeper.ledger.usual_reasons import CARD_BOUGHT, show_reason
from scorekeeper.live.models import Screen
from scorekeeper.live.selectors.screen import get_screen, get_screen_presenter
from scorekeeper.prints.paper import Paper
from scorekeeper.prints.print_kinds import KINDS
from scorekeeper.prints.print_source import PrintSource
from tests.scorekeeper.conftest import PASSWORD, Ride, SignIn

HEADINGS = {"en-gb": "Events", "de": "Veranstaltungen", "es": "Eventos", "fr": "Événements"}


def get_language(html: str) -> str:
    found = re.search(r'<html lang="([^"]+)"', html)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ("", "en-gb"),
        ("de", "de"),
        ("de-CH,de;q=0.9,en;q=0.5", "de"),
        ("nl,fr;q=0.8,en;q=0.5", "fr"),
        ("es-MX", "es"),
        ("en-US,en;q=0.9,de;q=0.1", "en-gb"),
        ("ja", "en-gb"),
        ("not a language", "en-gb"),
        ("de-CH, *;q=0.1", "de"),
        ("*", "en-gb"),
        ("*;q=0.1, fr", "fr"),
        ("de;q=never, es", "en-gb"),
        ("\u00e9\u0000;;,,=", "en-gb"),
        (",".join(["xx-yy"] * 1000), "en-gb"),
    ],
)
def test_a_visitor_gets_the_first_language_of_the_browser_that_there_is(
    client: Client, event: Event, wanted: str, code: str
) -> None:
    response = client.get("/", headers={"Accept-Language": wanted})

    assert get_language(response.content.decode()) == code == response.headers["Content-Language"]
    assert HEADINGS[code] in response.content.decode()
    assert {"accept-language", "cookie"} <= {name.strip().lower() for name in response.headers["Vary"].split(",")}


def test_the_menu_chooses_another_and_leads_back_to_the_page(client: Client, ride: Ride) -> None:
    page = reverse("results:event", args=[ride.event.slug]) + "?page=1"
    html = client.get(page, headers={"Accept-Language": "de"}).content.decode()
    assert re.findall(r'<button[^>]+value="([\w-]+)"\s+lang="\1"', html) == list(list_languages())
    assert re.search(r'value="de"[^>]+aria-current="true"', html)

    response = client.post("/language/", {"language": "fr"}, headers={"Referer": f"http://testserver{page}"})

    assert (response.status_code, response.headers["Location"]) == (302, page)
    assert get_language(client.get(page, headers={"Accept-Language": "de"}).content.decode()) == "fr"


def test_an_open_page_gets_its_parts_in_its_own_language(client: Client, ride: Ride) -> None:
    page = reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])
    html = client.get(page, headers={"Accept-Language": "de"}).content.decode()
    assert """hx-headers='{"X-Tailgunner-Language": "de"}'""" in html
    client.post("/language/", {"language": "fr"})

    part = client.get(page, headers={"HX-Request": "true", "X-Tailgunner-Language": "de"})

    assert part.headers["Content-Language"] == "de"
    assert client.get(page, headers={"HX-Request": "true"}).headers["Content-Language"] == "fr"


def test_the_menu_leads_back_behind_a_proxy_that_changes_the_host(client: Client, db: None) -> None:
    sent = {"Referer": f"{settings.BASE_URL}/rules/"}
    assert client.post("/language/", {"language": "de"}, headers=sent).headers["Location"] == "/rules/"


@pytest.mark.parametrize(
    "address",
    [
        *("https://example.org/", "//example.org/", "/account/", "http://[", "javascript:alert(1)", ""),
        *("http://testserver/sign-out/", "http://testserver/nothing/here/", "http://testserver//example.org/"),
    ],
)
def test_the_menu_leads_to_no_other_site_and_to_nothing_that_is_no_page(client: Client, db: None, address: str) -> None:
    response = client.post("/language/", {"language": "de"}, headers={"Referer": address})
    assert (response.status_code, response.headers["Location"]) == (302, "/")


@pytest.mark.parametrize("code", ["", "la", "de-at", "../de", "x" * 1000, "de\r\nX: 1"])
def test_a_language_that_there_is_not_changes_nothing(client: Client, db: None, code: str) -> None:
    assert client.post("/language/", {"language": code}).status_code == 302
    assert settings.LANGUAGE_COOKIE_NAME not in client.cookies
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = code.partition("\r")[0]
    page = client.get("/", headers={"Accept-Language": "fr"})
    # Django takes a region as its language.
    assert get_language(page.content.decode()) == ("de" if code.startswith("de") else "fr")


def test_another_site_cannot_choose(client: Client, db: None) -> None:
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://example.org"}):
        client.post("/language/", {"language": "de"}, headers=headers)
        assert settings.LANGUAGE_COOKIE_NAME not in client.cookies


def test_an_organiser_has_the_language_in_every_browser(alice: User, sign_in: SignIn) -> None:
    desk = sign_in(alice)
    desk.post("/language/", {"language": "es"})
    assert AccountLanguage.objects.get(user=alice).code == "es"

    elsewhere = Client()
    elsewhere.post("/sign-in/", {"username": "alice", "password": PASSWORD}, headers={"Accept-Language": "de"})

    assert get_language(elsewhere.get("/desk/", headers={"Accept-Language": "de"}).content.decode()) == "es"


def test_who_signs_in_without_a_choice_keeps_the_browsers_language(alice: User, client: Client) -> None:
    client.post("/sign-in/", {"username": "alice", "password": PASSWORD}, headers={"Accept-Language": "de"})
    assert settings.LANGUAGE_COOKIE_NAME not in client.cookies
    assert get_language(client.get("/desk/", headers={"Accept-Language": "de"}).content.decode()) == "de"


def test_programs_get_english(client: Client, ride: Ride) -> None:
    headers = {"Accept-Language": "de"}
    missing = client.get("/api/v1/nothing/", headers=headers)
    assert "There is nothing at this address" in json.loads(missing.content)["detail"]
    assert "Content-Language" not in missing.headers

    address = reverse("results:export", args=[ride.event.slug, ride.contest.slug, "export.json"])
    english = client.get(address).content
    assert client.get(address, headers=headers).content == english


def test_a_program_may_ask_for_the_texts_of_another_language(client: Client, db: None) -> None:
    for language, is_other in (("de", True), ("xx", False), ("", False)):
        answer = client.get("/api/v1/nothing/", headers={"X-Tailgunner-Language": language})
        assert ("There is nothing" not in json.loads(answer.content)["detail"]) == is_other


def test_a_file_for_spreadsheets_is_in_the_readers_language(client: Client, ride: Ride) -> None:
    address = reverse("results:export", args=[ride.event.slug, ride.contest.slug, "export.csv"])
    first = client.get(address)
    again = client.get(address, headers={"Accept-Language": "de", "If-None-Match": first.headers["ETag"]})
    assert again.status_code == 200, "the copy that the browser has is in another language"
    assert again.content.decode("utf-8-sig").splitlines()[0] != first.content.decode("utf-8-sig").splitlines()[0]


def test_an_event_is_created_in_the_language_of_its_organiser(alice: User, sign_in: SignIn) -> None:
    desk = sign_in(alice)
    form = {"name": "Würfelfahrt", "date": "2026-06-20", "time_zone": "Europe/Berlin", "people_shown": "names"}
    desk.post(reverse("events:create"), {**form, "form_id": ""}, headers={"Accept-Language": "de"})
    event = Event.objects.get(name="Würfelfahrt")
    assert event.language == "de"
    assert get_screen_presenter(get_screen(event)).language == "de"


def test_what_the_program_names_itself_is_named_in_the_language_of_its_maker(
    ride: Ride, alice: User, sign_in: SignIn
) -> None:
    desk, german = sign_in(alice), {"Accept-Language": "de"}
    desk.post(reverse("crew:groups", args=[ride.event.slug]), {"name": "Nachhut"}, headers=german)
    desk.post(reverse("desk:practice", args=[ride.event.slug]), headers=german)
    contest = desk.get(reverse("events:create_contest", args=[ride.event.slug, "rogue"]), headers=german)
    items = desk.get(reverse("check_in:items", args=[ride.event.slug]), headers=german)

    sets = DiceSet.objects.filter(group__event=ride.event, group__name="Nachhut").order_by("ordinal")
    assert [one.name for one in sets] == ["Road Captain", "Schlussfahrer", "Dritte Aufsicht"]
    assert Event.objects.get(practice_of=ride.event).name == f"{ride.event.name} (Probelauf)"
    assert 'value="Rogue"' in contest.content.decode()
    assert 'value="Bezahlt"' in items.content.decode()


def test_certificates_are_worded_in_the_language_of_their_event(german: Ride, alice: User, sign_in: SignIn) -> None:
    page = sign_in(alice).get(
        reverse("prints:certificate", args=[german.event.slug]), headers={"Accept-Language": "fr"}
    )
    assert 'value="Urkunde"' in page.content.decode()


@pytest.fixture
def german(ride: Ride) -> Ride:
    Event.objects.filter(pk=ride.event.pk).update(language="de")
    ride.event.refresh_from_db()
    return ride


def test_a_screen_is_in_the_language_of_its_event_or_its_own(german: Ride, client: Client) -> None:
    page = client.get(reverse("live:screen", args=[german.event.slug]), headers={"Accept-Language": "fr"})
    assert get_language(page.content.decode()) == "de" == page.headers["Content-Language"]

    Screen.objects.create(event=german.event, is_public=True, language="es")

    page = client.get(reverse("live:screen", args=[german.event.slug]), headers={"Accept-Language": "fr"})
    assert get_language(page.content.decode()) == "es"


def test_a_print_is_in_the_language_of_its_event_unless_another_is_chosen(
    german: Ride, alice: User, sign_in: SignIn
) -> None:
    def describe(language: str) -> Any:
        source = PrintSource(german.event, german.contest, Paper.A4, language=language)
        return KINDS["standings"].make(source)

    assert describe("").language == "de"
    assert describe("").frame.title != describe("fr").frame.title
    assert describe("").digest != describe("fr").digest

    desk = sign_in(alice)
    page = desk.get(reverse("prints:list", args=[german.event.slug])).content.decode()
    assert "language=de" in page
    assert desk.get(reverse("prints:list", args=[german.event.slug]) + "?language=xx").status_code == 404


def test_the_log_has_the_usual_reasons_in_english(ride: Ride) -> None:
    """What is checked a year later must not depend on who looked at it."""
    with translation.override("de"):
        assert show_reason(CARD_BOUGHT) != CARD_BOUGHT == "Card bought"
        assert show_reason("Karte war nass") == "Karte war nass"
