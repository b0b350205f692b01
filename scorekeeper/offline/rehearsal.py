"""The rehearsal of the phone's engine: the questions that take it once through all its work.

What the engine imports for them is what it needs. They are made on this machine, by a crawl over the crew's pages of an
example in an interpreter that is set up as on a phone; a form is sent back with each of its buttons. The same questions
are asked of the engine while it is slimmed, and again when it is built.

`python -m scorekeeper.offline.rehearsal FOLDER EXTRA_GAME...` writes `questions.json` and `schema.sql`.
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

Question = tuple[str, str, int]  # the question, its text, and of a page the status it is answered with (else 0)

NOW = "2026-06-20T09:00:00+00:00"
TYPED = {"reason": "So it was", "number": "77", "rider": "Sam", "passenger": "Kim", "make": "BMW", "to_bike": ""}
MOST = 600  # requests


@dataclass
class Form:
    """A form as a browser would send it."""

    method: str
    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class Page(HTMLParser):
    """Collects where a page leads."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[Form] = []
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
            self.forms.append(Form(given.get("method", "get"), given.get("action", "")))
        elif not self.forms:
            pass
        elif tag == "button" and given.get("type", "submit") == "submit":
            self.forms[-1].buttons.append((name, value))
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and value:
            self._choose(self._select, value)
        elif tag == "input" and given.get("type") in ("radio", "checkbox"):
            self._choose(name, value)
        elif tag in ("input", "textarea") and name:
            self.forms[-1].fields.append((name, value or TYPED.get(name, "")))

    def _choose(self, name: str, value: str) -> None:
        """Choose the first of several."""
        if not any(name == known for known, _value in self.forms[-1].fields):
            self.forms[-1].fields.append((name, value))


class Crawl:
    """A walk over the pages, each kind of page and each button once or a few times."""

    def __init__(self) -> None:
        self.asked: list[Question] = []
        self.recorded: list[dict[str, Any]] = []
        self._seen: set[tuple[str, ...]] = set()
        self._to_look_at: deque[str] = deque()
        self._to_send: deque[tuple[str, str, str, Mapping[str, str]]] = deque()

    def walk(self, path: str) -> None:
        """Go wherever one gets to from there."""
        self._to_look_at.append(path)
        while (self._to_look_at or self._to_send) and len(self.asked) < MOST:
            # Pages first: what a form changes may be all that a page would have led to.
            self._ask(*(("GET", self._to_look_at.popleft(), "", {}) if self._to_look_at else self._to_send.popleft()))

    def _ask(self, method: str, path: str, body: str, headers: Mapping[str, str]) -> None:
        from scorekeeper.offline import phone

        text = json.dumps({"method": method, "path": path, "headers": dict(headers), "body": body, "now": NOW})
        told = json.loads(phone.answer(text))
        if told["status"] == 500:
            raise AssertionError(f"{method} {path} {body} fails")
        self.asked.append(("answer", text, told["status"]))
        self.recorded += told["operations"]
        if "location" in told["headers"]:
            self._to_look_at.appendleft(urljoin(path, told["headers"]["location"]))
        page = Page(told["body"])
        for link in page.links:
            self._follow(urljoin(path, link))
        for form in page.forms:
            self._send(path, form)

    def _follow(self, link: str) -> None:
        parts = urlsplit(link)
        if parts.netloc or not parts.path.startswith(("/crew/", "/rules/")):
            return
        names = tuple(sorted(one.partition("=")[0] for one in parts.query.split("&") if "done" not in one))
        route = self._name_route(parts.path)
        # What a card's history leads to is another thing after every note.
        since = str(len(self.recorded)) if route.startswith("crew/bikes") and names else ""
        if self._is_new("GET", route, *names, since, most=1 if since else 3):
            self._to_look_at.append(f"{parts.path}?{parts.query}".rstrip("?"))

    def _send(self, path: str, form: Form) -> None:
        action = urljoin(path, form.action)
        fields = [(name, value) for name, value in form.fields if name != "csrfmiddlewaretoken"]
        for name, value in form.buttons or [("", "")]:
            sent = urlencode([*fields, (name, value)] if name else fields)
            if not self._is_new(form.method, self._name_route(action), _find(fields, "contest"), name, value, most=2):
                continue
            if form.method == "get":
                self._to_look_at.append(f"{urlsplit(action).path}?{sent}")
            else:
                headers = {"hx-request": "true"} if len(self.asked) % 2 else {}
                self._to_send.append(("POST", action, sent, headers))

    def _name_route(self, path: str) -> str:
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


def _find(fields: list[tuple[str, str]], wanted: str) -> str:
    return next((value for name, value in fields if name == wanted), "")


def list_questions(example: Mapping[str, Any]) -> Iterator[Question]:
    """Return questions to `scorekeeper.offline.phone`, asking them: every function, for every game."""
    from scorekeeper.common.rules import list_games
    from scorekeeper.offline import phone

    yield "score_lines", "{\n", 0
    for key, game in list_games().items():
        seats = [f"seat {seat}" for seat in range(game.seat_limits[0])]
        yield "score", json.dumps({"ruleset": key, "seats": seats, "actions": []}), 0
    text = json.dumps({"ride": example, "operations": []})
    phone.load(text)
    yield "load", text, 0
    crawl = Crawl()
    crawl.walk("/crew/")
    for path in ("/crew/bikes/nobody/", "/crew/join/token/", "/desk/", "/crew/tables/new/a-contest/"):
        crawl.walk(path)
    yield from crawl.asked
    unreadable = {"id": "0f8fad5b-d9cb-469f-a165-70867728950e", "kind": "turn"}
    yield "load", json.dumps({"ride": example, "operations": [*crawl.recorded, unreadable]}), 0


def main(folder: str, *extra_games: str) -> None:
    """Write what a build needs to know."""
    from scorekeeper.offline import django_alone

    root = Path(__file__).parents[2]
    django_alone.set_up(str(root / "templates"), extra_games, makes_tables=True)
    from scorekeeper.offline import database, zones
    from scorekeeper.offline.examples import ZONE, make_example

    Path(folder, "schema.sql").write_text(database.make_schema(), "utf-8")
    database.start_afresh()
    assert zones.read_zone(ZONE)
    questions = list(list_questions(make_example()))
    Path(folder, "questions.json").write_text(json.dumps(questions), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
