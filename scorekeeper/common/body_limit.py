"""The limit on request bodies: larger ones get a 413 response before anything is stored.

Django writes a body to disk before any view sees it, no matter who sends it, so this limit comes before Django. It is
higher on the desk, where organisers upload photos. Views may have lower limits of their own: those that take JSON or a
roster do.

Invariant: a body is refused by its declared length, before it is read. A body without a declared length is refused as
soon as it is too long.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

import structlog

MAX_BODY_BYTES = 4 * 2**20  # bytes; nothing but a picture needs more
MAX_DESK_BODY_BYTES = 12 * 2**20  # bytes, as in deploy/: a picture and the form around it
DESK = "/desk/"  # begins the paths of organisers
# Bytes that are read and discarded, so that the browser gets the response although it is still sending.
MAX_DRAINED_BYTES = 4 * MAX_BODY_BYTES
DRAIN_TIMEOUT = 10.0  # seconds for that
STATUS = 413
MAX_DIGITS = 15  # of a length that is told back
TEXT = b"This request is larger than the server accepts. Send less at once.\n"
# To an organiser whose browser has no scripts; with scripts, `static/js/forms.js` refuses a file before it is sent.
DESK_TEXT = (
    "You sent %(size)s MB, and the server accepts %(most)s MB at once. Go back in your browser: what you typed is "
    "still there. Then choose a smaller file.\n"
)
HEADERS: Mapping[str, str] = {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "Connection": "close",
}

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
StartResponse = Callable[..., Any]

log = structlog.get_logger("tailgunner.requests")


class _BodyTooLarge(Exception):
    """The body is larger than the limit."""


class BodyLimitMiddleware:
    """ASGI middleware that refuses large bodies and passes on all other requests."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request, or pass it on with a body that is cut off at the limit."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        limit = get_body_limit(scope["path"])
        if _is_too_large(_get_length(scope), limit):
            await _refuse(scope, receive, send)
        else:
            try:
                await self._application(scope, _limit_receive(receive, limit), send)
            except _BodyTooLarge:
                await _refuse(scope, receive, send)


def get_body_limit(path: str) -> int:
    """Return how many bytes a body may have that is sent to this path."""
    return MAX_DESK_BODY_BYTES if path.startswith(DESK) else MAX_BODY_BYTES


def limit_body(application: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """Return a WSGI application that refuses large bodies. Under WSGI, Django reads no body without a length."""

    def limited(request: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        limit = get_body_limit(request.get("PATH_INFO", ""))
        if not _is_too_large(request.get("CONTENT_LENGTH") or "0", limit):
            return application(request, start_response)
        _log_refusal(request["REQUEST_METHOD"], request["CONTENT_LENGTH"])
        text = _explain(request.get("PATH_INFO", ""), request["CONTENT_LENGTH"])
        headers = {**HEADERS, "Content-Length": str(len(text))}
        del headers["Connection"]  # left to the server
        start_response(f"{STATUS} Content Too Large", list(headers.items()))
        return [text]

    return limited


def _get_length(scope: Scope) -> str:
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == b"content-length"), "0")


def _is_too_large(length: str, limit: int) -> bool:
    digits = length.strip().lstrip("0")
    return digits.isascii() and digits.isdigit() and (len(digits) > len(str(limit)) or int(digits) > limit)


def _limit_receive(receive: Receive, limit: int) -> Receive:
    """Return a `receive` that raises once the body is too large."""
    received = 0

    async def receive_counted() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > limit:
            raise _BodyTooLarge
        return message

    return receive_counted


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    _log_refusal(scope["method"], _get_length(scope))
    text = _explain(scope["path"], _get_length(scope))
    fields = {**HEADERS, "Content-Length": str(len(text))}
    headers = [(name.lower().encode(), value.encode()) for name, value in fields.items()]
    await send({"type": "http.response.start", "status": STATUS, "headers": headers})
    await send({"type": "http.response.body", "body": text, "more_body": True})
    with suppress(TimeoutError):
        await asyncio.wait_for(_drain(receive), DRAIN_TIMEOUT)
    await send({"type": "http.response.body", "body": b""})


def _explain(path: str, length: str) -> bytes:
    """Return what the response says."""
    digits = length.strip().lstrip("0")
    if not path.startswith(DESK) or not (digits.isascii() and digits.isdigit()) or len(digits) > MAX_DIGITS:
        return TEXT
    sizes = {"size": math.ceil(int(digits) / 2**20), "most": MAX_DESK_BODY_BYTES // 2**20}
    return (DESK_TEXT % sizes).encode()


async def _drain(receive: Receive) -> None:
    """Discard the rest of the body: closing the connection while the client sends would lose the response too."""
    left = MAX_DRAINED_BYTES
    while left > 0:
        message = await receive()
        left -= len(message.get("body", b""))
        if message["type"] == "http.disconnect" or not message.get("more_body", False):
            return


def _log_refusal(method: str, length: str) -> None:
    log.warning("body_too_large", method=method, length=length[:20])
