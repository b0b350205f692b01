"""uvicorn's HTTP protocol with a limit on the open connections of a process; `--http` passes it to uvicorn.

Terms: a connection is *incomplete* while its request is: the client has sent nothing yet, or only a part.

Invariants:
- A process never runs out of file descriptors: at the limit, a new connection replaces the one that has been incomplete
  for longest. A client that sends slowly or nothing cannot keep out a client that does send.
- If no connection has been incomplete for longer than a moment, the new client gets a 503 response. A request that is
  being answered, a stream included, is never cut off.

uvicorn's own settings cannot promise that: `--limit-concurrency` refuses requests whose headers are complete, and no
timeout applies before. It publishes no interface for protocols, so `tests/scorekeeper/common/test_connection_limit.py`
names what is used of its own, and fails if that has changed.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

import h11
import structlog
from uvicorn.protocols.http.h11_impl import H11Protocol

from scorekeeper.common.open_files import get_max_connections
from scorekeeper.common.security_headers import list_headers

SEND_GRACE_SECONDS = 1.0  # seconds that every client has for sending a request, however many come at once
LOG_INTERVAL = 60.0  # seconds between two log lines
RETRY_AFTER_SECONDS = 5  # seconds after which a refused client may try again

log = structlog.get_logger("tailgunner.serve")


class LimitedProtocol(H11Protocol):
    """A connection that counts towards the limit."""

    # Since when each is incomplete, by the loop's clock; the oldest first.
    _incomplete_since: dict[LimitedProtocol, float] = {}
    _last_logged = float("-inf")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._is_refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, at the limit in place of another, or refuse it."""
        if len(self.connections) >= get_max_connections() and not self._drop_slowest():
            self._is_refused = True
            transport.write(_make_response(f"503 Service Unavailable\r\nRetry-After: {RETRY_AFTER_SECONDS}"))
            transport.close()
            return
        super().connection_made(transport)
        self._track_state()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop tracking the connection."""
        if not self._is_refused:
            self._incomplete_since.pop(self, None)
            super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer a malformed request, with the headers that every response has."""
        self.transport.write(_make_response("400 Bad Request", f"{msg}\n"))
        self.transport.close()

    def handle_events(self) -> None:
        """Process received data."""
        super().handle_events()
        self._track_state()

    def on_response_complete(self) -> None:
        """Prepare for the next request."""
        super().on_response_complete()
        self._track_state()

    def _track_state(self) -> None:
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._incomplete_since.setdefault(self, self.loop.time())
        else:
            self._incomplete_since.pop(self, None)

    def _drop_slowest(self) -> bool:
        """Drop the connection that has been incomplete for longest; return whether there was one."""
        slowest = next(iter(self._incomplete_since), None)
        can_drop = slowest is not None and self.loop.time() - self._incomplete_since[slowest] > SEND_GRACE_SECONDS
        self._log_full(can_drop=can_drop)
        if slowest is None or not can_drop:
            return False
        del self._incomplete_since[slowest]
        # The loop removes it only in its next iteration; the new connection needs its place now.
        self.connections.discard(slowest)
        slowest.transport.abort()
        return True

    def _log_full(self, *, can_drop: bool) -> None:
        now = time.monotonic()
        if now - LimitedProtocol._last_logged > LOG_INTERVAL:
            LimitedProtocol._last_logged = now
            cut_off = "slowest" if can_drop else "newest"
            log.warning("connections_full", most=get_max_connections(), cut_off=cut_off)


def _make_response(status: str, text: str = "") -> bytes:
    """Return a response made by the server itself, which ends the connection."""
    headers = {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(text)), "Connection": "close"}
    lines = [f"{name}: {value}" for name, value in {**headers, **list_headers(is_secure=False)}.items()]
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", text]).encode("ascii")
