"""Sends one message to a receiver on another server, over HTTP, and never waits longer than its limits.

Invariants:
- The host is resolved once for each attempt. If any of its addresses is not allowed, nothing is sent; the connection
  goes to the address that was checked, so a name that changes meanwhile leads nowhere else.
- No redirect is followed, no proxy of the environment is used, and no cookie is kept.
- After `MAX_SECONDS` the connection is closed, whatever the receiver does. At most `MAX_RESPONSE` bytes of its response
  are read, and none of them is stored.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import http.client
import queue
import random
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from scorekeeper.webhooks.models import DeliveryAttempt
from scorekeeper.webhooks.receiver_url import (
    IPAddress,
    ReceiverUrl,
    UnusableUrl,
    is_allowed_address,
    is_loopback,
    parse_address,
    parse_receiver_url,
)

CONNECT_SECONDS, MAX_SECONDS = 5.0, 10.0
MAX_RESPONSE = 4096  # bytes
JITTER = 0.2  # by which pauses are longer or shorter, so that receivers get no bursts

Problem = DeliveryAttempt.Problem


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """What came of an attempt.

    Attributes:
        status_code: of the response; None if there was none.
        problem: "" if the receiver has accepted the message.
        seconds: how long it took.
    """

    status_code: int | None
    problem: Problem | None
    seconds: float


def draw_delay(delays: Sequence[dt.timedelta], failures: int) -> dt.timedelta:
    """Return the pause after this many failures in succession, somewhat longer or shorter than planned.

    Args:
        delays: the pauses after the first failure, the second and so on; the last one stays.
    """
    delay = delays[min(max(failures, 1), len(delays)) - 1]
    return delay * random.uniform(1 - JITTER, 1 + JITTER)


def send_message(url: str, headers: Mapping[str, str], body: bytes) -> AttemptResult:
    """Send a message, once."""
    started = time.monotonic()
    status, problem = _send(url, headers, body, deadline=started + MAX_SECONDS)
    return AttemptResult(status, problem, time.monotonic() - started)


def _send(url: str, headers: Mapping[str, str], body: bytes, deadline: float) -> tuple[int | None, Problem | None]:
    try:
        target = parse_receiver_url(url)
    except UnusableUrl:
        return None, Problem.ADDRESS
    try:
        address = _choose_address(target)
        connection = _CheckedConnection(target, address, deadline)
        with contextlib.closing(connection), _limit_time(connection, deadline):
            connection.request("POST", target.path, body, dict(headers))
            response = connection.getresponse()
            if time.monotonic() >= deadline:  # cut off in the middle of its headers
                raise TimeoutError
            # The status decides. A receiver that is still writing would not like to be cut off.
            with contextlib.suppress(OSError, http.client.HTTPException):
                response.read(MAX_RESPONSE)
            return response.status, _judge(response.status)
    except _AddressRefused:
        return None, Problem.ADDRESS
    except socket.gaierror:
        return None, Problem.HOST
    except TimeoutError:
        return None, Problem.TIMEOUT
    except (OSError, http.client.HTTPException) as error:
        if time.monotonic() >= deadline:  # closed by the time limit
            return None, Problem.TIMEOUT
        if isinstance(error, ssl.SSLError):
            return None, Problem.TLS
        return None, Problem.RESPONSE if isinstance(error, http.client.HTTPException) else Problem.CONNECTION


def _judge(status: int) -> Problem | None:
    if 200 <= status < 300:
        return None
    return Problem.REDIRECT if 300 <= status < 400 else Problem.STATUS


class _AddressRefused(Exception):
    """The host has an address to which nothing is sent."""


def _choose_address(target: ReceiverUrl) -> IPAddress:
    """Return an address of the host, after checking all of them."""
    addresses = [parse_address(text.partition("%")[0]) for text in _resolve(target)]
    if not addresses or not all(address is not None and is_allowed_address(address) for address in addresses):
        raise _AddressRefused
    if not target.is_secure and not all(address is not None and is_loopback(address) for address in addresses):
        raise _AddressRefused
    chosen = addresses[0]
    assert chosen is not None, "checked above"
    return chosen


def _resolve(target: ReceiverUrl) -> list[str]:
    """Return the addresses of the host. The system's resolver has no time limit, so it runs in a thread of its own.

    Raises:
        socket.gaierror: there is no such host.
        TimeoutError: the resolver takes too long.
    """
    answers: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()

    def resolve() -> None:
        try:
            found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
            answers.put([str(address[0]) for *_, address in found])
        except (OSError, UnicodeError) as error:
            answers.put(error if isinstance(error, OSError) else socket.gaierror(str(error)))

    threading.Thread(target=resolve, name="resolve", daemon=True).start()
    try:
        answer = answers.get(timeout=CONNECT_SECONDS)
    except queue.Empty:
        raise TimeoutError from None
    if isinstance(answer, OSError):
        raise answer
    return answer


class _CheckedConnection(http.client.HTTPConnection):
    """A connection to an address that was checked, for the host of the URL."""

    def __init__(self, target: ReceiverUrl, address: IPAddress, deadline: float) -> None:
        super().__init__(target.host, target.port, timeout=CONNECT_SECONDS)
        self.default_port = 443 if target.is_secure else 80
        self._target, self._address, self._deadline = target, address, deadline
        self._open_socket: socket.socket | None = None

    def connect(self) -> None:
        """Connect to the checked address; the certificate is checked for the host's name.

        Raises:
            TimeoutError: the time is over.
        """
        seconds = min(CONNECT_SECONDS, self._compute_time_left())
        self.sock = socket.create_connection((str(self._address), self._target.port), seconds)
        self.sock.settimeout(self._compute_time_left())
        if self._target.is_secure:
            # The timeout of a handshake is one for all of it.
            self.sock = _get_tls_context().wrap_socket(self.sock, server_hostname=self._target.host)
        self._open_socket = self.sock
        # From here on `shut_down` ends it. It found no connection if the time was over before.
        self.sock.settimeout(self._compute_time_left())

    def _compute_time_left(self) -> float:
        seconds = self._deadline - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds

    def shut_down(self) -> None:
        """End whatever waits for the receiver, from another thread. `sock` is None while a response is read."""
        if self._open_socket is not None:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(self._open_socket, socket.SHUT_RDWR)


@cache
def _get_tls_context() -> ssl.SSLContext:
    return ssl.create_default_context()


@contextlib.contextmanager
def _limit_time(connection: _CheckedConnection, deadline: float) -> Iterator[None]:
    """Shut the connection down at the deadline: a timeout of a socket begins again with every byte."""

    timer = threading.Timer(max(0.0, deadline - time.monotonic()), connection.shut_down)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
