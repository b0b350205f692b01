"""Viewers of a stream, each with a queue of data to send."""

from __future__ import annotations

import asyncio

MAX_QUEUED_BYTES = 500_000  # a viewer that far behind gets the full page sooner than all the changes


class Viewer:
    """The client of an open stream.

    Attributes:
        last_id: the last event that the client says it has received; "" for none.
        network: for which its place is taken (see `scorekeeper.live.stream_places`).
    """

    __slots__ = ("_is_open", "_size", "_waiting", "_woken", "last_id", "network")

    def __init__(self, last_id: str, network: str) -> None:
        self.last_id = last_id
        self.network = network
        self._waiting: list[bytes] = []
        self._size = 0
        self._woken = asyncio.Event()
        self._is_open = True

    def put(self, *pieces: bytes) -> bool:
        """Queue data to be sent, and drop the viewer if its queue is too long; return whether it is still open."""
        if self._size > MAX_QUEUED_BYTES:
            self._waiting.clear()
            self.close()
        if self._is_open:
            self._waiting += pieces
            self._size += sum(map(len, pieces))
            self._woken.set()
        return self._is_open

    def close(self) -> None:
        """End the stream once all queued data is sent."""
        self._is_open = False
        self._woken.set()

    async def next_chunk(self) -> bytes | None:
        """Wait for data to send and return it, or None at the end.

        Pieces are not joined: most of them, and all large ones, are shared with the other viewers of the topic.
        """
        while not self._waiting:
            if not self._is_open:
                return None
            self._woken.clear()
            await self._woken.wait()
        data = self._waiting.pop(0)
        self._size -= len(data)
        return data
