"""How much a request may bring: whoever sends more is answered 413 before anything of it is kept.

Django writes a body to the disk before any view sees it, whoever sends it, so the limit stands in front of Django. What
a body may be is the views' to say: those that take JSON or a roster refuse less than this.

Invariant: a body is refused by the length it gives, before it is read; one that gives none, once it is too long.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

import structlog

MAX_BODY_BYTES = 4 * 2**20  # bytes, as in deploy/; the largest that is ever needed is a roster of one megabyte
MAX_DRAINED_BYTES = (
    4 * MAX_BODY_BYTES
)  # bytes that are thrown away, so that a browser reads the answer before it has sent everything
DRAIN_TIMEOUT = 10.0  # seconds for that
STATUS = 413
TEXT = b"This is more than this server takes at once. Send less.\n"
HEADERS: Mapping[str, str] = {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": str(len(TEXT)),
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
    """More has come than a body may have."""


class BodyLimitMiddleware:
    """An ASGI application that refuses what is too long and hands all else on."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on with a body that ends at the limit."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
        elif _is_too_large(_get_length(scope)):
            await _refuse(scope, receive, send)
        else:
            try:
                await self._application(scope, _limit_receive(receive), send)
            except _BodyTooLarge:
                await _refuse(scope, receive, send)


def limit_body(application: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """Return a WSGI application that refuses what is too long. Django reads no body there that gives no length."""

    def limited(request: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        if not _is_too_large(request.get("CONTENT_LENGTH") or "0"):
            return application(request, start_response)
        _log_refusal(request["REQUEST_METHOD"], request["CONTENT_LENGTH"])
        own = [(name, value) for name, value in HEADERS.items() if name != "Connection"]  # the server's own to send
        start_response(f"{STATUS} Content Too Large", own)
        return [TEXT]

    return limited


def _get_length(scope: Scope) -> str:
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == b"content-length"), "0")


def _is_too_large(length: str) -> bool:
    digits = length.strip().lstrip("0")
    return (
        digits.isascii()
        and digits.isdigit()
        and (len(digits) > len(str(MAX_BODY_BYTES)) or int(digits) > MAX_BODY_BYTES)
    )


def _limit_receive(receive: Receive) -> Receive:
    """Return what receives the same, and stops where it is too much."""
    received = 0

    async def counted() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > MAX_BODY_BYTES:
            raise _BodyTooLarge
        return message

    return counted


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    _log_refusal(scope["method"], _get_length(scope))
    headers = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
    await send({"type": "http.response.start", "status": STATUS, "headers": headers})
    await send({"type": "http.response.body", "body": TEXT, "more_body": True})
    with suppress(TimeoutError):
        await asyncio.wait_for(_drain(receive), DRAIN_TIMEOUT)
    await send({"type": "http.response.body", "body": b""})


async def _drain(receive: Receive) -> None:
    """Throw away what is still coming: a connection that is closed under its sender loses the answer as well."""
    left = MAX_DRAINED_BYTES
    while left > 0:
        message = await receive()
        left -= len(message.get("body", b""))
        if message["type"] == "http.disconnect" or not message.get("more_body", False):
            return


def _log_refusal(method: str, length: str) -> None:
    log.warning("body_too_large", method=method, length=length[:20])
