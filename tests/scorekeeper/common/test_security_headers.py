"""Every answer has the headers that protect it, whoever gives it."""

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


def ask(path: str, *, application: Any = None, scheme: str = "http", **headers: str) -> tuple[int, Lines]:
    """Ask the whole ASGI application within this process; return the status and the headers."""
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
    """Return the names of what is missing; a page has its own content policy."""
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
def test_every_answer_of_the_program_has_them(path: str, headers: Lines, status: int) -> None:
    assert ask(path, **headers)[0] == status
    assert list_missing(ask(path, **headers)[1]) == []


def test_redirects_to_https_and_answers_over_it_have_them(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS = True, 31536000
    for path in ("/", "/events/a/b/stream"):
        status, headers = ask(path, Host="localhost")
        assert (status, headers["location"], list_missing(headers)) == (301, f"https://localhost{path}", [])
    assert ask("/healthz", Host="elsewhere.example", scheme="https")[1][HSTS_HEADER.lower()] == "max-age=31536000"
    assert HSTS_HEADER.lower() not in ask("/healthz", Host="localhost")[1]


def test_errors_that_nobody_caught_have_them(settings: Any) -> None:
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


def test_behind_another_server_the_same_holds() -> None:
    from config import wsgi  # only once the static files have been collected, for it reads their folder

    told: list[tuple[str, list[tuple[str, str]]]] = []
    asked = Client()._base_environ(PATH_INFO="/healthz", HTTP_HOST="elsewhere.example")  # type: ignore[attr-defined]

    # Loaded here, once the static files are there: it reads their folder.
    wsgi.application(asked, lambda status, lines: told.append((status, lines)))

    status, lines = told[0]
    assert (status, list_missing({name.lower(): value for name, value in lines})) == ("400 Bad Request", [])


class Wire:
    """What a connection writes to."""

    def __init__(self) -> None:
        self.written, self.is_closed = b"", False

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        self.is_closed = True


def test_what_is_no_request_is_answered_with_them() -> None:
    protocol, wire = LimitedProtocol.__new__(LimitedProtocol), Wire()
    protocol.transport = wire  # type: ignore[assignment]

    protocol.send_400_response("Invalid HTTP request received.")

    reader = h11.Connection(h11.CLIENT)
    reader.send(h11.Request(method="GET", target="/", headers=[("Host", "a")]))
    reader.receive_data(wire.written)
    answer = reader.next_event()
    assert isinstance(answer, h11.Response)
    named = {name.decode(): value.decode() for name, value in answer.headers}
    assert (answer.status_code, list_missing(named), wire.is_closed) == (400, [TAILGUNNER_HEADER], True)
