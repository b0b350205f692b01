"""A failing connection: a TCP proxy between phones and the server that applies a planned fault to each request.

Terms: a *fault* is what happens to one request and its reply. Every connection carries one request, since the phone
asks to close it. So the proxy reads a whole request before it decides, and knows where the server's reply ends.
"""

from __future__ import annotations

import asyncio
import enum
import socket
import struct
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from types import TracebackType

from tests.programs import TIMEOUT_SECONDS


class Fault(enum.Enum):
    """What happens to a request."""

    NONE = "passed on"
    LOSE_REQUEST = "the request never arrives"
    LOSE_REPLY = "it is carried out, and the reply is lost"
    CUT_REQUEST = "half of the request arrives, and the line is cut"
    CUT_REPLY = "half of the reply arrives, and the line is cut"
    RESET = "it is carried out, and the connection is reset"
    DUPLICATE = "it arrives twice, one after the other"
    HOLD = "it arrives after the phone has given up"


Plan = Callable[[int], Fault]


class Proxy:
    """A proxy on a free port of this machine, while the context is open.

    Attributes:
        port: the port that phones connect to.
        done: how often each fault has occurred.
    """

    def __init__(self, target: int, plan: Plan, held_seconds: float = 2.0) -> None:
        """Prepare it.

        Args:
            target: the server's port.
            plan: the fault of each request, by its number, counted from 0.
            held_seconds: the delay of a held request.
        """
        self.target = target
        self.done: Counter[Fault] = Counter()
        self.port = 0
        self._plan = plan
        self._held_seconds = held_seconds
        self._loop = asyncio.new_event_loop()
        self._opened = threading.Event()
        self._closing = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),))

    def __enter__(self) -> Proxy:
        self._thread.start()
        assert self._opened.wait(TIMEOUT_SECONDS), "the proxy did not come up"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join(TIMEOUT_SECONDS)
        self._loop.close()

    async def _serve(self) -> None:
        running: set[asyncio.Task[None]] = set()

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(self._carry(reader, writer))
            running.add(task)
            task.add_done_callback(running.discard)

        server = await asyncio.start_server(accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._opened.set()
        async with server:
            await self._closing.wait()
        # Held requests still arrive: the end of the test does not spare the server.
        await asyncio.gather(*running)

    async def _carry(self, phone: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        try:
            request = await _read_request(phone)
            fault = self._plan(self.done.total())
            self.done[fault] += 1
            await self._FAULTS[fault](self, request, back)
        except (OSError, asyncio.IncompleteReadError):
            pass  # one side disconnected, which is what this simulates
        finally:
            back.close()

    async def _pass_on(self, request: bytes, back: asyncio.StreamWriter) -> None:
        back.write(await self._ask(request))
        await back.drain()

    async def _lose_request(self, request: bytes, back: asyncio.StreamWriter) -> None:
        """Close the connection and do nothing else."""

    async def _lose_reply(self, request: bytes, back: asyncio.StreamWriter) -> None:
        await self._ask(request)

    async def _cut_request(self, request: bytes, back: asyncio.StreamWriter) -> None:
        _reader, writer = await asyncio.open_connection("127.0.0.1", self.target)
        writer.write(request[: len(request) // 2])
        await writer.drain()
        writer.close()

    async def _cut_reply(self, request: bytes, back: asyncio.StreamWriter) -> None:
        reply = await self._ask(request)
        back.write(reply[: len(reply) // 2])
        await back.drain()

    async def _reset(self, request: bytes, back: asyncio.StreamWriter) -> None:
        await self._ask(request)
        # Closing a socket that must not linger sends a reset.
        connection: socket.socket = back.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    async def _duplicate(self, request: bytes, back: asyncio.StreamWriter) -> None:
        await self._ask(request)
        await self._pass_on(request, back)

    async def _hold(self, request: bytes, back: asyncio.StreamWriter) -> None:
        back.close()
        await asyncio.sleep(self._held_seconds)
        await self._ask(request)

    async def _ask(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.target)
        try:
            writer.write(request)
            await writer.drain()
            return await reader.read()
        finally:
            writer.close()

    _FAULTS: dict[Fault, Callable[[Proxy, bytes, asyncio.StreamWriter], Awaitable[None]]] = {
        Fault.NONE: _pass_on,
        Fault.LOSE_REQUEST: _lose_request,
        Fault.LOSE_REPLY: _lose_reply,
        Fault.CUT_REQUEST: _cut_request,
        Fault.CUT_REPLY: _cut_reply,
        Fault.RESET: _reset,
        Fault.DUPLICATE: _duplicate,
        Fault.HOLD: _hold,
    }


async def _read_request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    lengths = [
        int(value)
        for name, _colon, value in (line.partition(b":") for line in head.split(b"\r\n"))
        if name.lower() == b"content-length"
    ]
    return head + await reader.readexactly(lengths[0] if lengths else 0)
