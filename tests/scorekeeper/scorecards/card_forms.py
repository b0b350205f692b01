"""Test helpers for the entry pages: read a page's form and send it back with a button pressed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.urls import reverse

from tests.scorekeeper.conftest import Ride

HTMX = {"HX-Request": "true"}
FORM_TAG = re.compile(r'<(?:form|button|input)\b(?:[^">]|"[^"]*")*>')


@dataclass
class _Forms(HTMLParser):
    """Collects the fields of each form that a browser would send without a button."""

    forms: list[dict[str, list[str]]] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._is_menu = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._is_menu = given.get("class") == "languages"  # below each page
        if self._is_menu:
            return
        if tag == "form":
            self.forms.append({})
        if tag == "button" and "name" in given:
            self.buttons.append((given["name"], given.get("value", "")))
        is_unchecked = given.get("type") in ("checkbox", "radio") and "checked" not in given
        if tag == "input" and "name" in given and self.forms and not is_unchecked:
            self.forms[-1].setdefault(given["name"], []).append(given.get("value", ""))


def _parse_forms(response: Any) -> _Forms:
    parser = _Forms()
    # Parsing all of each page took a tenth of the time of the page tests.
    parser.feed("".join(FORM_TAG.findall(response.content.decode())))
    return parser


def list_forms(response: Any) -> list[dict[str, list[str]]]:
    """Return the fields of each form of the page, by name."""
    return _parse_forms(response).forms


def read_form(response: Any, place: int = 0) -> dict[str, list[str]]:
    """Return the fields of a form of the page, by name."""
    return list_forms(response)[place]


def list_buttons(response: Any, name: str) -> list[str]:
    """Return the values of the page's buttons with this name, in order."""
    return [value for button, value in _parse_forms(response).buttons if button == name]


def card_url(ride: Ride, number: int, slot: int | None = None, **query: Any) -> str:
    """Return the URL of a bike's card, optionally for a slot."""
    if slot is not None:
        query["slot"] = ride.slots[slot - 1].pk
    url = reverse("scorecards:card", args=[ride.bikes[number].pk])
    return url + "?" + "&".join(f"{name}={value}" for name, value in query.items())


def crew_url(ride: Ride, number: int, page: str) -> str:
    """Return the URL of one of the crew's pages about a bike."""
    return reverse(f"scorecards:{page}", args=[ride.bikes[number].pk])


def press(phone: Any, page: Any, **pressed: Any) -> Any:
    """Send the card's form back with a button pressed and the given fields changed."""
    data = {**read_form(page), **pressed}
    return phone.post(page.wsgi_request.path, data)


def tap_dice(phone: Any, page: Any, faces: str) -> Any:
    """Tap dice. All but the last are sent with the last, as the page's script sends them."""
    return press(phone, page, dice=[*read_form(page).get("dice", ()), *faces[:-1]], face=faces[-1])
