"""One stream: its picture, what changed lately, and who watches.

Terms: a *look* takes the next picture, in the worker thread, with everything that is then to be sent.
Invariant: whoever comes gets what turns the picture they have into the one that stands, or else all of it; from then on
every change, in order. All viewers get the same bytes, made once.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from scorekeeper.live.database_thread import DatabaseThread
from scorekeeper.live.page_snapshot import PageSnapshot, SnapshotSource
from scorekeeper.live.sse import KEEP_ALIVE, make_event
from scorekeeper.live.viewers import Viewer

EVENT_NAME = "rows"
MAX_CHANGES = 64  # changes, for those who come back
RENDER_INTERVAL = 15.0  # seconds: names change without anybody being told, and a message may have been lost
RENDER_RETRY_INTERVAL = 1.0  # seconds after a look that failed
PAUSE_FACTOR = (
    3.0  # times as long as the last look took: a burst of changes costs no more than a quarter of the process
)
MAX_PAUSE_SECONDS = 3.0  # seconds: a look that waited long for a database in trouble is no reason to look away for long

log = structlog.get_logger("tailgunner.live")


@dataclass(frozen=True, slots=True)
class SnapshotChange:
    """What turned one picture into the next.

    Attributes:
        event: empty where the two look the same: a change that a leaderboard shows may be none on the big screen.
    """

    before: str
    after: str
    event: bytes


@dataclass(frozen=True, slots=True)
class RenderResult:
    """A new picture, and what is sent of it.

    Attributes:
        change: None where nothing changed, and for the first picture.
        whole: everything, where somebody needs it.
    """

    snapshot: PageSnapshot
    change: SnapshotChange | None
    full_event: bytes


class StreamTopic:
    """A stream that somebody watches.

    Args:
        make_beat: makes the sign of life.
        end: called when the public may no longer see what this shows.
    """

    def __init__(
        self,
        address: str,
        source: SnapshotSource,
        worker: DatabaseThread,
        make_beat: Callable[[], bytes],
        end: Callable[[StreamTopic], None],
    ) -> None:
        self.address = address
        self.source = source
        self._worker = worker
        self._make_heartbeat = make_beat
        self._on_end = end
        self._is_healthy = False  # whether the last look succeeded
        self._viewers: set[Viewer] = set()
        self._arriving: set[Viewer] = set()  # wait for a picture of everything
        self._snapshot: PageSnapshot | None = None
        self._full_event = b""
        self._changes: deque[SnapshotChange] = deque(maxlen=MAX_CHANGES)
        self._render_due = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    @property
    def is_watched(self) -> bool:
        """Whether anybody is there."""
        return bool(self._viewers or self._arriving)

    def request_render(self) -> None:
        """Have the next look taken as soon as may be."""
        self._render_due.set()

    def join(self, viewer: Viewer) -> None:
        """Bring the viewer to where everybody is, at once or after the next look; from then on they follow."""
        if not self._catch_up(viewer):
            self._arriving.add(viewer)
            self.request_render()

    def leave(self, viewer: Viewer) -> None:
        """Forget the viewer."""
        self._viewers.discard(viewer)
        self._arriving.discard(viewer)

    def send_heartbeat(self) -> None:
        """Say that what everybody sees is right at this moment; while that is not known, only that we are here."""
        self._send(self._make_heartbeat() if self._is_healthy else KEEP_ALIVE)

    def close(self) -> None:
        """End the stream for everybody."""
        self._task.cancel()
        for viewer in self._viewers | self._arriving:
            viewer.close()

    async def _run(self) -> None:
        """Take one look after the other."""
        loop = asyncio.get_running_loop()
        while True:
            self._render_due.clear()
            started = loop.time()
            try:
                seen = await self._worker.run(self._render, self._snapshot, bool(self._arriving))
            except Exception as error:  # noqa: BLE001 - whatever a database raises: the next look may succeed
                log.warning("look_failed", error=type(error).__name__)
                self._is_healthy = False
                await asyncio.sleep(RENDER_RETRY_INTERVAL)
                continue
            if seen is None:
                self._on_end(self)
                return
            self._publish(seen)
            await asyncio.sleep(min(PAUSE_FACTOR * (loop.time() - started), MAX_PAUSE_SECONDS))
            try:
                async with asyncio.timeout(RENDER_INTERVAL):
                    await self._render_due.wait()
            except TimeoutError:
                pass

    def _render(self, before: PageSnapshot | None, is_whole_wanted: bool) -> RenderResult | None:
        """Ask the database, in the worker thread; None when the public may no longer see it."""
        picture = self.source.take_snapshot()
        if picture is None:
            return None
        change = None
        if before is not None and before.id != picture.id:
            pieces = picture.diff_from(before)
            change = SnapshotChange(
                before.id, picture.id, make_event(EVENT_NAME, pieces, picture.id) if pieces else b""
            )
        whole = make_event(EVENT_NAME, picture.render_swap(), picture.id) if is_whole_wanted else b""
        return RenderResult(picture, change, whole)

    def _publish(self, seen: RenderResult) -> None:
        was_sure, self._is_healthy = self._is_healthy, True
        if seen.change is not None:
            self._changes.append(seen.change)
            if seen.change.event:
                self._send(seen.change.event)
        if not was_sure:
            self.send_heartbeat()
        if seen.change is not None or self._snapshot is None:
            self._snapshot, self._full_event = seen.snapshot, b""
        self._full_event = self._full_event or seen.full_event
        for viewer in list(self._arriving):
            if self._catch_up(viewer):
                self._arriving.discard(viewer)
        if self._arriving:  # they came while the look was taken
            self.request_render()

    def _catch_up(self, viewer: Viewer) -> bool:
        """Send the viewer what they lack, and let them follow; return whether that is at hand."""
        if self._snapshot is None:
            return False
        missed = self._get_missed_events(viewer.last_id)
        if missed is None and not self._full_event:
            return False
        viewer.put(
            (self._full_event if missed is None else missed) + (self._make_heartbeat() if self._is_healthy else b"")
        )
        self._viewers.add(viewer)
        return True

    def _get_missed_events(self, last_id: str) -> bytes | None:
        """Return the changes since that event; None when it is too long ago, or was never sent."""
        assert self._snapshot is not None, "asked only once there is a picture"
        if last_id == self._snapshot.id:
            return b""
        missed: list[bytes] = []
        for change in reversed(self._changes):
            missed.append(change.event)
            if change.before == last_id:
                return b"".join(reversed(missed))
        return None

    def _send(self, data: bytes) -> None:
        """Send this to every viewer; those who cannot follow are dropped, and come back by themselves."""
        slow = [viewer for viewer in self._viewers if not viewer.put(data)]
        self._viewers.difference_update(slow)
        if slow:
            log.info("slow_viewers_dropped", count=len(slow))
