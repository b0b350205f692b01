"""ASGI middleware that serves the streams in front of Django.

Django needs a thread and a database connection for every open request, and a stream is open for hours. So streams are
served here. Everything else is passed on to Django: all other URLs, and requests for a stream that cannot be served,
which the view at the same URL answers like any other request.

A stream that is not for everybody is first requested from Django, which has the guards. If it answers that there is no
stream here (204), the caller is admitted, and gets it from this middleware. While the stream is open, Django is asked
again every 20 seconds, so no stream outlives the access of its viewer for long.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs

import structlog
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http.request import split_domain_port, validate_host
from django.urls import Resolver404, resolve
from django.utils.translation import get_language_from_request

from scorekeeper.common.client_address import Address, find_client
from scorekeeper.common.open_files import get_max_connections
from scorekeeper.common.request_data import is_same_origin
from scorekeeper.common.request_id import REQUEST_ID_HEADER, choose_request_id
from scorekeeper.live.hub import StreamHub
from scorekeeper.live.page_snapshot import SnapshotSource
from scorekeeper.live.sources import (
    find_class_board_source,
    find_event_page_source,
    find_leaderboard_source,
    find_paired_screen_source,
    find_ride_source,
    find_screen_source,
)
from scorekeeper.live.stream_places import CapacityExceeded, StreamPlaces
from scorekeeper.live.topics import TopicKey
from scorekeeper.live.viewers import Viewer
from scorekeeper.rights import ROUTES, Role

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

FINDERS: dict[str, Callable[..., SnapshotSource | None]] = {
    "live:board": find_leaderboard_source,
    "live:class_board": find_class_board_source,
    "live:changes": find_ride_source,
    "live:event": find_event_page_source,
    "live:screen_stream": find_screen_source,
    "live:paired_stream": find_paired_screen_source,
}
RETRY_AFTER_SECONDS = 10  # seconds after which a refused viewer may try again
ACCESS_INTERVAL = 20.0  # seconds between two checks whether the viewer of a stream still has access
VIEWER_SHARE = 0.75  # share of a process's connections; the rest is for pages and for entries from phones

log = structlog.get_logger("tailgunner.live")


@dataclass(frozen=True, slots=True)
class RequestedStream:
    """What Django's match of a URL says about a stream.

    The match itself also lists every pattern that was tried, 25 kB, which would stay in memory for each viewer.
    """

    view_name: str
    route: str
    kwargs: Mapping[str, Any]


class StreamMiddleware:
    """An ASGI application that serves the streams itself, and everything else by another application."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._hub: StreamHub | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or handle the server's lifespan events."""
        if scope["type"] == "lifespan":
            await self._handle_lifespan(receive, send)
            return
        stream = _find_stream(scope)
        if stream is None or not await self._serve(scope, stream, receive, send):
            await self._application(scope, receive, send)

    async def _handle_lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self._close_on_signal()
                await send({"type": "lifespan.startup.complete"})
            else:
                self._close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def _close_on_signal(self) -> None:
        """End the streams on the signal itself: the server waits for them before it sends `lifespan.shutdown`."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            before = signal.getsignal(number)

            def stop(number: int, frame: Any, before: Any = before) -> None:
                loop.call_soon_threadsafe(self._close)
                if callable(before):
                    before(number, frame)

            signal.signal(number, stop)

    def _close(self) -> None:
        if self._hub is not None:
            self._hub.close()

    async def _serve(self, scope: Scope, stream: RequestedStream, receive: Receive, send: Send) -> bool:
        """Serve a stream; return False to pass the request on."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if not _is_allowed_host(headers) or (settings.SECURE_SSL_REDIRECT and scope["scheme"] != "https"):
            return False
        response = StreamResponse(headers, stream.route, send)
        if not is_same_origin(headers):
            await response.refuse(403)
            return True
        is_guarded = ROUTES[stream.view_name]["GET"] is not Role.ANYBODY
        if is_guarded:
            answer = await self._ask_django(scope)
            if not answer.is_admitted:
                await answer.forward(send)
                return True
        if self._hub is None:
            self._hub = StreamHub(StreamPlaces(_get_capacity(), settings.LIVE_SHARE_PER_ADDRESS))
        try:
            find = partial(FINDERS[stream.view_name], **stream.kwargs)
            last_id, address = _get_last_id(scope, headers), _find_client(scope, headers)
            key = TopicKey(scope["path"], get_language_from_request(ASGIRequest(scope, BytesIO())))
            viewer = await self._hub.join(key, find, last_id, address)
        except CapacityExceeded:
            await response.refuse(503)
            return True
        if viewer is None:
            return False
        checks = asyncio.create_task(self._end_with_access(scope, viewer)) if is_guarded else None
        try:
            await response.stream(viewer, receive)
        finally:
            if checks is not None:
                checks.cancel()
            self._hub.leave(viewer)
        return True

    async def _ask_django(self, scope: Scope) -> DjangoAnswer:
        """Send the request to Django, and return its response."""
        messages: list[Message] = []
        requests = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> Message:
            if requests:
                return requests.pop()
            await asyncio.Event().wait()  # the caller stays; Django cancels this when it has answered
            raise AssertionError

        async def collect(message: Message) -> None:
            messages.append(message)

        await self._application(dict(scope), receive, collect)
        return DjangoAnswer(messages)

    async def _end_with_access(self, scope: Scope, viewer: Viewer) -> None:
        """End the stream of a viewer who no longer has access to it."""
        while True:
            await asyncio.sleep(ACCESS_INTERVAL)
            answer = await self._ask_django(scope)
            if not answer.is_admitted and answer.status < 500:  # it is not known while the database is unavailable
                viewer.close()
                return


class DjangoAnswer:
    """Django's response to a request for a stream.

    Args:
        messages: the ASGI messages that it sent.
    """

    def __init__(self, messages: Sequence[Message]) -> None:
        self._messages = messages
        self.status: int = messages[0]["status"]

    @property
    def is_admitted(self) -> bool:
        """Whether the caller may open the stream: the view says only that Django has none."""
        return self.status == 204

    async def forward(self, send: Send) -> None:
        """Send the response to the caller."""
        for message in self._messages:
            await send(message)


class StreamResponse:
    """The response to one request, and its log line."""

    def __init__(self, headers: dict[str, str], route: str, send: Send) -> None:
        self._send = send
        self._route = route
        self._start = time.perf_counter()
        self._request_id = choose_request_id(headers.get(REQUEST_ID_HEADER.lower(), ""))
        self._headers = {"Cache-Control": "no-store", REQUEST_ID_HEADER: self._request_id}

    async def refuse(self, status: int) -> None:
        """Send an error status and no stream."""
        more = {"Retry-After": str(RETRY_AFTER_SECONDS)} if status == 503 else {}
        await self._start_response(status, {"Content-Length": "0", **more})
        await self._send({"type": "http.response.body", "body": b""})
        self._log(status)

    async def stream(self, viewer: Viewer, receive: Receive) -> None:
        """Send the viewer's events until it disconnects or is dropped."""
        await self._start_response(200, {"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"})
        disconnect = asyncio.create_task(_wait_for_disconnect(receive))
        disconnect.add_done_callback(lambda _: viewer.close())
        try:
            while (data := await viewer.next_chunk()) is not None:
                await self._send({"type": "http.response.body", "body": data, "more_body": True})
            await self._send({"type": "http.response.body", "body": b""})
        finally:
            disconnect.cancel()
            self._log(200)

    async def _start_response(self, status: int, headers: dict[str, str]) -> None:
        lines = [(name.lower().encode(), value.encode()) for name, value in {**self._headers, **headers}.items()]
        await self._send({"type": "http.response.start", "status": status, "headers": lines})

    def _log(self, status: int) -> None:
        milliseconds = round((time.perf_counter() - self._start) * 1000)
        log.info("stream", route=self._route, status=status, ms=milliseconds, request_id=self._request_id)


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _find_stream(scope: Scope) -> RequestedStream | None:
    """Return the requested stream, if any. Most requests return early, without a second URL resolution."""
    if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].endswith("stream"):
        return None
    try:
        match = resolve(scope["path"])
    except Resolver404:
        return None
    if match.view_name not in FINDERS:
        return None
    return RequestedStream(match.view_name, match.route, match.kwargs)


def _is_allowed_host(headers: dict[str, str]) -> bool:
    """Return whether the request's host is one of ours."""
    host, _port = split_domain_port(headers.get("host", ""))
    return bool(host) and validate_host(host, settings.ALLOWED_HOSTS)


def _get_last_id(scope: Scope, headers: dict[str, str]) -> str:
    """Return the last event the browser received: from its header, or from the page that opens a new stream."""
    last = parse_qs(scope["query_string"].decode("latin-1")).get("last", [""])
    return headers.get("last-event-id") or last[0]


def _find_client(scope: Scope, headers: dict[str, str]) -> Address | None:
    client = scope.get("client")
    return find_client(client[0] if client else "", headers.get("x-forwarded-for", ""))


def _get_capacity() -> int:
    """Return the maximum number of viewers: the setting, limited so that connections remain for other requests."""
    return min(settings.LIVE_VIEWERS, max(1, int(VIEWER_SHARE * get_max_connections())))
