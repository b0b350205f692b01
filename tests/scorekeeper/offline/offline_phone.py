"""A phone of the crew and its twin without signal: the same requests go to the server and to the phone's engine.

What the engine answers is held to what the server answers, but for what is made anew for each page: ids of operations,
tokens of forms, times of the day. What a request records on the phone goes to the server as a phone would send it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

from django.test import Client
from django.utils import timezone

from tests.offline.engine_process import Engine
from tests.scorekeeper.offline.ride_copy import RideCopy

GENERATED_VALUES = (
    r'name="csrfmiddlewaretoken" value="[^"]*"',
    r'name="operation" value="[^"]*"',
    r'name="bike" value="[^"]*" id',
    r"\b\d\d:\d\d\b",
)
# Said on a phone alone: what a form that only it was sent has done, that it is not sent yet, and what it does not know.
PHONE_ONLY = (
    r'<div class="notices">.*?</div>\s*</div>',
    r'<span class="sync-line.*?</span>',
    r'<p class="hint">\s*[^<]*: not on this phone, look at the rider(&#x27;|\')s card\.\s*</p>',
)


@dataclass
class PhoneResponse:
    """What the phone answered, as the test client's responses are read."""

    status_code: int
    content: bytes
    url: str
    wsgi_request: Any
    operations: list[dict[str, Any]]


class OfflinePhone:
    """A phone with the ride as the server told it, and the same phone with signal."""

    def __init__(self, engine: Engine, client: Client) -> None:
        self.engine, self.client = engine, client
        self.copy = RideCopy(client)
        self.sent: list[dict[str, Any]] = []
        self.pending: list[dict[str, Any]] = []
        self.is_connected = True
        self.load()

    def load(self) -> list[dict[str, Any]]:
        """Fetch the ride and load it with what is not sent yet; return the problems."""
        self.copy.refresh()
        told = json.loads(self.engine.call("load", json.dumps({"ride": self.copy.ride, "operations": self.pending})))
        problems: list[dict[str, Any]] = told["problems"]
        return problems

    def request(self, method: str, path: str, body: str = "", headers: dict[str, str] | None = None) -> PhoneResponse:
        """Ask the phone alone."""
        now = timezone.now().isoformat()
        given = {name.lower(): value for name, value in (headers or {}).items()}
        asked = {"method": method, "path": path, "headers": given, "body": body, "now": now}
        told = json.loads(self.engine.call("answer", json.dumps(asked)))
        request = SimpleNamespace(path=path.partition("?")[0])
        url = told["headers"].get("location", "")
        return PhoneResponse(told["status"], told["body"].encode(), url, request, told["operations"])

    def get(self, path: str, headers: dict[str, str] | None = None) -> PhoneResponse:
        """Ask both for a page, and return the phone's."""
        answer = self.request("GET", path, headers=headers)
        if self.is_connected:
            assert_same_page(answer, self.client.get(path, headers=headers or {}), f"GET {path}")
        return answer

    def post(self, path: str, data: Any = None, headers: dict[str, str] | None = None) -> PhoneResponse:
        """Send a form to the phone; what it records goes to the server, which is sent the form only if nothing was."""
        body = urlencode(data or {}, doseq=True)
        answer = self.request("POST", path, body, headers)
        self.pending += answer.operations
        if not self.is_connected:
            return answer
        if answer.operations:
            self.send()
        else:
            form = "application/x-www-form-urlencoded"
            mine = self.client.post(path, body, content_type=form, headers=headers or {})
            assert_same_page(answer, mine, f"POST {path} {body}")
        return answer

    def follow(self, answer: PhoneResponse) -> PhoneResponse:
        """Go where an answer leads to."""
        assert answer.status_code == 302, answer.content.decode()
        return self.get(answer.url)

    def send(self) -> list[dict[str, Any]]:
        """Send what is not sent yet, and return the receipts."""
        body = json.dumps({"operations": self.pending})
        response = self.client.post("/api/v1/operations", body, content_type="application/json")
        assert response.status_code == 200, response.content
        self.sent, self.pending = [*self.sent, *self.pending], []
        receipts: list[dict[str, Any]] = response.json()["receipts"]
        return receipts


def assert_same_page(phone: Any, server: Any, what: str) -> None:
    """Hold the phone's answer to the server's."""
    assert phone.status_code == server.status_code, f"{what}: {phone.content.decode()}"
    assert getattr(phone, "url", "") == server.headers.get("Location", ""), what
    told, said = (strip_generated_values(one.content.decode()) for one in (phone, server))
    assert told == said, what


def strip_generated_values(html: str) -> list[str]:
    """Return the page line by line, so that a difference is told by its line."""
    for pattern in PHONE_ONLY:
        html = re.sub(pattern, "", html, flags=re.DOTALL)
    for pattern in GENERATED_VALUES:
        html = re.sub(pattern, "", html)
    return [line.strip() for line in html.splitlines() if line.strip()]
