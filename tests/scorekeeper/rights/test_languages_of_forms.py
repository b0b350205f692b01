"""What a page answers to its forms has no English in it either: refusals, questions, and what was done.

Every form of every page is sent by everybody who gets it, in each language: as it is with each of its buttons, with
nothing filled in, and with what no field accepts. The answer is read after its redirects, by the check of the pages
themselves, and what it changed is undone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import Resolver404, resolve
from pytest_django import Settings

from scorekeeper.audience.services import freeze_standings
from scorekeeper.bikes.models import Bike
from scorekeeper.common.rights_check import list_routes
from scorekeeper.events.models import Event
from scorekeeper.rights import ROUTES
from scorekeeper.standings.services.closure import close_contest
from tests.faults.scale import FULL
from tests.scorekeeper.api.conftest import rollback_at_end
from tests.scorekeeper.rights.every_response import FAR_BIKE, add_far_bike, list_addresses
from tests.scorekeeper.rights.roles import ROLES
from tests.scorekeeper.rights.small_ride import SmallRide, enable_authority_pages, make_small_ride
from tests.scorekeeper.rights.test_hands_in_words import make_official
from tests.scorekeeper.rights.test_languages import LANGUAGES, list_data, list_english, list_shown, read_translated
from tests.scorekeeper.rights.test_pages_embargo import add_turn, get_desk_actor, refresh

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(900)]

NONSENSE = "Zzyzx"  # in no language
ROSTER = f"number,rider\n80,{NONSENSE}\n80,{NONSENSE}\n"
DEPTH = 2  # of answers whose forms are sent, too
MAX_VALUES = 2  # of buttons with one name, such as all boxes of a scorecard
NOT_SENT = {"events:language"}
CHOICES = ("radio", "checkbox")
NOT_TYPED = ("hidden", "submit", *CHOICES)


class Field(NamedTuple):
    """A field of a form. `value` is what a browser sends; `is_sent` says whether it does if nobody changes that."""

    name: str
    kind: str
    value: str
    is_sent: bool = True


class Form:
    """A form of a page."""

    def __init__(self, method: str, action: str) -> None:
        self.method = method
        self.action = action
        self.fields: list[Field] = []
        self.buttons: list[tuple[str, str]] = []

    def list_sent(self) -> Iterator[Mapping[str, Any]]:
        """Yield the fields in each way in which the form is sent."""
        given = [_fill_in(field) for field in self.fields if field.is_sent]
        for button in self._choose_buttons():
            yield _collect([*given, *button])
        first = self._choose_buttons()[0]
        hidden = [field for field in given if field.kind == "hidden"]
        for text in ("", NONSENSE):
            typed = [Field(name, kind, text) for name, kind, _value, _is_sent in self.fields if kind not in NOT_TYPED]
            if typed:
                yield _collect([*hidden, *typed, *first])
        if any(field.kind in CHOICES for field in self.fields):
            yield _collect([*(field for field in self.fields), *first])  # everything ticked
            yield _collect([*(field for field in given if field.kind not in CHOICES), *first])
        if len(hidden) > 1:
            yield _collect([*(Field(name, kind, NONSENSE) for name, kind, _value, _is_sent in hidden), *first])

    def _choose_buttons(self) -> list[list[Field]]:
        chosen: dict[str, list[str]] = {}
        for name, value in self.buttons or [("", "")]:
            values = chosen.setdefault(re.sub(r":.*", "", name), [])
            button = f"{name}\n{value}"
            if len(values) < MAX_VALUES and button not in values:
                values.append(button)
        pressed = [text.partition("\n") for values in chosen.values() for text in values]
        return [[Field(name, "submit", value)] if name else [] for name, _, value in pressed]


def _fill_in(field: Field) -> Field:
    """Return a field with something that it may accept, if it is empty."""
    values = {"number": "7", "date": "2036-06-21", "email": "a@example.org", "textarea": ROSTER, "file": "a.csv"}
    is_empty = not field.value and field.kind not in (*NOT_TYPED, "select")
    return field._replace(value=values.get(field.kind, NONSENSE)) if is_empty else field


def _collect(fields: list[Field]) -> dict[str, Any]:
    found: dict[str, list[Any]] = {}
    for name, kind, value, _is_sent in fields:
        is_file = kind == "file"
        found.setdefault(name, []).append(SimpleUploadedFile("a.csv", ROSTER.encode()) if is_file else value)
    return {name: values if len(values) > 1 else values[0] for name, values in found.items()}


class Forms(HTMLParser):
    """Collects the forms of a page."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Form] = []
        self._by_id: dict[str, Form] = {}
        self._open: Form | None = None
        self._select: Mapping[str, str] = {}
        self._options: list[tuple[str, bool]] = []
        self._textarea = ""
        self._text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = Form(given.get("method", "get").lower(), given.get("action", ""))
            self.found.append(self._open)
            self._by_id[given.get("id", "")] = self._open
        form = self._by_id.get(given["form"]) if "form" in given else self._open
        if form is None or "disabled" in given:
            return
        name, value, kind = given.get("name", ""), given.get("value", ""), given.get("type", "text")
        if (tag, kind) == ("input", "submit") or (tag == "button" and kind != "button"):
            form.buttons.append((name, value))
        elif tag == "input" and name:
            is_sent = kind not in CHOICES or "checked" in given
            form.fields.append(Field(name, kind, given.get("value", "on" if kind in CHOICES else ""), is_sent))
        elif tag == "select":
            self._select, self._options = given, []
        elif tag == "option":
            self._options.append((value, "selected" in given))
        elif tag == "textarea":
            self._textarea, self._text = name, ""

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "select" and self._open and self._options:
            chosen = next((value for value, is_selected in self._options if is_selected), self._options[0][0])
            self._open.fields.append(Field(self._select.get("name", ""), "select", chosen))
        elif tag == "textarea" and self._open:
            self._open.fields.append(Field(self._textarea, "textarea", self._text.removeprefix("\n")))
            self._textarea = ""


@pytest.fixture
def ride(settings: Settings, tmp_path: Path) -> SmallRide:
    enable_authority_pages(settings, tmp_path)
    ride = make_small_ride("Quokka")
    add_far_bike(ride)
    refresh(ride)
    return ride


def make_people(ride: SmallRide, language: str) -> Mapping[str, Client]:
    people = {
        "organiser": ride.get_desk(),
        "captain": ride.get_phone(ride.captain),
        "gunner": ride.get_phone(ride.gunner),
        "nobody": Client(),
    }
    for client in people.values():
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    return people


class Walk:
    """Sends the forms of pages, and those of their answers, each once."""

    def __init__(self, language: str) -> None:
        self.sent = 0
        self.found: dict[str, set[str]] = {}
        self._translated = read_translated(language)
        self._data = [*list_data(), NONSENSE, *re.findall(r"\w+", ROSTER), "a.csv"]
        self._seen: set[Any] = set()

    def send_forms(self, who: str, client: Client, page: Any, depth: int = 0) -> None:
        """Send the forms of a page that somebody got; what they change is undone."""
        if "html" not in page.headers.get("Content-Type", "") or page.streaming:
            return
        here = page.request["PATH_INFO"] + (f"?{query}" if (query := page.request["QUERY_STRING"]) else "")
        for form in Forms(page.content.decode()).found:
            target = urljoin(here, form.action) if form.action else here
            if self._is_new(who, target, form):
                for fields in form.list_sent():
                    self._send(who, client, form, target, fields, depth)

    def _is_new(self, who: str, target: str, form: Form) -> bool:
        try:
            route = resolve(urlsplit(target).path).view_name
        except Resolver404:
            return False
        key = (
            route,
            form.method,
            *(
                frozenset(map(_name, names))
                for names in ([field.name for field in form.fields], [name for name, _value in form.buttons])
            ),
        )
        is_new = route not in NOT_SENT and key not in self._seen
        self._seen.add(key)
        return is_new

    def _send(self, who: str, client: Client, form: Form, target: str, fields: Mapping[str, Any], depth: int) -> None:
        with rollback_at_end():
            method = client.post if form.method == "post" else client.get
            answer: Any = _keep_cookies(client, lambda: method(target, dict(fields), follow=True))
            self.sent += 1
            content = b"".join(answer.streaming_content) if answer.streaming else answer.content
            shown = list_shown(answer.headers.get("Content-Type", ""), content)
            for text in list_english(shown, self._data, self._translated):
                self.found.setdefault(text, set()).add(f"{who}, {target}, {dict(fields)}, {answer.status_code}")
            if depth < DEPTH:
                self.send_forms(who, client, answer, depth + 1)


def _name(name: str) -> str:
    """Return the name of a field without what it is about."""
    return re.sub(r"[-0-9a-f]{36}|\d+|:.*", "", name)


def _keep_cookies(client: Client, send: Any) -> Any:
    """Return the answer to a request, and undo what it did to the browser."""
    before = {name: morsel.value for name, morsel in client.cookies.items()}
    response = send()
    client.cookies.clear()
    for name, value in before.items():
        client.cookies[name] = value
    return response


def leave_open(ride: SmallRide) -> None:
    """Leave the contest open."""


def tie(ride: SmallRide) -> None:
    """Close the contest with two bikes tied, before a reveal."""
    freeze_standings(Event.objects.get(pk=ride.ids["event"]))
    add_turn(ride, Bike.objects.get(number=FAR_BIKE), "slot", 20)
    refresh(ride)
    close_contest(get_desk_actor(ride), uuid4(), ride.ids["yahtzee"], ride.word)
    refresh(ride)


STATES = {"de": leave_open, "es": tie, "fr": make_official}
# What differs between languages are the catalogues, which have tests of their own. A full run has all combinations.
CASES = (
    [(language, STATES[language]) for language in LANGUAGES]
    if not FULL
    else [(language, state) for language in LANGUAGES for state in STATES.values()]
)


@pytest.mark.parametrize(("language", "change"), CASES)
def test_no_answer_to_a_form_is_in_english(ride: SmallRide, language: str, change: Callable[[SmallRide], None]) -> None:
    Event.objects.update(language=language)
    change(ride)
    walk = Walk(language)
    for who, client in make_people(ride, language).items():
        for route in list_routes():
            if ROUTES[route].get("GET") not in ROLES[who] or route.startswith("api:"):
                continue
            for address in list_addresses(ride, route):
                get = partial(client.get, address, ride.form_data, follow=True)
                walk.send_forms(who, client, _keep_cookies(client, get))
    assert walk.sent > 500, "too few forms were found"
    assert not walk.found, "\n".join(f"{text}: {min(places)}" for text, places in sorted(walk.found.items()))
