"""One stream: its current snapshot, its recent changes, and its viewers.

Terms: a *render* takes the next snapshot in the worker thread, and prepares everything that is then sent.

Invariants:
- A new viewer gets the changes from the snapshot it has to the current one, or the full page. After that it gets every
  change, in order.
- All viewers get the same bytes, rendered once. Readers of another language have a stream of their own.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import structlog
from django.utils import translation

from scorekeeper.live.database_thread import DatabaseThread
from scorekeeper.live.page_snapshot import PageSnapshot, SnapshotSource
from scorekeeper.live.sse import KEEP_ALIVE, make_event
from scorekeeper.live.viewers import Viewer

EVENT_NAME = "rows"
MAX_CHANGES = 64  # recent changes, for viewers that reconnect
RENDER_INTERVAL = 15.0  # seconds: names change without a message, and messages may be lost
RENDER_RETRY_INTERVAL = 1.0  # seconds after a failed render
# Pause after a render, as a multiple of its duration: a burst of changes costs at most a quarter of the process.
PAUSE_FACTOR = 3.0
MAX_PAUSE_SECONDS = 3.0  # seconds: a render that waited for a slow database must not cause a long pause

log = structlog.get_logger("tailgunner.live")


class TopicKey(NamedTuple):
    """What a stream sends: a page, by its URL path, in a language."""

    path: str
    language: str


@dataclass(frozen=True, slots=True)
class SnapshotChange:
    """The change from one snapshot to the next.

    Attributes:
        before, after: the ids of the two snapshots.
        event: empty if both look the same: a change on a leaderboard need not be one on the big screen.
    """

    before: str
    after: str
    event: bytes


@dataclass(frozen=True, slots=True)
class RenderResult:
    """A new snapshot, and what is sent of it.

    Attributes:
        change: None if nothing has changed, and for the first snapshot.
        full_event: the full page, if a viewer needs it; otherwise empty.
    """

    snapshot: PageSnapshot
    change: SnapshotChange | None
    full_event: bytes


class StreamTopic:
    """A stream with viewers.

    Args:
        make_heartbeat: returns the heartbeat event.
        on_end: called when the page is no longer public.
    """

    def __init__(
        self,
        key: TopicKey,
        source: SnapshotSource,
        worker: DatabaseThread,
        make_heartbeat: Callable[[], bytes],
        on_end: Callable[[StreamTopic], None],
    ) -> None:
        self.key = key
        self.source = source
        self._worker = worker
        self._make_heartbeat = make_heartbeat
        self._on_end = on_end
        self._is_healthy = False  # whether the last render succeeded
        self._viewers: set[Viewer] = set()
        self._arriving: set[Viewer] = set()  # viewers that wait for the full page
        self._snapshot: PageSnapshot | None = None
        self._full_event = b""
        self._changes: deque[SnapshotChange] = deque(maxlen=MAX_CHANGES)
        self._render_due = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    @property
    def is_watched(self) -> bool:
        """Whether the stream has viewers."""
        return bool(self._viewers or self._arriving)

    def request_render(self) -> None:
        """Render again as soon as possible."""
        self._render_due.set()

    def join(self, viewer: Viewer) -> None:
        """Bring the viewer up to date, at once or after the next render; from then on it gets every change."""
        if not self._catch_up(viewer):
            self._arriving.add(viewer)
            self.request_render()

    def leave(self, viewer: Viewer) -> None:
        """Remove the viewer."""
        self._viewers.discard(viewer)
        self._arriving.discard(viewer)

    def send_heartbeat(self) -> None:
        """Tell all viewers that what they see is current; send a bare keep-alive while that is not certain."""
        self._send(self._make_heartbeat() if self._is_healthy else KEEP_ALIVE)

    def close(self) -> None:
        """End the stream for all viewers."""
        self._task.cancel()
        for viewer in self._viewers | self._arriving:
            viewer.close()

    async def _run(self) -> None:
        """Render again and again: after changes, and at least every `RENDER_INTERVAL`."""
        loop = asyncio.get_running_loop()
        while True:
            self._render_due.clear()
            started = loop.time()
            try:
                result = await self._worker.run(self._render, self._snapshot, bool(self._arriving))
            except Exception as error:  # noqa: BLE001 - whatever a database raises: the next render may succeed
                log.warning("page_refresh_failed", error=type(error).__name__)
                self._is_healthy = False
                await asyncio.sleep(RENDER_RETRY_INTERVAL)
                continue
            if result is None:
                self._on_end(self)
                return
            self._publish(result)
            await asyncio.sleep(min(PAUSE_FACTOR * (loop.time() - started), MAX_PAUSE_SECONDS))
            try:
                async with asyncio.timeout(RENDER_INTERVAL):
                    await self._render_due.wait()
            except TimeoutError:
                pass

    def _render(self, before: PageSnapshot | None, needs_full: bool) -> RenderResult | None:
        """Query the database, in the worker thread; return None if the page is no longer public."""
        with translation.override(self.key.language):
            return self._render_in_language(before, needs_full)

    def _render_in_language(self, before: PageSnapshot | None, needs_full: bool) -> RenderResult | None:
        snapshot = self.source.take_snapshot()
        if snapshot is None:
            return None
        change = None
        if before is not None and before.id != snapshot.id:
            diff = snapshot.diff_from(before)
            event = make_event(EVENT_NAME, diff, snapshot.id) if diff else b""
            change = SnapshotChange(before.id, snapshot.id, event)
        full_event = make_event(EVENT_NAME, snapshot.render_swap(), snapshot.id) if needs_full else b""
        return RenderResult(snapshot, change, full_event)

    def _publish(self, result: RenderResult) -> None:
        was_healthy, self._is_healthy = self._is_healthy, True
        if result.change is not None:
            self._changes.append(result.change)
            if result.change.event:
                self._send(result.change.event)
        if not was_healthy:
            self.send_heartbeat()
        if result.change is not None or self._snapshot is None:
            self._snapshot, self._full_event = result.snapshot, b""
        self._full_event = self._full_event or result.full_event
        for viewer in list(self._arriving):
            if self._catch_up(viewer):
                self._arriving.discard(viewer)
        if self._arriving:  # they came during the render
            self.request_render()

    def _catch_up(self, viewer: Viewer) -> bool:
        """Send the viewer the changes it missed, or the full page; return False if the full page is not ready yet."""
        if self._snapshot is None:
            return False
        missed = self._get_missed_events(viewer.last_id)
        if missed is None and not self._full_event:
            return False
        pieces = (self._full_event if missed is None else missed, self._make_heartbeat() if self._is_healthy else b"")
        viewer.put(*filter(None, pieces))
        self._viewers.add(viewer)
        return True

    def _get_missed_events(self, last_id: str) -> bytes | None:
        """Return the changes since that event, or None if it is too old or was never sent."""
        assert self._snapshot is not None, "called only once there is a snapshot"
        if last_id == self._snapshot.id:
            return b""
        missed: list[bytes] = []
        for change in reversed(self._changes):
            missed.append(change.event)
            if change.before == last_id:
                return b"".join(reversed(missed))
        return None

    def _send(self, data: bytes) -> None:
        """Send data to every viewer. Viewers that are too slow are dropped; their browsers reconnect."""
        slow = [viewer for viewer in self._viewers if not viewer.put(data)]
        self._viewers.difference_update(slow)
        if slow:
            log.info("slow_viewers_dropped", count=len(slow))
