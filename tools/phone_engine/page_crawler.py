"""Crawls the crew's pages of an example ride and saves the engine calls that reach all of the engine's code.

The modules that the engine imports for these calls are the modules it needs. The crawl runs on this machine, in an
interpreter that is set up as on a phone; each form is submitted with each of its buttons. The calls that imported
anything are made again while the engine is bundled (`engine_bundle`), and all calls as a smoke test of the finished
build.

`python -m tools.phone_engine.page_crawler FOLDER EXTRA_GAME...` writes `engine_calls.json` and `schema.sql`.
"""

from __future__ import annotations

import json
import re
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urljoin, urlsplit

CRAWL_TIME = "2026-06-20T09:00:00+00:00"
FIELD_VALUES = {"reason": "Misread", "number": "77", "rider": "Sam", "passenger": "Kim", "make": "BMW", "to_bike": ""}
MAX_REQUESTS = 600
ENGLISH_PACK = {"language": "en-gb", "catalogues": [], "formats": {}, "books": {}}
ID = re.compile(r"[0-9a-f-]{32,36}")


class EngineCall(NamedTuple):
    """A call of one of the engine's functions.

    Attributes:
        function: its name in `scorekeeper.offline.phone`.
        text: its argument.
        status: the response status of a page, otherwise 0.
        is_importing: whether the call imports modules on a phone.
    """

    function: str
    text: str
    status: int
    is_importing: bool


@dataclass
class CrawledForm:
    """A form as a browser would send it."""

    method: str
    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class CrawledPage(HTMLParser):
    """Collects the links and forms of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[CrawledForm] = []
        self._choices: set[str] = set()
        self._select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record a link, a form, or a part of a form."""
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
        """Select the first of several options."""
        if not any(name == existing for existing, _value in self.forms[-1].fields):
            self.forms[-1].fields.append((name, value))


class PageCrawler:
    """Crawls pages: requests each kind of page and each button once or a few times."""

    def __init__(self) -> None:
        self.calls: list[EngineCall] = []
        self.operations: list[dict[str, Any]] = []
        self._seen: set[tuple[str, ...]] = set()
        self._page_queue: deque[str] = deque()
        self._form_queue: deque[tuple[str, str, str, Mapping[str, str]]] = deque()

    def crawl(self, path: str) -> None:
        """Request a page and everything that is reachable from it."""
        self._page_queue.append(path)
        while (self._page_queue or self._form_queue) and len(self.calls) < MAX_REQUESTS:
            # Pages first: a form may change what the pages link to.
            self._request(
                *(("GET", self._page_queue.popleft(), "", {}) if self._page_queue else self._form_queue.popleft())
            )

    def _request(self, method: str, path: str, body: str, headers: Mapping[str, str]) -> None:
        text = json.dumps({"method": method, "path": path, "headers": dict(headers), "body": body, "now": CRAWL_TIME})
        response, call = call_engine("answer", text)
        if call.status == 500:
            raise AssertionError(f"{method} {path} {body} fails")
        self.calls.append(call)
        self.operations += response["operations"]
        if "location" in response["headers"]:
            self._page_queue.appendleft(urljoin(path, response["headers"]["location"]).partition("#")[0])
        page = CrawledPage(response["body"])
        for link in page.links:
            self._queue_link(urljoin(path, link))
        for form in page.forms:
            self._queue_form(path, form)

    def _queue_link(self, link: str) -> None:
        parts = urlsplit(link)
        if parts.netloc or not parts.path.startswith(("/crew/", "/rules/")):
            return
        names = tuple(sorted(field.partition("=")[0] for field in parts.query.split("&") if "done" not in field))
        route = self._get_route_key(parts.path)
        # A scorecard's history links to something else after every entry.
        has_log = route.startswith("crew/bikes") and names and "did-not-start" not in route
        version = str(len(self.operations)) if has_log else ""
        if self._is_new("GET", route, *names, version, limit=1 if version else 3):
            self._page_queue.append(f"{parts.path}?{parts.query}".rstrip("?"))

    def _queue_form(self, path: str, form: CrawledForm) -> None:
        action = urljoin(path, form.action)
        fields = [(name, value) for name, value in form.fields if name != "csrfmiddlewaretoken"]
        for name, value in form.buttons or [("", "")]:
            sent = urlencode([*fields, (name, value)] if name else fields)
            # Each box of the check-in list and each operation has a name or a value of its own.
            button = (ID.sub("", name), ID.sub("", value))
            if not self._is_new(
                form.method, self._get_route_key(action), _find_field(fields, "contest"), *button, limit=2
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
        # Each table can be of a different game.
        return f"{match.route} {match.kwargs.get('card_id', '')}"

    def _is_new(self, *key: str, limit: int) -> bool:
        for number in range(limit):
            if (*key, str(number)) not in self._seen:
                self._seen.add((*key, str(number)))
                return True
        return False


def _find_field(fields: list[tuple[str, str]], wanted: str) -> str:
    return next((value for name, value in fields if name == wanted), "")


def call_engine(function: str, text: str) -> tuple[Any, EngineCall]:
    """Call a function of `scorekeeper.offline.phone`; return its result, and the call."""
    from scorekeeper.offline import phone

    modules = len(sys.modules)
    result = json.loads(getattr(phone, function)(text))
    status = result["status"] if function == "answer" else 0
    # Making the example has imported some of what a phone imports when it loads one.
    return result, EngineCall(function, text, status, function == "load" or len(sys.modules) > modules)


def list_engine_calls(example: Mapping[str, Any]) -> Iterator[EngineCall]:
    """Call every function of `scorekeeper.offline.phone` for every game, and yield the calls."""
    from scorekeeper.common.game_adapter import list_games

    yield call_engine("set_language", json.dumps(ENGLISH_PACK))[1]
    yield call_engine("score_lines", "{\n")[1]
    for key, game in list_games().items():
        seats = [f"seat {seat}" for seat in range(game.seat_limits[0])]
        yield call_engine("score", json.dumps({"ruleset": key, "seats": seats, "actions": []}))[1]
    yield call_engine("load", json.dumps({"ride": example, "operations": []}))[1]
    crawl = PageCrawler()
    crawl.crawl("/crew/")
    for path in ("/crew/bikes/nobody/", "/crew/join/token/", "/desk/", "/crew/tables/new/a-contest/"):
        crawl.crawl(path)
    yield from crawl.calls
    unreadable = {"id": "0f8fad5b-d9cb-469f-a165-70867728950e", "kind": "turn"}
    yield call_engine("load", json.dumps({"ride": example, "operations": [*crawl.operations, unreadable]}))[1]


def main(folder: str, *extra_games: str) -> None:
    """Write the files that a build needs."""
    from tools.phone_engine import phone_settings

    root = Path(__file__).parents[2]
    phone_settings.set_up_django(str(root / "templates"), extra_games)
    from scorekeeper.offline import phone_database, time_zones
    from tools.phone_engine.example_ride import EXAMPLE_ZONE, create_example_ride

    Path(folder, "schema.sql").write_text(phone_database.build_schema(), "utf-8")
    phone_database.reset_database()
    assert time_zones.read_zone_file(EXAMPLE_ZONE)
    calls = list(list_engine_calls(create_example_ride()))
    Path(folder, "engine_calls.json").write_text(json.dumps(calls), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
