"""The limit on open connections, in a uvicorn of its own: who is cut off, and what of uvicorn it depends on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from inspect import signature
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from scorekeeper.common import connection_limit
from scorekeeper.common.connection_limit import LimitedProtocol
from tests.loops import run_in_thread
from tests.programs import TIMEOUT_SECONDS

MOST = 3
REQUEST = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
HALF_A_REQUEST = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf"


class Caller:
    """A connection to the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def read_status(self, sent: bytes = b"") -> int | None:
        """Send something; return the status of the response, or None if the connection is cut off."""
        self._writer.write(sent)
        try:
            line = await asyncio.wait_for(self._reader.readline(), TIMEOUT_SECONDS)
        except ConnectionResetError:
            return None
        return int(line.split()[1]) if line else None

    async def has_more(self) -> bool:
        return b"more" in await asyncio.wait_for(self._reader.readuntil(b"more"), TIMEOUT_SECONDS)

    def close(self) -> None:
        self._writer.close()


class Streams:
    """An application that begins every response, and ends it when `finish` is set."""

    def __init__(self) -> None:
        self.finish = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"begun", "more_body": True})
        await self.finish.wait()
        await send({"type": "http.response.body", "body": b"more"})


@pytest.fixture(autouse=True)
def _few_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limit, "get_max_connections", lambda: MOST)
    monkeypatch.setattr(connection_limit, "SEND_GRACE_SECONDS", 0.0)


@asynccontextmanager
async def serve(application: Any) -> AsyncIterator[Any]:
    """Run uvicorn with the protocol; yield what opens a connection to it."""
    config = uvicorn.Config(application, http=LimitedProtocol, port=0, lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0)
    port = server.servers[0].sockets[0].getsockname()[1]
    opened: list[Caller] = []

    async def connect(sent: bytes = b"") -> Caller:
        before = len(server.server_state.connections)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        opened.append(Caller(reader, writer))
        writer.write(sent)
        while len(server.server_state.connections) < min(before + 1, MOST):
            await asyncio.sleep(0)
        return opened[-1]

    try:
        yield connect
    finally:
        for caller in opened:
            caller.close()
        server.should_exit = server.force_exit = True
        await running


def test_at_the_limit_a_new_client_takes_the_place_of_the_one_that_is_slowest() -> None:
    async def run() -> None:
        streams = Streams()
        streams.finish.set()
        async with serve(streams) as connect:
            slowest, slower, silent = await connect(HALF_A_REQUEST), await connect(HALF_A_REQUEST), await connect()

            assert await (await connect()).read_status(REQUEST) == 200
            assert await slowest.read_status() is None
            assert await slower.read_status(b" rest") == 200
            assert await silent.read_status(REQUEST) == 200

    run_in_thread(run())


def test_a_request_that_is_being_answered_is_never_cut_off() -> None:
    async def run() -> None:
        streams = Streams()
        async with serve(streams) as connect:
            watching = [await connect() for _ in range(MOST)]
            assert [await one.read_status(REQUEST) for one in watching] == [200] * MOST

            assert await (await connect()).read_status(REQUEST) == 503
            streams.finish.set()
            assert [await one.has_more() for one in watching] == [True] * MOST
            # They have not sent their next requests.
            assert await (await connect()).read_status(REQUEST) == 200

    run_in_thread(run())


def test_the_parts_of_uvicorn_that_this_uses_are_still_the_same() -> None:
    """After an upgrade of uvicorn, compare its protocol with ours before changing this test."""
    replaced = {
        "connection_made": ["self", "transport"],
        "connection_lost": ["self", "exc"],
        "send_400_response": ["self", "msg"],
        "handle_events": ["self"],
        "on_response_complete": ["self"],
    }
    assert {name: list(signature(getattr(H11Protocol, name)).parameters) for name in replaced} == replaced
    assert replaced.keys() <= vars(LimitedProtocol).keys()
    own = {name for name in vars(LimitedProtocol) if not name.startswith("__")} - replaced.keys()
    assert [name for name in own if hasattr(H11Protocol, name)] == []
