"""Phones that send until they get receipts, over a good or a failing connection.

A phone has a queue of operations and sends it in batches. Only a receipt removes an operation from the queue. After no
reply, a truncated one or another server's page, nothing is known, and the phone sends the same operations again.
"""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from scorekeeper.crew.access import DEVICE_COOKIE

TIMEOUT_SECONDS = 20.0  # seconds without a reply
PAUSE = 0.02  # seconds before a retry, and up to three times as long
# The server could not record these operations yet; they stay in the queue.
NOT_YET = "not_yet"


@dataclass
class Phone:
    """A crew member's phone.

    Attributes:
        port: the port it connects to: the server's, or that of a failing proxy.
        queue: the operations still to send.
        coming: operations that are generated when a batch has space for them.
        receipts: the receipts so far, by operation.
        tries: how many requests it sent.
        statuses: the statuses of responses without receipts, in order.
        lost: how many requests got no complete response.
        rest: seconds between a response and the next request.
        took: seconds that each response took.
    """

    port: int
    cookie: str
    queue: list[Mapping[str, Any]]
    batch: int = 20
    receipts: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    tries: int = 0
    statuses: list[int] = field(default_factory=list)
    lost: int = 0
    rest: float = 0.0
    durations: list[float] = field(default_factory=list)
    source: Iterator[Mapping[str, Any]] = field(default_factory=lambda: iter(()))

    def send_all(self, stop: threading.Event) -> None:
        """Send until the queue is empty or the stop event is set."""
        chance = random.Random(self.cookie)
        while not stop.is_set():
            self.queue += islice(self.source, max(0, self.batch - len(self.queue)))
            if not self.queue:
                return
            is_taken = self.send_once(self.queue[: self.batch])
            stop.wait(self.rest if is_taken else PAUSE * chance.uniform(1, 3))

    def send_once(self, operations: Sequence[Mapping[str, Any]]) -> bool:
        """Send some operations and save the receipts; return whether there were any."""
        self.tries += 1
        began = time.monotonic()
        try:
            status, reply = post(self.port, self.cookie, operations)
            answered = json.loads(reply) if status == 200 else None
        except (OSError, http.client.HTTPException, ValueError):  # the last line, if it was cut short
            self.lost += 1
            return False
        self.durations.append(time.monotonic() - began)
        if answered is None:
            self.statuses.append(status)
            return False
        news = {one["id"]: one for one in answered["receipts"] if one["outcome"] != NOT_YET}
        self.receipts.update(news)
        self.queue = [one for one in self.queue if one["id"] not in news]
        return bool(news)


def post(port: int, cookie: str, operations: Sequence[Mapping[str, Any]]) -> tuple[int, bytes]:
    """Send operations once, on a connection of their own; return the status and the body.

    Raises:
        OSError, http.client.HTTPException: there was no complete response.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
    headers = {"Content-Type": "application/json", "Cookie": f"{DEVICE_COOKIE}={cookie}", "Connection": "close"}
    try:
        connection.request("POST", "/api/v1/operations", json.dumps({"operations": list(operations)}), headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def split_between_phones(
    port: int, cookies: Sequence[str], operations: Iterable[Mapping[str, Any]], batch: int
) -> list[Phone]:
    """Return the phones, with the operations distributed in turn."""
    every = list(operations)
    return [Phone(port, cookie, every[number :: len(cookies)], batch=batch) for number, cookie in enumerate(cookies)]


class Sending:
    """Several phones that send at once while the context is open.

    `wait` returns when all queues are empty. Leaving the context stops phones that are still sending.
    """

    def __init__(self, phones: Sequence[Phone]) -> None:
        self.phones = phones
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=phone.send_all, args=(self._stop,)) for phone in phones]

    def __enter__(self) -> Sending:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    @property
    def is_over(self) -> bool:
        """Whether every operation has its receipt."""
        return not any(thread.is_alive() for thread in self._threads)

    def wait(self, seconds: float) -> None:
        """Wait until every operation has its receipt.

        Raises:
            AssertionError: some had none in that time.
        """
        for thread in self._threads:
            thread.join(seconds)
        left = sum(len(phone.queue) for phone in self.phones)
        assert self.is_over, f"{left} operations were not answered; statuses: {[p.statuses[-3:] for p in self.phones]}"

    def count_receipts(self) -> int:
        """Return how many receipts there are so far."""
        return sum(len(phone.receipts) for phone in self.phones)

    def has_more_than(self, receipts: int) -> bool:
        """Whether there are more receipts than this."""
        return self.count_receipts() > receipts
