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

MOST = 10_000
REST = 0.1  # seconds between two rounds; whoever watches a leaderboard does not see so short a while
PAUSE = 1.0  # seconds between two attempts while the broker is away
PARTING = 3.0  # seconds a process that ends in order has for what still waits


@dataclass(frozen=True)
class Message:
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

    def __init__(self, send: Callable[[Message], None]) -> None:
        """Args: send: hands one message to the broker, or raises whatever the transport does."""
        self._send = send
        self._start_empty()
        # A child has none of its parent's threads, and the parent sends what waited in it.
        os.register_at_fork(after_in_child=self._start_empty)
        atexit.register(self.flush, PARTING)

    def _start_empty(self) -> None:
        self._waiting: dict[Message, None] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_sending = False
        self._is_away = False

    def put(self, message: Message) -> None:
        """Let the message be sent soon."""
        with self._changed:
            if len(self._waiting) < MOST:
                self._waiting.setdefault(message)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def count(self) -> int:
        """Return how many messages wait."""
        return len(self._waiting)

    def flush(self, patience: float) -> None:
        """Return once nothing waits, the broker turns out to be away, or the patience (in seconds) is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_away or not (self._waiting or self._is_sending), patience)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting)
                # Taken out before they are sent: what is put in from now on may be about something newer.
                messages, self._waiting = list(self._waiting), {}
                self._is_sending = True
            unsent = self._send_all(messages)
            with self._changed:
                self._is_sending = False
                self._waiting = dict.fromkeys(islice((*unsent, *self._waiting), MOST))
                self._changed.notify_all()
            time.sleep(PAUSE if unsent else REST)

    def _send_all(self, messages: Sequence[Message]) -> Sequence[Message]:
        """Send until one cannot be sent; return that and what comes after it."""
        for at, message in enumerate(messages):
            if not self._try(message):
                return messages[at:]
        return ()

    def _try(self, message: Message) -> bool:
        try:
            self._send(message)
        except Exception as error:  # noqa: BLE001 - whatever the transport raises: what the message is about stands
            if not self._is_away:
                log.warning("task_not_sent", task=message.task, error=type(error).__name__)
            self._is_away = True
            return False
        if self._is_away:
            log.info("tasks_sent_again", waiting=len(self._waiting))
        self._is_away = False
        return True
