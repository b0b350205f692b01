"""A background thread that sends messages to the broker, so that no request ever waits for it.

A message is queued until it is sent. Adding a message that is queued already has no effect, and the thread pauses after
each round of sending. So when many requests send the same message within a short time, it goes out once.

Invariants:
- Adding a message uses no network, raises nothing and never blocks.
- While the broker is down, up to `MAX_MESSAGES` messages stay queued.
- A process that is killed loses its queued messages. So every message must be safe to lose.
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
SEND_INTERVAL = 0.1  # seconds between two rounds; too short to be noticed on a leaderboard
RETRY_INTERVAL = 1.0  # seconds between two attempts while the broker is down
EXIT_TIMEOUT = 3.0  # seconds that a process has for its queued messages at a normal exit


@dataclass(frozen=True)
class TaskMessage:
    """A task to send.

    Attributes:
        task: the task's registered name.
        arguments: its arguments as JSON.
        request_id: the request that caused it. Messages that differ only in this are equal.
    """

    task: str
    arguments: str
    request_id: str = field(default="", compare=False)


class Outbox:
    """The queued messages, and the thread that sends them. The first message of a process starts the thread."""

    def __init__(self, send: Callable[[TaskMessage], None]) -> None:
        """Args: send: sends one message to the broker, or raises an exception of the transport."""
        self._send = send
        self._reset()
        # A forked child has none of its parent's threads, and the parent sends the messages that were queued.
        os.register_at_fork(after_in_child=self._reset)
        atexit.register(self.flush, EXIT_TIMEOUT)

    def _reset(self) -> None:
        self._queued: dict[TaskMessage, None] = {}
        self._condition = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_sending = False
        self._is_broker_down = False

    def put(self, message: TaskMessage) -> None:
        """Queue the message to be sent soon."""
        with self._condition:
            if len(self._queued) < MAX_MESSAGES:
                self._queued.setdefault(message)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)
                self._thread.start()
            self._condition.notify_all()

    def count(self) -> int:
        """Return how many messages are queued."""
        return len(self._queued)

    def flush(self, timeout: float) -> None:
        """Wait until all messages are sent, the broker is down, or the timeout (in seconds) has expired."""
        with self._condition:
            self._condition.wait_for(lambda: self._is_broker_down or not (self._queued or self._is_sending), timeout)

    def _run(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._queued)
                # Removed before they are sent: an equal message added from now on may be about a newer change.
                messages, self._queued = list(self._queued), {}
                self._is_sending = True
            unsent = self._send_all(messages)
            with self._condition:
                self._is_sending = False
                self._queued = dict.fromkeys(islice((*unsent, *self._queued), MAX_MESSAGES))
                self._condition.notify_all()
            time.sleep(RETRY_INTERVAL if unsent else SEND_INTERVAL)

    def _send_all(self, messages: Sequence[TaskMessage]) -> Sequence[TaskMessage]:
        """Send messages until one fails; return the unsent ones, beginning with that."""
        for index, message in enumerate(messages):
            if not self._try_send(message):
                return messages[index:]
        return ()

    def _try_send(self, message: TaskMessage) -> bool:
        try:
            self._send(message)
        except Exception as error:  # noqa: BLE001 - transports raise anything; what the message is about is saved
            if not self._is_broker_down:
                log.warning("task_not_sent", task=message.task, error=type(error).__name__)
            self._is_broker_down = True
            return False
        if self._is_broker_down:
            log.info("tasks_sent_again", waiting=len(self._queued))
        self._is_broker_down = False
        return True
