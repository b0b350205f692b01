"""Receivers of webhooks that do not behave, on ports of this machine: what each does is its kind."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field

from tests.programs import TIMEOUT_SECONDS

DRIP_SECONDS = 0.2  # between two bytes


def hang(line: socket.socket) -> None:
    """Never answer."""
    while line.recv(65_536):
        pass


def drip(line: socket.socket) -> None:
    """Answer with one byte after the other, without end."""
    while True:
        line.sendall(b"H")
        time.sleep(DRIP_SECONDS)  # what this receiver is


def fail(line: socket.socket) -> None:
    """Answer that the receiver is broken."""
    line.recv(65_536)
    line.sendall(b"HTTP/1.1 500 Broken\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


def redirect(line: socket.socket) -> None:
    """Answer that it is elsewhere; nobody should look there."""
    line.recv(65_536)
    line.sendall(b"HTTP/1.1 307 Elsewhere\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")


KINDS = {"hanging": hang, "hanging too": hang, "slow": drip, "failing": fail, "redirecting": redirect}


@dataclass
class BadReceiver:
    """A receiver of one kind.

    Attributes:
        arrivals: when each attempt came, by the monotonic clock.
        open: the attempts that go on now.
        most_open: the most of them at once.
    """

    port: int
    arrivals: list[float] = field(default_factory=list)
    open: int = 0
    most_open: int = 0

    @property
    def url(self) -> str:
        """The address for a webhook."""
        return f"http://127.0.0.1:{self.port}/hook"

    @property
    def gaps(self) -> list[float]:
        """The seconds between one attempt and the next."""
        return [after - before for before, after in zip(self.arrivals, self.arrivals[1:], strict=False)]


class BadReceivers(dict[str, BadReceiver]):
    """One receiver of each kind, by the name of the kind."""

    def __init__(self) -> None:
        super().__init__()
        self._changed = threading.Condition()

    def wait_until(self, condition: Callable[[], bool], seconds: float = TIMEOUT_SECONDS) -> None:
        """Return once the condition is true; it is checked whenever an attempt begins or ends.

        Raises:
            AssertionError: it was not in that time.
        """
        with self._changed:
            assert self._changed.wait_for(condition, seconds), {name: one.arrivals for name, one in self.items()}

    def wait_for_attempts(self, number: int, seconds: float = TIMEOUT_SECONDS) -> None:
        """Return once each receiver has had this many attempts."""
        self.wait_until(lambda: all(len(one.arrivals) >= number for one in self.values()), seconds)

    def serve(self, name: str, listener: socket.socket) -> None:
        """Accept attempts until the listener is closed."""
        with suppress(OSError):
            while True:
                line = listener.accept()[0]
                threading.Thread(target=self._answer, args=(name, line), daemon=True).start()

    def _answer(self, name: str, line: socket.socket) -> None:
        receiver = self[name]
        with self._changed:
            receiver.arrivals.append(time.monotonic())
            receiver.open += 1
            receiver.most_open = max(receiver.most_open, receiver.open)
            self._changed.notify_all()
        with line, suppress(OSError):  # the sender has given up
            KINDS[name](line)
        with self._changed:
            receiver.open -= 1
            self._changed.notify_all()


@contextmanager
def run_bad_receivers() -> Iterator[BadReceivers]:
    """Run one receiver of each kind."""
    receivers = BadReceivers()
    with ExitStack() as stack:
        for name in KINDS:
            listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            receivers[name] = BadReceiver(listener.getsockname()[1])
            threading.Thread(target=receivers.serve, args=(name, listener), daemon=True).start()
        yield receivers
