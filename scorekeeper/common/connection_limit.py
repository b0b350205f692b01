"""uvicorn's side of a connection, with an end to how many of them a process holds: `--http` names it to uvicorn.

Terms: a connection is *waiting* while its request is not complete: nothing was sent yet, or only a part.

Invariants:
- A process never runs out of files for want of a limit: whoever comes when the room is taken gets the place of the one
  that has been waiting longest. Somebody who sends slowly, or nothing, cannot keep out anybody who does send.
- Where nobody has been waiting for longer than a moment, the newcomer is answered 503. What is being answered, a stream
  included, is never cut off.
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

SEND_GRACE_SECONDS = 1.0  # seconds that everybody has for sending a request, however many come at once
LOG_INTERVAL = 60.0  # seconds between two lines of the log
RETRY_AFTER_SECONDS = 5  # seconds after which whoever found no room may come again

log = structlog.get_logger("tailgunner.serve")


class LimitedProtocol(H11Protocol):
    """A connection that knows of the others."""

    # Since when, by the loop's clock; in the order in which they began to wait.
    _incomplete_since: dict[LimitedProtocol, float] = {}
    _last_logged = float("-inf")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._is_refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection in, in the place of another where there is no more room, or refuse it."""
        if len(self.connections) >= get_max_connections() and not self._drop_slowest():
            self._is_refused = True
            transport.write(_make_response(f"503 Service Unavailable\r\nRetry-After: {RETRY_AFTER_SECONDS}"))
            transport.close()
            return
        super().connection_made(transport)
        self._track_state()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if not self._is_refused:
            self._incomplete_since.pop(self, None)
            super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request, with the headers of every answer."""
        self.transport.write(_make_response("400 Bad Request", f"{msg}\n"))
        self.transport.close()

    def handle_events(self) -> None:
        """Take in what was received."""
        super().handle_events()
        self._track_state()

    def on_response_complete(self) -> None:
        """Go on to the next request."""
        super().on_response_complete()
        self._track_state()

    def _track_state(self) -> None:
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._incomplete_since.setdefault(self, self.loop.time())
        else:
            self._incomplete_since.pop(self, None)

    def _drop_slowest(self) -> bool:
        """Cut off the one that has been waiting longest; return whether there was any."""
        slowest, since = next(iter(self._incomplete_since.items()), (self, self.loop.time()))
        has_room = self.loop.time() - since > SEND_GRACE_SECONDS
        self._log_full(has_room=has_room)
        if not has_room:
            return False
        del self._incomplete_since[slowest]
        # It is gone only when the loop comes round; its place is free now.
        self.connections.discard(slowest)
        slowest.transport.abort()
        return True

    def _log_full(self, *, has_room: bool) -> None:
        now = time.monotonic()
        if now - LimitedProtocol._last_logged > LOG_INTERVAL:
            LimitedProtocol._last_logged = now
            cut_off = "slowest" if has_room else "newest"
            log.warning("connections_full", most=get_max_connections(), cut_off=cut_off)


def _make_response(status: str, text: str = "") -> bytes:
    """Return an answer of the server's own, which ends the connection."""
    own = {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(text)), "Connection": "close"}
    lines = [f"{name}: {value}" for name, value in {**own, **list_headers(is_secure=False)}.items()]
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", text]).encode("ascii")
