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

from scorekeeper.live.picture import Picture, Source
from scorekeeper.live.sse import SILENCE, make_event
from scorekeeper.live.viewers import Viewer
from scorekeeper.live.worker import Worker

EVENT = "rows"
KEPT = 64  # changes, for those who come back
LOOK_ANYWAY = 15.0  # seconds: names change without anybody being told, and a message may have been lost
LOOK_AGAIN = 1.0  # seconds after a look that failed
REST = 3.0  # times as long as the last look took: a burst of changes costs no more than a quarter of the process
LONGEST_REST = 3.0  # seconds: a look that waited long for a database in trouble is no reason to look away for long

log = structlog.get_logger("tailgunner.live")


@dataclass(frozen=True, slots=True)
class Change:
    """What turned one picture into the next.

    Attributes:
        event: empty where the two look the same: a change that a leaderboard shows may be none on the big screen.
    """

    before: str
    after: str
    event: bytes


@dataclass(frozen=True, slots=True)
class Look:
    """A new picture, and what is sent of it.

    Attributes:
        change: None where nothing changed, and for the first picture.
        whole: everything, where somebody needs it.
    """

    picture: Picture
    change: Change | None
    whole: bytes


class Topic:
    """A stream that somebody watches.

    Args:
        make_beat: makes the sign of life.
        end: called when the public may no longer see what this shows.
    """

    def __init__(
        self,
        address: str,
        source: Source,
        worker: Worker,
        make_beat: Callable[[], bytes],
        end: Callable[[Topic], None],
    ) -> None:
        self.address = address
        self.source = source
        self._worker = worker
        self._make_beat = make_beat
        self._end = end
        self._is_sure = False  # whether the last look succeeded
        self._viewers: set[Viewer] = set()
        self._arriving: set[Viewer] = set()  # wait for a picture of everything
        self._picture: Picture | None = None
        self._whole = b""
        self._changes: deque[Change] = deque(maxlen=KEPT)
        self._is_due = asyncio.Event()
        self._following = asyncio.create_task(self._follow())

    @property
    def is_watched(self) -> bool:
        """Whether anybody is there."""
        return bool(self._viewers or self._arriving)

    def look(self) -> None:
        """Have the next look taken as soon as may be."""
        self._is_due.set()

    def join(self, viewer: Viewer) -> None:
        """Bring the viewer to where everybody is, at once or after the next look; from then on they follow."""
        if not self._bring(viewer):
            self._arriving.add(viewer)
            self.look()

    def leave(self, viewer: Viewer) -> None:
        """Forget the viewer."""
        self._viewers.discard(viewer)
        self._arriving.discard(viewer)

    def beat(self) -> None:
        """Say that what everybody sees is right at this moment; while that is not known, only that we are here."""
        self._send(self._make_beat() if self._is_sure else SILENCE)

    def close(self) -> None:
        """End the stream for everybody."""
        self._following.cancel()
        for viewer in self._viewers | self._arriving:
            viewer.close()

    async def _follow(self) -> None:
        """Take one look after the other."""
        loop = asyncio.get_running_loop()
        while True:
            self._is_due.clear()
            started = loop.time()
            try:
                seen = await self._worker.run(self._take_look, self._picture, bool(self._arriving))
            except Exception as error:  # noqa: BLE001 - whatever a database raises: the next look may succeed
                log.warning("look_failed", error=type(error).__name__)
                self._is_sure = False
                await asyncio.sleep(LOOK_AGAIN)
                continue
            if seen is None:
                self._end(self)
                return
            self._show(seen)
            await asyncio.sleep(min(REST * (loop.time() - started), LONGEST_REST))
            try:
                async with asyncio.timeout(LOOK_ANYWAY):
                    await self._is_due.wait()
            except TimeoutError:
                pass

    def _take_look(self, before: Picture | None, is_whole_wanted: bool) -> Look | None:
        """Ask the database, in the worker thread; None when the public may no longer see it."""
        picture = self.source.take_picture()
        if picture is None:
            return None
        change = None
        if before is not None and before.id != picture.id:
            pieces = picture.since(before)
            change = Change(before.id, picture.id, make_event(EVENT, pieces, picture.id) if pieces else b"")
        whole = make_event(EVENT, picture.draw_in_place(), picture.id) if is_whole_wanted else b""
        return Look(picture, change, whole)

    def _show(self, seen: Look) -> None:
        was_sure, self._is_sure = self._is_sure, True
        if seen.change is not None:
            self._changes.append(seen.change)
            if seen.change.event:
                self._send(seen.change.event)
        if not was_sure:
            self.beat()
        if seen.change is not None or self._picture is None:
            self._picture, self._whole = seen.picture, b""
        self._whole = self._whole or seen.whole
        for viewer in list(self._arriving):
            if self._bring(viewer):
                self._arriving.discard(viewer)
        if self._arriving:  # they came while the look was taken
            self.look()

    def _bring(self, viewer: Viewer) -> bool:
        """Send the viewer what they lack, and let them follow; return whether that is at hand."""
        if self._picture is None:
            return False
        missed = self._get_missed(viewer.last_id)
        if missed is None and not self._whole:
            return False
        viewer.put((self._whole if missed is None else missed) + (self._make_beat() if self._is_sure else b""))
        self._viewers.add(viewer)
        return True

    def _get_missed(self, last_id: str) -> bytes | None:
        """Return the changes since that event; None when it is too long ago, or was never sent."""
        assert self._picture is not None, "asked only once there is a picture"
        if last_id == self._picture.id:
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
