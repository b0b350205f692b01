"""A crew phone with and without signal: the same requests go to the server and to the phone's engine.

The engine's responses are compared with the server's, except for values that are generated for each page: ids of
operations, form tokens, times of the day. What a request records on the phone is sent to the server as a phone would.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.test import Client
from django.utils import timezone

from scorekeeper.crew.access import DEVICE_HEADER
from scorekeeper.offline.language_pack import make_pack
from tests.scorekeeper.offline.ride_copy import RideCopy
from tests.tools.engine_process import Engine

GENERATED_VALUES = (
    r'name="csrfmiddlewaretoken" value="[^"]*"',
    r'name="operation" value="[^"]*"',
    r'name="bike" value="[^"]*" id',
    r"(?<=\.[01]\.)[0-9a-f-]{36}",  # the operation of a box of the check-in list
    r"(?<=\.[0-9a-f]{64}\.)[0-9a-f-]{36}",  # the operation of a card on the page that confirms a group's cards
    r"\b\d\d:\d\d\b",
)
# Shown only by the server, to pages that are no crew pages: a phone has one language, and changes it on its own page.
SERVER_ONLY = (r'<form class="languages".*?</form>',)
# Shown only on a phone: the result of a form that only it handled, what is not sent yet, and what it does not know.
PHONE_ONLY = (
    r'<div class="notices">.*?</div>\s*</div>',
    r'<span class="sync-line.*?</span>',
    r'<p class="hint">\s*Not on this phone: [^<]*\. Check the paper card\.\s*</p>',
)


@dataclass
class PhoneResponse:
    """The phone's response, with the attributes of the test client's responses."""

    status_code: int
    content: bytes
    url: str
    wsgi_request: Any
    operations: list[dict[str, Any]]


class OfflinePhone:
    """A phone with a copy of the ride, and the same phone with signal."""

    def __init__(self, engine: Engine, client: Client, language: str = "en-gb") -> None:
        self.engine, self.client = engine, client
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
        assert json.loads(engine.call("set_language", make_pack(language))) == language
        self.copy = RideCopy(client)
        self.sent: list[dict[str, Any]] = []
        self.pending: list[dict[str, Any]] = []
        self.is_connected = True
        self.load()

    def load(self) -> list[dict[str, Any]]:
        """Fetch the ride and load it with the pending operations; return the problems."""
        self.copy.refresh()
        result = json.loads(self.engine.call("load", json.dumps({"ride": self.copy.ride, "operations": self.pending})))
        problems: list[dict[str, Any]] = result["problems"]
        return problems

    def request(self, method: str, path: str, body: str = "", headers: dict[str, str] | None = None) -> PhoneResponse:
        """Send a request to the phone only."""
        now = timezone.now().isoformat()
        lower = {name.lower(): value for name, value in (headers or {}).items()}
        data = {"method": method, "path": path, "headers": lower, "body": body, "now": now}
        result = json.loads(self.engine.call("answer", json.dumps(data)))
        request = SimpleNamespace(path=path.partition("?")[0])
        url = result["headers"].get("location", "")
        return PhoneResponse(result["status"], result["body"].encode(), url, request, result["operations"])

    def get(self, path: str, headers: dict[str, str] | None = None) -> PhoneResponse:
        """Request a page from both, and return the phone's response."""
        answer = self.request("GET", path, headers=headers)
        if self.is_connected:
            assert_same_page(answer, self.client.get(path, headers=headers or {}), f"GET {path}")
        return answer

    def post(self, path: str, data: Any = None, headers: dict[str, str] | None = None) -> PhoneResponse:
        """Submit a form to the phone. Its operations go to the server; if there are none, the form does."""
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
        """Follow a redirect."""
        assert answer.status_code == 302, answer.content.decode()
        return self.get(answer.url)

    def send(self) -> list[dict[str, Any]]:
        """Send the pending operations as the device whose ride is loaded, and return the receipts."""
        body = json.dumps({"operations": self.pending})
        headers = {DEVICE_HEADER: str(self.copy.ride["device"])}
        response = self.client.post("/api/v1/operations", body, content_type="application/json", headers=headers)
        assert response.status_code == 200, response.content
        self.sent, self.pending = [*self.sent, *self.pending], []
        receipts: list[dict[str, Any]] = response.json()["receipts"]
        return receipts


def assert_same_page(phone: Any, server: Any, what: str) -> None:
    """Check that the phone's response equals the server's."""
    assert phone.status_code == server.status_code, f"{what}: {phone.content.decode()}"
    assert getattr(phone, "url", "") == server.headers.get("Location", ""), what
    ours, expected = (strip_generated_values(response.content.decode()) for response in (phone, server))
    assert ours == expected, what


def strip_generated_values(html: str) -> list[str]:
    """Return the lines of the page, so that a difference is reported by line."""
    for pattern in (*SERVER_ONLY, *PHONE_ONLY):
        html = re.sub(pattern, "", html, flags=re.DOTALL)
    for pattern in GENERATED_VALUES:
        html = re.sub(pattern, "", html)
    return [line.strip() for line in html.splitlines() if line.strip()]
