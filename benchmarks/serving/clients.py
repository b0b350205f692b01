"""Clients that ask again as soon as they are answered; as light as Python lets them be."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

CLIENTS = 8
NextRequest = Callable[[], bytes | None]  # the next request, None when there is none left


def send_request(port: int, request: bytes) -> tuple[int, bytes]:
    """Send a request over a connection of its own; return the status and the body of the answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(request)
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
    head, _, body = b"".join(parts).partition(b"\r\n\r\n")
    return int(head[9:12]), body


def make_post(path: str, data: Any, headers: Sequence[str] = ()) -> bytes:
    """Return a POST of JSON as it goes over the wire."""
    body = json.dumps(data).encode()
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", "Content-Type: application/json"]
    lines += [*headers, f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def measure_throughput(port: int, asks: Sequence[NextRequest], seconds: float) -> float:
    """Ask as so many clients for a while; return how many requests were answered in a second.

    Raises:
        RuntimeError: an answer was not 200, or the requests ran out.
    """
    done = [0] * len(asks)
    faults: list[str] = []
    begin = threading.Barrier(len(asks) + 1)

    def run(number: int, ask: NextRequest) -> None:
        begin.wait()
        until = time.perf_counter() + seconds
        while not faults and time.perf_counter() < until:
            request = ask()
            if request is None:
                faults.append("there are no more requests to send")
                break
            status, body = send_request(port, request)
            if status != 200:
                faults.append(f"{status}: {body[:500]!r}")
                break
            done[number] += 1

    threads = [threading.Thread(target=run, args=one) for one in enumerate(asks)]
    for thread in threads:
        thread.start()
    begin.wait()
    start = time.perf_counter()
    for thread in threads:
        thread.join()
    taken = time.perf_counter() - start
    if faults:
        raise RuntimeError(faults[0])
    return sum(done) / taken
