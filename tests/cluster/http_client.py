"""An HTTP client that behaves like a browser without a screen: it has cookies, follows redirects and sends forms."""

from __future__ import annotations

import json
from dataclasses import dataclass
from email.message import Message
from http.cookiejar import Cookie, CookieJar
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, Request, build_opener

from tests.cluster.program import TIMEOUT_SECONDS
from tests.scorekeeper.scorecards.card_forms import read_form


@dataclass(frozen=True)
class HttpAnswer:
    """A response.

    Attributes:
        url: its URL, after redirects.
    """

    status_code: int
    headers: Message
    content: bytes
    url: str

    @property
    def text(self) -> str:
        """The page."""
        return self.content.decode()


class HttpClient:
    """A client with a cookie jar of its own."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._cookies = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self._cookies))

    def copy(self) -> HttpClient:
        """Return another client with the same cookies, for another thread."""
        other = HttpClient(self.url)
        for cookie in self._cookies:
            other.set_cookie(cookie)
        return other

    def set_cookie(self, cookie: Cookie) -> None:
        """Put a cookie into the jar."""
        self._cookies.set_cookie(cookie)

    def list_cookies(self) -> list[Cookie]:
        """Return the cookies in the jar."""
        return list(self._cookies)

    def get(self, path: str, **headers: str) -> HttpAnswer:
        """Request a page."""
        return self._send(Request(urljoin(self.url, path), headers=headers))

    def post(self, path: str, data: dict[str, Any], **headers: str) -> HttpAnswer:
        """Send these fields."""
        body = urlencode(data, doseq=True).encode()
        return self._send(Request(urljoin(self.url, path), data=body, headers=headers))

    def post_json(self, path: str, body: Any) -> HttpAnswer:
        """Send this as JSON."""
        headers = {"Content-Type": "application/json"}
        return self._send(Request(urljoin(self.url, path), data=json.dumps(body).encode(), headers=headers))

    def press(self, page: HttpAnswer, *, form: int = 0, **pressed: Any) -> HttpAnswer:
        """Submit a form of the page to the page's URL, with a button pressed or fields filled in."""
        return self.post(page.url, {**read_form(page, form), **pressed})

    def _send(self, request: Request) -> HttpAnswer:
        try:
            with self._opener.open(request, timeout=TIMEOUT_SECONDS) as answer:
                return HttpAnswer(answer.status, answer.headers, answer.read(), answer.url)
        except HTTPError as answer:
            with answer:
                return HttpAnswer(answer.code, answer.headers, answer.read(), answer.url)
