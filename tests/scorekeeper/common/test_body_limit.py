"""The limit on request bodies in front of Django; test_serve.py tests it with a real server."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from scorekeeper.common.body_limit import MAX_BODY_BYTES, MAX_DESK_BODY_BYTES, BodyLimitMiddleware, limit_body
from scorekeeper.common.pictures import MAX_UPLOAD_BYTES
from tests.loops import run_in_thread


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Respond with the length of the body."""
    length, more = 0, True
    while more:
        message = await receive()
        length, more = length + len(message.get("body", b"")), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(length).encode()})


def send_asgi(parts: list[bytes], length: str | None, path: str = "/sign-in/") -> tuple[int, bytes, int]:
    """Send a body in parts; return the status, the response body, and how many parts were read before that."""
    sent: list[Any] = []
    coming = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    coming += [{"type": "http.request", "body": b"", "more_body": False}]
    taken = 0

    async def receive() -> Any:
        nonlocal taken
        taken += not sent
        return coming.pop(0) if coming else {"type": "http.disconnect"}

    async def keep(message: Any) -> None:
        sent.append(message)

    headers = [] if length is None else [(b"content-length", length.encode())]
    scope = {"type": "http", "method": "POST", "path": path, "headers": headers}
    run_in_thread(BodyLimitMiddleware(echo)(scope, receive, keep))
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent), taken


def test_a_body_up_to_the_limit_is_passed_on() -> None:
    assert send_asgi([bytes(MAX_BODY_BYTES)], str(MAX_BODY_BYTES))[:2] == (200, str(MAX_BODY_BYTES).encode())
    assert send_asgi([bytes(MAX_BODY_BYTES // 2)] * 2, None)[:2] == (200, str(MAX_BODY_BYTES).encode())


def test_organisers_may_send_a_photo() -> None:
    assert MAX_UPLOAD_BYTES + 2**20 < MAX_DESK_BODY_BYTES, "there is room for the form around it"
    size = MAX_DESK_BODY_BYTES
    assert send_asgi([bytes(size)], str(size), "/desk/events/ride/prizes/")[:2] == (200, str(size).encode())
    assert send_asgi([bytes(size + 1)], str(size + 1), "/desk/events/ride/prizes/")[0] == 413
    assert send_asgi([bytes(size)], str(size), "/desks/")[0] == 413


@pytest.mark.parametrize("length", [str(MAX_BODY_BYTES + 1), "0" * 5_000 + str(MAX_BODY_BYTES + 1), "9" * 5_000])
def test_a_body_with_a_declared_length_over_the_limit_is_refused_before_it_is_read(length: str) -> None:
    status, response, taken = send_asgi([b"x"] * 9, length)

    assert (status, taken) == (413, 0)
    assert response == b"This request is larger than the server accepts. Send less at once.\n"


def test_an_organiser_is_told_the_size_of_a_file_and_how_to_get_back_to_the_form() -> None:
    size = 40 * 2**20
    status, response, taken = send_asgi([b"x"], str(size), "/desk/events/ride/page/poster/")

    assert (status, taken) == (413, 0)
    assert b"You sent 40 MB, and the server accepts 12 MB at once. Go back in your browser" in response


def test_a_body_without_a_declared_length_is_refused_once_it_is_too_long() -> None:
    status, _answer, taken = send_asgi([bytes(MAX_BODY_BYTES // 4)] * 9, None)

    assert (status, taken) == (413, 5)


@pytest.mark.parametrize("length", ["", "abc", "-1", "\u0664" * 30])
def test_an_invalid_length_is_left_to_the_server(length: str) -> None:
    assert send_asgi([b"x"], length)[0] == 200


@pytest.mark.parametrize(
    ("length", "status"), [(MAX_BODY_BYTES, "200 OK"), (MAX_BODY_BYTES + 1, "413 Content Too Large"), ("", "200 OK")]
)
def test_wsgi_servers_get_the_same_protection(length: object, status: str) -> None:
    statuses: list[str] = []

    def application(environ: Any, start: Any) -> Iterable[bytes]:
        start("200 OK", [])
        return [b""]

    environ = {"REQUEST_METHOD": "POST", "CONTENT_LENGTH": str(length)}
    limit_body(application)(environ, lambda status, headers: statuses.append(status))

    assert statuses == [status]
