"""Every response has the security headers, no matter which part of the program makes it."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
import pytest
from django.core.handlers.asgi import ASGIHandler
from django.test import Client

from scorekeeper.common.body_limit import MAX_BODY_BYTES, BodyLimitMiddleware
from scorekeeper.common.connection_limit import LimitedProtocol
from scorekeeper.common.security_headers import HEADERS, HSTS_HEADER, TAILGUNNER_HEADER, SecurityHeadersMiddleware
from scorekeeper.live.stream_middleware import StreamMiddleware
from tests.loops import run_in_thread

pytestmark = pytest.mark.django_db

Lines = dict[str, str]


def request(path: str, *, application: Any = None, scheme: str = "http", **headers: str) -> tuple[int, Lines]:
    """Send a request to the complete ASGI application in this process; return the status and the headers."""
    sent: list[Any] = []
    lines = [(name.lower().replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "scheme": scheme}
    scope |= {"query_string": b"", "headers": lines, "http_version": "1.1", "root_path": "", "server": ("a", 80)}

    coming = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Any:
        return coming.pop() if coming else await asyncio.Event().wait()

    async def keep(message: Any) -> None:
        sent.append(message)

    whole = SecurityHeadersMiddleware(application or BodyLimitMiddleware(StreamMiddleware(ASGIHandler())))
    run_in_thread(whole(scope, receive, keep))
    named = [(name.decode().lower(), value.decode()) for name, value in sent[0]["headers"]]
    assert len(named) == len(dict(named)), "no header comes twice"
    return sent[0]["status"], dict(named)


def list_missing(headers: Lines) -> list[str]:
    """Return the names of the missing headers; a page has a content policy of its own."""
    return [name for name in (*HEADERS, TAILGUNNER_HEADER) if name.lower() not in headers]


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/healthz", {"Host": "localhost"}, 200),
        ("/healthz", {"Host": "elsewhere.example"}, 400),
        ("/desk/", {"Host": "elsewhere.example"}, 400),
        ("/events/a/b/stream", {"Host": "localhost", "Origin": "https://elsewhere.example"}, 403),
        ("/events/a/b/stream", {"Host": "localhost"}, 404),
        ("/desk/", {"Host": "localhost"}, 302),
        ("/static/no-such-file.css", {"Host": "localhost"}, 404),
        ("/sign-in/", {"Host": "localhost", "Content_Length": str(MAX_BODY_BYTES + 1)}, 413),
        ("/api/v1/ride", {"Host": "localhost"}, 401),
    ],
)
def test_every_response_of_the_program_has_the_headers(path: str, headers: Lines, status: int) -> None:
    assert request(path, **headers)[0] == status
    assert list_missing(request(path, **headers)[1]) == []


def test_redirects_to_https_and_responses_over_it_have_the_headers(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS = True, 31536000
    for path in ("/", "/events/a/b/stream"):
        status, headers = request(path, Host="localhost")
        assert (status, headers["location"], list_missing(headers)) == (301, f"https://localhost{path}", [])
    assert request("/healthz", Host="elsewhere.example", scheme="https")[1][HSTS_HEADER.lower()] == "max-age=31536000"
    assert HSTS_HEADER.lower() not in request("/healthz", Host="localhost")[1]


def test_unhandled_errors_have_the_headers(settings: Any) -> None:
    async def failing(scope: Any, receive: Any, send: Any) -> None:
        raise ZeroDivisionError

    async def receive() -> Any:
        return {}

    sent: list[Any] = []

    async def keep(message: Any) -> None:
        sent.append(message)

    with pytest.raises(ZeroDivisionError):
        run_in_thread(SecurityHeadersMiddleware(failing)({"type": "http"}, receive, keep))
    named = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    assert (sent[0]["status"], list_missing(named)) == (500, [])


def test_wsgi_servers_get_the_same_protection() -> None:
    from config import wsgi  # only once the static files have been collected, for it reads their folder

    responses: list[tuple[str, list[tuple[str, str]]]] = []
    environ = Client()._base_environ(PATH_INFO="/healthz", HTTP_HOST="elsewhere.example")  # type: ignore[attr-defined]

    # Loaded here, once the static files are there: it reads their folder.
    wsgi.application(environ, lambda status, lines: responses.append((status, lines)))

    status, lines = responses[0]
    assert (status, list_missing({name.lower(): value for name, value in lines})) == ("400 Bad Request", [])


class Wire:
    """A transport that collects what a connection writes."""

    def __init__(self) -> None:
        self.written, self.is_closed = b"", False

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        self.is_closed = True


def test_the_response_to_a_malformed_request_has_the_headers() -> None:
    protocol, wire = LimitedProtocol.__new__(LimitedProtocol), Wire()
    protocol.transport = wire  # type: ignore[assignment]

    protocol.send_400_response("Invalid HTTP request received.")

    reader = h11.Connection(h11.CLIENT)
    reader.send(h11.Request(method="GET", target="/", headers=[("Host", "a")]))
    reader.receive_data(wire.written)
    response = reader.next_event()
    assert isinstance(response, h11.Response)
    named = {name.decode(): value.decode() for name, value in response.headers}
    assert (response.status_code, list_missing(named), wire.is_closed) == (400, [TAILGUNNER_HEADER], True)
