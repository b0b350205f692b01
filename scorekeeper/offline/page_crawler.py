"""The rehearsal of the phone's engine: the questions that take it once through all its work.

What the engine imports for them is what it needs. They are made on this machine, by a crawl over the crew's pages of an
example in an interpreter that is set up as on a phone; a form is sent back with each of its buttons. The same questions
are asked of the engine while it is slimmed, and again when it is built.

`python -m scorekeeper.offline.page_crawler FOLDER EXTRA_GAME...` writes `engine_calls.json` and `schema.sql`.
"""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

EngineCall = tuple[str, str, int]  # the question, its text, and of a page the status it is answered with (else 0)

CRAWL_TIME = "2026-06-20T09:00:00+00:00"
FIELD_VALUES = {"reason": "So it was", "number": "77", "rider": "Sam", "passenger": "Kim", "make": "BMW", "to_bike": ""}
MAX_REQUESTS = 600  # requests


@dataclass
class CrawledForm:
    """A form as a browser would send it."""

    method: str
    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class CrawledPage(HTMLParser):
    """Collects where a page leads."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[CrawledForm] = []
        self._choices: set[str] = set()
        self._select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a link, a form, or a part of a form."""
        given = {name: value or "" for name, value in attrs}
        name, value = given.get("name", ""), given.get("value", "")
        if tag == "a":
            self.links.append(given.get("href", ""))
        elif tag == "form":
            self.forms.append(CrawledForm(given.get("method", "get"), given.get("action", "")))
        elif not self.forms:
            pass
        elif tag == "button" and given.get("type", "submit") == "submit":
            self.forms[-1].buttons.append((name, value))
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and value:
            self._add_first_choice(self._select, value)
        elif tag == "input" and given.get("type") in ("radio", "checkbox"):
            self._add_first_choice(name, value)
        elif tag in ("input", "textarea") and name:
            self.forms[-1].fields.append((name, value or FIELD_VALUES.get(name, "")))

    def _add_first_choice(self, name: str, value: str) -> None:
        """Choose the first of several."""
        if not any(name == known for known, _value in self.forms[-1].fields):
            self.forms[-1].fields.append((name, value))


class PageCrawler:
    """A walk over the pages, each kind of page and each button once or a few times."""

    def __init__(self) -> None:
        self.calls: list[EngineCall] = []
        self.operations: list[dict[str, Any]] = []
        self._seen: set[tuple[str, ...]] = set()
        self._page_queue: deque[str] = deque()
        self._form_queue: deque[tuple[str, str, str, Mapping[str, str]]] = deque()

    def crawl(self, path: str) -> None:
        """Go wherever one gets to from there."""
        self._page_queue.append(path)
        while (self._page_queue or self._form_queue) and len(self.calls) < MAX_REQUESTS:
            # Pages first: what a form changes may be all that a page would have led to.
            self._request(
                *(("GET", self._page_queue.popleft(), "", {}) if self._page_queue else self._form_queue.popleft())
            )

    def _request(self, method: str, path: str, body: str, headers: Mapping[str, str]) -> None:
        from scorekeeper.offline import phone

        text = json.dumps({"method": method, "path": path, "headers": dict(headers), "body": body, "now": CRAWL_TIME})
        told = json.loads(phone.answer(text))
        if told["status"] == 500:
            raise AssertionError(f"{method} {path} {body} fails")
        self.calls.append(("answer", text, told["status"]))
        self.operations += told["operations"]
        if "location" in told["headers"]:
            self._page_queue.appendleft(urljoin(path, told["headers"]["location"]))
        page = CrawledPage(told["body"])
        for link in page.links:
            self._queue_link(urljoin(path, link))
        for form in page.forms:
            self._queue_form(path, form)

    def _queue_link(self, link: str) -> None:
        parts = urlsplit(link)
        if parts.netloc or not parts.path.startswith(("/crew/", "/rules/")):
            return
        names = tuple(sorted(one.partition("=")[0] for one in parts.query.split("&") if "done" not in one))
        route = self._get_route_key(parts.path)
        # What a card's history leads to is another thing after every note.
        since = str(len(self.operations)) if route.startswith("crew/bikes") and names else ""
        if self._is_new("GET", route, *names, since, most=1 if since else 3):
            self._page_queue.append(f"{parts.path}?{parts.query}".rstrip("?"))

    def _queue_form(self, path: str, form: CrawledForm) -> None:
        action = urljoin(path, form.action)
        fields = [(name, value) for name, value in form.fields if name != "csrfmiddlewaretoken"]
        for name, value in form.buttons or [("", "")]:
            sent = urlencode([*fields, (name, value)] if name else fields)
            if not self._is_new(
                form.method, self._get_route_key(action), _find_field(fields, "contest"), name, value, most=2
            ):
                continue
            if form.method == "get":
                self._page_queue.append(f"{urlsplit(action).path}?{sent}")
            else:
                headers = {"hx-request": "true"} if len(self.calls) % 2 else {}
                self._form_queue.append(("POST", action, sent, headers))

    def _get_route_key(self, path: str) -> str:
        from django.urls import resolve

        match = resolve(urlsplit(path).path)
        # Each table may be of another game.
        return f"{match.route} {match.kwargs.get('card_id', '')}"

    def _is_new(self, *key: str, most: int) -> bool:
        for number in range(most):
            if (*key, str(number)) not in self._seen:
                self._seen.add((*key, str(number)))
                return True
        return False


def _find_field(fields: list[tuple[str, str]], wanted: str) -> str:
    return next((value for name, value in fields if name == wanted), "")


def list_engine_calls(example: Mapping[str, Any]) -> Iterator[EngineCall]:
    """Return questions to `scorekeeper.offline.phone`, asking them: every function, for every game."""
    from scorekeeper.common.game_adapter import list_games
    from scorekeeper.offline import phone

    yield "score_lines", "{\n", 0
    for key, game in list_games().items():
        seats = [f"seat {seat}" for seat in range(game.seat_limits[0])]
        yield "score", json.dumps({"ruleset": key, "seats": seats, "actions": []}), 0
    text = json.dumps({"ride": example, "operations": []})
    phone.load(text)
    yield "load", text, 0
    crawl = PageCrawler()
    crawl.crawl("/crew/")
    for path in ("/crew/bikes/nobody/", "/crew/join/token/", "/desk/", "/crew/tables/new/a-contest/"):
        crawl.crawl(path)
    yield from crawl.calls
    unreadable = {"id": "0f8fad5b-d9cb-469f-a165-70867728950e", "kind": "turn"}
    yield "load", json.dumps({"ride": example, "operations": [*crawl.operations, unreadable]}), 0


def main(folder: str, *extra_games: str) -> None:
    """Write what a build needs to know."""
    from scorekeeper.offline import phone_settings

    root = Path(__file__).parents[2]
    phone_settings.set_up_django(str(root / "templates"), extra_games, makes_tables=True)
    from scorekeeper.offline import phone_database, time_zones
    from scorekeeper.offline.example_ride import EXAMPLE_ZONE, create_example_ride

    Path(folder, "schema.sql").write_text(phone_database.build_schema(), "utf-8")
    phone_database.reset_database()
    assert time_zones.read_zone_file(EXAMPLE_ZONE)
    questions = list(list_engine_calls(create_example_ride()))
    Path(folder, "engine_calls.json").write_text(json.dumps(questions), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
