"""Those who watch, each with what is still to be sent to them."""

from __future__ import annotations

import asyncio

MAX_QUEUED_BYTES = 500_000  # bytes; who is that far behind has a fresh picture sooner than all that led to it


class Viewer:
    """Somebody at the other end of a stream.

    Attributes:
        last_id: the last event they say they have seen; "" for none.
    """

    __slots__ = ("_is_open", "_size", "_waiting", "_woken", "last_id")

    def __init__(self, last_id: str) -> None:
        self.last_id = last_id
        self._waiting: list[bytes] = []
        self._size = 0
        self._woken = asyncio.Event()
        self._is_open = True

    def put(self, data: bytes) -> bool:
        """Have this sent; whoever cannot follow is let go. Return whether they are still there."""
        if self._size > MAX_QUEUED_BYTES:
            self._waiting.clear()
            self.close()
        if self._is_open:
            self._waiting.append(data)
            self._size += len(data)
            self._woken.set()
        return self._is_open

    def close(self) -> None:
        """Let what is waiting be sent, and then end."""
        self._is_open = False
        self._woken.set()

    async def next_chunk(self) -> bytes | None:
        """Wait for something to send, and return it; None at the end."""
        while not self._waiting:
            if not self._is_open:
                return None
            self._woken.clear()
            await self._woken.wait()
        data = self._waiting[0] if len(self._waiting) == 1 else b"".join(self._waiting)
        self._waiting.clear()
        self._size = 0
        return data
