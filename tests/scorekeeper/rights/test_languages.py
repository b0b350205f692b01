"""No page, file or print mixes two languages: in German, French and Spanish nothing English is left.

Every route is requested by everybody who may, as are all prints. What is in the data is known and left out: names, what
people typed, and the addresses. Left out too are elements that say that they are in English
(`lang="en"`). Of the rest, a text is English if it is one of the program's own texts that has another
translation, or if it has words that none of the three languages has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlencode

import pytest
from django.apps import apps
from django.conf import settings
from django.utils import timezone
from django.utils.text import capfirst
from pytest_django import Settings

from scorekeeper.common.spreadsheets.sheets import guess_by_name
from scorekeeper.crew.crew_import import CrewImporter
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import OperationReason
from scorekeeper.players.models import SignUp
from scorekeeper.players.roster_import import RosterImporter
from tests.scorekeeper.page_forms import read_forms
from tests.scorekeeper.rights.every_response import add_far_bike, read_everything
from tests.scorekeeper.rights.small_ride import SmallRide, enable_authority_pages, make_small_ride
from tests.scorekeeper.rights.test_hands_in_words import make_official, read_text
from tests.scorekeeper.rights.test_pages_embargo import refresh
from tools.translations import get_path, list_languages, make_templates, read_catalogue

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(600)]

LANGUAGES = list_languages()
# Words of English sentences that are no words of German, French or Spanish.
WORDS = re.compile(
    r"\b(?:the|and|of|with|this|that|these|you|your|is|are|from|to|by|not|have|been|they|their|its|for|at|when|which)\b"
)
SHOWN_ATTRIBUTES = {"alt", "aria-label", "aria-description", "content", "placeholder", "title", "data-say"}
NOT_SHOWN = {"script", "style", "template-data"}
# Files of the ride that were made in English.
MADE_BEFORE = {"prints:job_file", "prints:public_job_file"}
FOR_PROGRAMS = ("application/json", "application/problem", "javascript", "jsonl")


class Texts(HTMLParser):
    """Collects what a page shows, says, or has ready for its scripts to show."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._hidden = 0
        self._other_language = 0
        self._open: list[tuple[str, bool]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        is_left_out = tag in NOT_SHOWN or (tag == "button" and "lang" in given) or given.get("lang") == "en"
        if tag not in VOID:
            self._open.append((tag, is_left_out))
        is_for_programs = given.get("property") == "og:type"
        if not self._is_left_out and not is_for_programs:
            self.found += [text for name, text in given.items() if name in SHOWN_ATTRIBUTES]
            # A word by itself, such as "missed", is for scripts and style sheets.
            self.found += [text for name, text in given.items() if name.startswith("data-") and not text.islower()]

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not self._is_left_out:
            self.found.append(data)

    @property
    def _is_left_out(self) -> bool:
        return any(is_left_out for _tag, is_left_out in self._open)


VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr", "path", "circle", "rect", "use"}


@pytest.fixture
def ride(settings: Settings, tmp_path: Path) -> SmallRide:
    settings.METRICS_TOKEN = "a token"
    enable_authority_pages(settings, tmp_path)
    ride = make_small_ride("Quokka")
    add_far_bike(ride)
    refresh(ride)
    return ride


def list_data() -> list[str]:
    """Everything that somebody typed, or that names something in the data, the longest first."""
    found: set[str] = set()
    for model in apps.get_models():
        for row in model._base_manager.all().values():
            found |= {text for value in row.values() for text in _list_strings(value) if len(text) > 2}
    return sorted(found, key=len, reverse=True)


def _list_strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _list_strings(part)


def read_translated(language: str) -> Mapping[str, str]:
    """The texts whose translation is another text; no figures, which a date may have as an ordinal."""
    found: dict[str, str] = {}
    for folder in make_templates():
        for message in read_catalogue(get_path(folder, language)):
            if isinstance(message.id, str) and message.id.strip("0123456789") and message.id != message.string:
                found[message.id] = str(message.string)
    return found


def list_shown(content_type: str, content: bytes) -> list[str]:
    """The texts of a page or file, each by itself."""
    if any(kind in content_type for kind in FOR_PROGRAMS):
        return []
    if "html" in content_type:
        return Texts(content.decode()).found
    return re.split(r"[\n;,]", read_text(content_type, content).replace("\u200b", ""))  # from a PDF


def list_english(texts: list[str], data: list[str], translated: Mapping[str, str]) -> set[str]:
    """The texts that are not in the language of these translations."""
    own = {shown for text in translated.values() for shown in (text, capfirst(text))}
    allowed = {*own, *data}  # the same word in another meaning, or in the data
    found = set()
    for text in texts:
        shown = " ".join(text.split())
        # Also where a sentence is made of several texts.
        if any(part in translated and part not in allowed for part in (shown, *re.split(r"\s*[,;:()]\s*", shown))):
            found.add(shown)
            continue
        for known in data:
            if known in shown:
                shown = shown.replace(known, "·")
        if WORDS.search(re.sub(r"\S*[/@_.]\S+", " ", shown)):
            found.add(shown)
    return found


@pytest.mark.parametrize("is_official", [False, True], ids=["open", "official"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_english_is_left_on_any_page_file_or_print(ride: SmallRide, language: str, is_official: bool) -> None:
    Event.objects.update(language=language)
    if is_official:
        make_official(ride)
    shown = [
        (route, list_shown(response.headers.get("Content-Type", ""), content))
        for route, _who, response, content in read_everything(ride, language=language)
        if (not route.startswith("api:") or route == "api:reference") and route not in MADE_BEFORE
    ]
    translated, data = read_translated(language), list_data()  # with what reading has made, such as tokens
    found: dict[str, set[str]] = {}
    for route, texts in shown:
        for text in list_english(texts, data, translated):
            found.setdefault(text, set()).add(route)
    assert len(shown) > 100
    assert not found, "\n".join(f"{text}: {', '.join(sorted(routes))}" for text, routes in sorted(found.items()))


@pytest.mark.parametrize("language", ["en-gb", *LANGUAGES])
@pytest.mark.parametrize(("route", "importer"), [("players:sample", RosterImporter), ("crew:sample", CrewImporter)])
def test_the_columns_of_a_sample_are_recognised(ride: SmallRide, language: str, route: str, importer: Any) -> None:
    desk = ride.get_desk()
    desk.cookies[settings.LANGUAGE_COOKIE_NAME] = language

    header = desk.get(ride.get_url(route)).content.decode("utf-8-sig").splitlines()[0].split(",")

    keys = importer.sample.splitlines()[0].split(",")
    assert guess_by_name(header, importer.fields) == dict(enumerate(keys))


def test_a_german_reads_an_event_in_spanish_in_german(ride: SmallRide) -> None:
    Event.objects.update(language="es")
    SignUp.objects.update(contact="cleo@example.org", decision=SignUp.Decision.DECLINED, decided_at=timezone.now())
    german, spanish = read_translated("de"), read_translated("es")
    known = {*german.values(), *map(capfirst, german.values()), *spanish, *list_data()}
    wanted = {"desk:event", "events:edit", "prints:list", "live:settings", "live:microphone", "players:sign_ups"}
    public = {"results:event", "results:leaderboard", "results:bike", "scorecards:history", "scorecards:group"}
    routes = set()
    for route, _who, response, content in read_everything(ride, only=wanted | public, language="de"):
        routes.add(route)
        shown = {" ".join(text.split()) for text in list_shown(response.headers["Content-Type"], content)}
        assert shown & (set(spanish.values()) - known) == set(), route
        assert b'<html lang="de"' in content or b"<html" not in content
        if route == "players:sign_ups":
            # What is sent to the rider is in the language of the event.
            assert re.search(r"href=\"mailto:cleo@example.org\?subject=[^\"]*&amp;body=Hola", unquote(content.decode()))
    assert routes == wanted | public


def test_a_reason_chosen_in_one_language_is_read_in_another(ride: SmallRide) -> None:
    desk = ride.get_desk()
    desk.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    address = ride.get_url("scorecards:desk_void")
    page = desk.get(address, ride.form_data).content.decode()
    assert "Misread" not in page
    [form] = [form for form in read_forms(page) if "operation" in form]
    desk.post(f"{address}?{urlencode(ride.form_data)}", {**form, "tapped": "misread"})

    assert OperationReason.objects.filter(text="Misread").exists()
    for language in LANGUAGES:
        desk.cookies[settings.LANGUAGE_COOKIE_NAME] = language
        history = desk.get(ride.get_url("scorecards:desk_card")).content.decode()
        assert read_translated(language)["Misread"] in history
        assert "Misread" not in history
