"""A thread that hands messages to the broker, so that nobody who answers a person ever waits for one.

Terms: a message *waits* until it is on its way. The same message put in again while it waits is one message, and after
each round of sending the thread *rests*: in a rush, what many requests have to say to the same task goes out once.
Invariant: putting one in takes no network, raises nothing and keeps nobody waiting. While the broker is away the
messages wait for it, up to `MOST`; those of a process that is killed are lost, which its messages must allow.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice

import structlog

log = structlog.get_logger("tailgunner.dispatch")

MAX_MESSAGES = 10_000
SEND_INTERVAL = 0.1  # seconds between two rounds; whoever watches a leaderboard does not see so short a while
RETRY_INTERVAL = 1.0  # seconds between two attempts while the broker is away
EXIT_TIMEOUT = 3.0  # seconds a process that ends in order has for what still waits


@dataclass(frozen=True)
class TaskMessage:
    """A task to be sent.

    Attributes:
        task: its registered name.
        arguments: its arguments, as JSON.
        request_id: the request it came of. Two messages that differ in this alone are the same.
    """

    task: str
    arguments: str
    request_id: str = field(default="", compare=False)


class Outbox:
    """What waits, and the thread that sends it, which is started by the first message of a process."""

    def __init__(self, send: Callable[[TaskMessage], None]) -> None:
        """Args: send: hands one message to the broker, or raises whatever the transport does."""
        self._send = send
        self._reset()
        # A child has none of its parent's threads, and the parent sends what waited in it.
        os.register_at_fork(after_in_child=self._reset)
        atexit.register(self.flush, EXIT_TIMEOUT)

    def _reset(self) -> None:
        self._queued: dict[TaskMessage, None] = {}
        self._condition = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_sending = False
        self._is_broker_down = False

    def put(self, message: TaskMessage) -> None:
        """Let the message be sent soon."""
        with self._condition:
            if len(self._queued) < MAX_MESSAGES:
                self._queued.setdefault(message)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)
                self._thread.start()
            self._condition.notify_all()

    def count(self) -> int:
        """Return how many messages wait."""
        return len(self._queued)

    def flush(self, patience: float) -> None:
        """Return once nothing waits, the broker turns out to be away, or the patience (in seconds) is over."""
        with self._condition:
            self._condition.wait_for(lambda: self._is_broker_down or not (self._queued or self._is_sending), patience)

    def _run(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._queued)
                # Taken out before they are sent: what is put in from now on may be about something newer.
                messages, self._queued = list(self._queued), {}
                self._is_sending = True
            unsent = self._send_all(messages)
            with self._condition:
                self._is_sending = False
                self._queued = dict.fromkeys(islice((*unsent, *self._queued), MAX_MESSAGES))
                self._condition.notify_all()
            time.sleep(RETRY_INTERVAL if unsent else SEND_INTERVAL)

    def _send_all(self, messages: Sequence[TaskMessage]) -> Sequence[TaskMessage]:
        """Send until one cannot be sent; return that and what comes after it."""
        for at, message in enumerate(messages):
            if not self._try_send(message):
                return messages[at:]
        return ()

    def _try_send(self, message: TaskMessage) -> bool:
        try:
            self._send(message)
        except Exception as error:  # noqa: BLE001 - whatever the transport raises: what the message is about stands
            if not self._is_broker_down:
                log.warning("task_not_sent", task=message.task, error=type(error).__name__)
            self._is_broker_down = True
            return False
        if self._is_broker_down:
            log.info("tasks_sent_again", waiting=len(self._queued))
        self._is_broker_down = False
        return True
