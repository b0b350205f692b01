"""The failing proxy works as described; otherwise the tests that use it would prove nothing."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.faults.proxy import Fault, Proxy


class Echo(BaseHTTPRequestHandler):
    """Echoes each request body and counts it."""

    arrived: list[bytes] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if len(body) < int(self.headers["Content-Length"]):
            return
        self.arrived.append(body)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in the base
        """Log nothing."""


@contextmanager
def serving() -> Iterator[tuple[int, list[bytes]]]:
    """Run the echo server on a free port; yield the port and the bodies that arrive there."""
    arrived: list[bytes] = []
    handler = type("Echo", (Echo,), {"arrived": arrived})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1], arrived
        finally:
            server.shutdown()
            thread.join()


def send(port: int, body: bytes) -> bytes:
    """Send once, on a new connection, as a phone does for every request.

    Raises:
        OSError, http.client.HTTPException: there was no complete reply.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("POST", "/", body, {"Connection": "close"})
        return connection.getresponse().read()
    finally:
        connection.close()


BODY = b"x" * 10_000


@pytest.mark.parametrize(
    ("fault", "arrivals", "is_answered"),
    [
        (Fault.NONE, 1, True),
        (Fault.LOSE_REQUEST, 0, False),
        (Fault.LOSE_REPLY, 1, False),
        (Fault.CUT_REQUEST, 0, False),
        (Fault.RESET, 1, False),
        (Fault.DUPLICATE, 2, True),
        (Fault.HOLD, 1, False),
    ],
)
def test_each_fault_does_what_its_name_says(fault: Fault, arrivals: int, is_answered: bool):
    with serving() as (port, arrived):
        with Proxy(port, lambda _number: fault, held_seconds=0.1) as proxy:
            if is_answered:
                assert send(proxy.port, BODY) == BODY
            else:
                with pytest.raises((OSError, http.client.HTTPException)):
                    send(proxy.port, BODY)
        assert arrived == [BODY] * arrivals
        assert proxy.done == {fault: 1}


def test_a_reply_that_is_cut_short_is_incomplete():
    with serving() as (port, arrived), Proxy(port, lambda _number: Fault.CUT_REPLY) as proxy:
        got = send(proxy.port, BODY)
        assert arrived == [BODY]
        assert 0 < len(got) < len(BODY)


def test_requests_are_numbered_for_the_plan():
    plan = [Fault.NONE, Fault.LOSE_REQUEST, Fault.NONE]
    with serving() as (port, arrived):
        with Proxy(port, plan.__getitem__) as proxy:
            send(proxy.port, b"1")
            with pytest.raises((OSError, http.client.HTTPException)):
                send(proxy.port, b"2")
            send(proxy.port, b"3")
        assert arrived == [b"1", b"3"]
