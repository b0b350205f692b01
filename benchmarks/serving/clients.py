"""Lightweight HTTP clients that send the next request as soon as they have a response."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

CLIENTS = 8
NextRequest = Callable[[], bytes | None]  # returns the next request, or None if there is none left


def send_request(port: int, request: bytes) -> tuple[int, bytes]:
    """Send a request over a connection of its own; return the status and the body of the response."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(request)
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
    head, _, body = b"".join(parts).partition(b"\r\n\r\n")
    return int(head[9:12]), body


def make_post(path: str, data: Any, headers: Sequence[str] = ()) -> bytes:
    """Return a POST request with a JSON body, as bytes for the wire."""
    body = json.dumps(data).encode()
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", "Content-Type: application/json"]
    lines += [*headers, f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def measure_throughput(port: int, clients: Sequence[NextRequest], seconds: float) -> float:
    """Send requests from all clients for a while; return how many were answered per second.

    Raises:
        RuntimeError: a response was not 200, or the requests ran out.
    """
    done = [0] * len(clients)
    errors: list[str] = []
    begin = threading.Barrier(len(clients) + 1)

    def run(number: int, next_request: NextRequest) -> None:
        begin.wait()
        until = time.perf_counter() + seconds
        while not errors and time.perf_counter() < until:
            request = next_request()
            if request is None:
                errors.append("there are no more requests to send")
                break
            status, body = send_request(port, request)
            if status != 200:
                errors.append(f"{status}: {body[:500]!r}")
                break
            done[number] += 1

    threads = [threading.Thread(target=run, args=client) for client in enumerate(clients)]
    for thread in threads:
        thread.start()
    begin.wait()
    start = time.perf_counter()
    for thread in threads:
        thread.join()
    taken = time.perf_counter() - start
    if errors:
        raise RuntimeError(errors[0])
    return sum(done) / taken
