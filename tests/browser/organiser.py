"""The organiser without a browser, who follows the links of desk pages and submits their forms.

The desk has its own browser tests. What a phone shows does not depend on how the organiser's pages look.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any, NamedTuple
from urllib.parse import urljoin

from django.utils.text import slugify

from tests.cluster.http_client import HttpAnswer, HttpClient
from tests.demo_data import DemoRide


class Form(NamedTuple):
    """A form of a page.

    Attributes:
        action: where it is sent; empty for the page's own URL.
        names: the names of all its fields.
        fields: the values that a browser would send without a button, by name.
        buttons: name and value of each button, by its text.
        options: the values of lists, by the text of their option.
    """

    action: str
    names: set[str]
    fields: dict[str, list[str]]
    buttons: dict[str, tuple[str, str]]
    options: dict[str, str]

    def find_name(self, name: str) -> str:
        """Return the name of a field, which may have a prefix."""
        return next((full for full in self.names if full == name or full.endswith(f"-{name}")), name)


class _Parser(HTMLParser):
    """Collects the links and forms of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.forms: list[Form] = []
        self.inputs: list[str] = []
        self._open: dict[str, dict[str, str]] = {}
        self._texts: dict[str, str] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if self.forms and tag in ("input", "select", "textarea"):
            self.forms[-1].names.add(given.get("name", ""))
        if tag == "form":
            self.forms.append(Form(given.get("action", ""), set(), {}, {}, {}))
        elif tag in ("a", "button", "option"):
            self._open[tag], self._texts[tag] = given, ""
        elif tag == "select":
            self._open[tag] = given
        elif tag == "input":
            self.inputs.append(given.get("value", ""))
            is_choice = given.get("type") in ("checkbox", "radio")
            default = "on" if is_choice else ""
            is_unchecked = is_choice and "checked" not in given
            if self.forms and "name" in given and not is_unchecked:
                self.forms[-1].fields.setdefault(given["name"], []).append(given.get("value", default))

    def handle_data(self, data: str) -> None:
        for tag in self._texts:
            self._texts[tag] += data

    def handle_endtag(self, tag: str) -> None:
        given = self._open.pop(tag, None)
        if given is None:
            return
        text = " ".join(self._texts.pop(tag, "").split())
        if tag == "a":
            self.links.append((text, given.get("href", "")))
        elif not self.forms:
            return
        elif tag == "button":
            self.forms[-1].buttons.setdefault(text, (given.get("name", ""), given.get("value", "")))
        elif tag == "option":
            value, name = given.get("value", text), self._open["select"]["name"]
            self.forms[-1].options.setdefault(text, value)
            # Without a selected option, a browser sends the first.
            if "selected" in given or name not in self.forms[-1].fields:
                self.forms[-1].fields[name] = [value]


class Organiser:
    """The organiser of a ride.

    Attributes:
        page: the page that was requested last.
    """

    page: HttpAnswer

    def __init__(self, client: HttpClient, ride: DemoRide) -> None:
        """Args: client: one that is signed in."""
        self._client = client
        self._ride = ride

    @property
    def desk(self) -> str:
        """The path of the ride's desk."""
        return self._ride.desk

    @staticmethod
    def sign_in(url: str, name: str, password: str) -> HttpClient:
        """Return a client that is signed in."""
        client = HttpClient(url)
        client.press(client.get("/sign-in/"), username=name, password=password)
        return client

    def set_up(self, game: str, stops: Sequence[str], roster: str, **options: Any) -> None:
        """Add stops with a turn each, the contest, Rita as a road captain and the roster, and open the event.

        Args:
            roster: a CSV file whose bikes ride in “Group one”.
            options: of the game, where they differ from the usual.
        """
        for stop in stops:
            self.open("stops/")
            self.submit("Add the stop", name=stop)
        self.open(f"contests/new/{game}/")
        self.submit("Add the contest", **{f"options.{name}": value for name, value in options.items()})
        turns: dict[str, Any] = dict.fromkeys(re.findall(r'name="(stop_[^"]+)"', self.page.text), 1)
        assert len(turns) == len(stops)
        self.submit("Save the turns", **turns)
        self.open("groups/")
        self.submit("Add the group", name="Group one")
        self.follow("Add crew")
        self.submit("Add", name="Rita", role="road_captain")
        self.open("bikes/import/")
        self.submit("Check the import", text=roster)
        self.submit("Import", text=roster)
        assert f"{len(roster.splitlines()) - 1} bikes added" in self.page.text
        self.open("open/")
        self.submit("Open the event")
        assert " is open." in self.page.text

    def open(self, path: str) -> None:
        """Open a page, by its path below the ride's."""
        self._accept(self._client.get(f"{self._ride.desk}{path}"))

    def read(self, url: str) -> str:
        """Return a page without leaving the current one."""
        return self._client.get(url).text

    def follow(self, text: str) -> None:
        """Follow the first link whose text begins like this."""
        self._accept(self._client.get(urljoin(self.page.url, self._find_link(text))))

    def submit(self, button: str, action: str = "", **fields: Any) -> None:
        """Submit the first form with a button that begins like this; a value may be the text of an option.

        Args:
            action: a part of the URL that the form is sent to.
        """
        found = [
            (form, form.buttons[text])
            for form in self._parse().forms
            for text in form.buttons
            if text.startswith(button) and action in form.action
        ]
        assert found, f"no button {button}: {self.page.text}"
        form, pressed = found[0]
        values = {form.find_name(name): form.options.get(str(value), value) for name, value in fields.items()}
        sent = {**form.fields, **values, **({pressed[0]: pressed[1]} if pressed[0] else {})}
        self._accept(self._client.post(urljoin(self.page.url, form.action), sent))
        assert 'class="error-summary"' not in self.page.text, self.page.text

    def make_link(self, name: str) -> str:
        """Make a link for a crew member; return its path."""
        self.open("groups/")
        self.follow(name)
        self.submit("Create a link")
        [link] = [value for value in self._parse().inputs if "/crew/join/" in value]
        return link.removeprefix(self._client.url)

    def send_message(self, text: str) -> None:
        """Send a message to the crew."""
        self.open("messages/")
        self.submit("Send", text=text)
        assert "The message has been sent." in self.page.text

    def delete_ride(self, name: str) -> None:
        """Delete the ride of this name."""
        self.open("delete/")
        self.submit("Delete the event", name=name)
        assert "has been deleted" in self.page.text

    def create_table(self, contest: str, *players: str) -> None:
        """Create a table of a contest for players as its lists show them."""
        self.open(f"contests/{slugify(contest)}/tables/new/")
        self.submit("Create", **{f"seat_{seat}": player for seat, player in enumerate(players, 1)})

    def _accept(self, page: HttpAnswer) -> None:
        assert page.status_code == 200, page.text
        self.page = page

    def _find_link(self, text: str) -> str:
        found = next((href for words, href in self._parse().links if words.startswith(text)), None)
        assert found is not None, f"no link {text}: {self.page.text}"
        return found

    def _parse(self) -> _Parser:
        return _Parser(self.page.text)
