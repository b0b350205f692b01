"""Every response has the security headers, no matter which part of the program makes it."""

from __future__ import annotations

import asyncio
from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import Any

import h11
import pytest
from django.core.handlers.asgi import ASGIHandler
from django.db import connections
from django.test import Client

from scorekeeper.common.body_limit import MAX_BODY_BYTES, BodyLimitMiddleware
from scorekeeper.common.connection_limit import LimitedProtocol
from scorekeeper.common.rights_check import list_routes
from scorekeeper.common.security_headers import (
    ANY_ANCESTOR,
    HEADERS,
    HSTS_HEADER,
    TAILGUNNER_HEADER,
    SecurityHeadersMiddleware,
)
from scorekeeper.live.stream_middleware import StreamMiddleware
from tests import asgi_requests
from tests.faults.figures import Figures
from tests.faults.scale import FULL
from tests.loops import run_in_thread
from tests.scorekeeper.rights.small_ride import enable_authority_pages, make_small_ride

pytestmark = pytest.mark.django_db

Lines = dict[str, str]
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def load_application() -> Any:
    """Load what is inside the outermost layer, with the current settings."""
    return BodyLimitMiddleware(StreamMiddleware(ASGIHandler()))


def request(
    path: str, *, method: str = "GET", application: Any = None, scheme: str = "http", **headers: str
) -> tuple[int, Lines]:
    """Send a request to the complete ASGI application in this process; return the status and the headers."""
    outermost = SecurityHeadersMiddleware(application or load_application())
    sent = run_in_thread(asgi_requests.request(outermost, path, method=method, scheme=scheme, headers=headers))
    named = [(name.decode().lower(), value.decode()) for name, value in sent[0]["headers"]]
    names = [name for name, _value in named if name != "set-cookie"]
    assert len(names) == len(set(names)), "no header comes twice"
    return sent[0]["status"], dict(named)


def list_missing(headers: Lines) -> list[str]:
    """Return the names of the missing headers; a page has a content policy of its own.

    `X-Frame-Options` has to be missing, and counts if it is there, where the policy lets every site frame the page.
    """
    is_framable = ANY_ANCESTOR in headers.get("content-security-policy", "")
    is_expected = {name: not (is_framable and name == "X-Frame-Options") for name in (*HEADERS, TAILGUNNER_HEADER)}
    return [name for name, expected in is_expected.items() if (name.lower() in headers) is not expected]


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


# The requests have connections of their own: they see what is committed, and what they write stays until the end.
@pytest.mark.slow
@pytest.mark.sqlite  # headers do not depend on the database, and connections of the requests' threads outlive them
@pytest.mark.django_db(transaction=True)
def test_every_route_answers_every_method_with_the_headers(settings: Any, tmp_path: Path, figures: Figures) -> None:
    """As somebody who is not signed in; what the signed-in get passes through the same outermost layer."""
    enable_authority_pages(settings, tmp_path)
    ride, application = make_small_ride("Quokka"), load_application()
    statuses, wrong = Counter[int](), []
    for route in list_routes():
        for method in METHODS if FULL else METHODS[:1]:
            status, headers = request(ride.get_url(route), method=method, application=application, Host="localhost")
            statuses[status] += 1
            wrong += [f"{method} {route} {status}: {name}" for name in list_missing(headers)]

    assert wrong == []
    assert {200, 302, 401, 405} <= statuses.keys()
    counts = ", ".join(f"{count} x {status}" for status, count in sorted(statuses.items()))
    figures.add(
        "26 · security headers on the response to every URL with every method",
        f"{statuses.total():,} responses ({counts}): {len(wrong)} headers missing",
    )


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


def test_wsgi_servers_get_the_same_protection(monkeypatch: pytest.MonkeyPatch) -> None:
    # Loading it changes how this process uses its database, which is a web server's business alone.
    monkeypatch.setitem(connections.settings, "default", deepcopy(connections.settings["default"]))
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


@pytest.mark.parametrize("status", [400, 503])
def test_the_responses_of_the_connection_itself_have_the_headers(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    """400 to a malformed request, 503 at the limit of connections."""
    protocol, wire = LimitedProtocol.__new__(LimitedProtocol), Wire()
    protocol.transport = wire  # type: ignore[assignment]
    if status == 400:
        protocol.send_400_response("Invalid HTTP request received.")
    else:
        monkeypatch.setattr("scorekeeper.common.connection_limit.get_max_connections", lambda: 0)
        protocol.connections, protocol.loop = set(), asyncio.new_event_loop()
        protocol.connection_made(wire)  # type: ignore[arg-type]
        protocol.loop.close()

    reader = h11.Connection(h11.CLIENT)
    reader.send(h11.Request(method="GET", target="/", headers=[("Host", "a")]))
    reader.receive_data(wire.written)
    response = reader.next_event()
    assert isinstance(response, h11.Response)
    named = {name.decode(): value.decode() for name, value in response.headers}
    assert (response.status_code, list_missing(named), wire.is_closed) == (status, [TAILGUNNER_HEADER], True)
    assert (status == 503) is ("retry-after" in named)
