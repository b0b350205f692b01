"""The port that phones connect to. Open, it leads to the program; closed, it refuses connections.

Invariant: closing it cuts every connection, so that nothing arrives afterwards.
"""

from __future__ import annotations

import selectors
import socket
import threading
import time
from contextlib import suppress

from tests.programs import TIMEOUT_SECONDS

CHUNK = 1 << 16  # bytes


class SwitchablePort:
    """A port that can be opened and closed.

    Attributes:
        port: its number, open or closed.
        target: the port of the program behind it.
        delay: how many seconds later everything arrives that the program sends.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self.target = 0
        self.delay = 0.0
        self._listener: socket.socket | None = None
        self._thread: threading.Thread | None = None
        self._connections: set[socket.socket] = set()
        self._lock = threading.Lock()

    def open(self) -> None:
        """Accept connections; does nothing if it is open."""
        if self._listener is not None:
            return
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._thread = threading.Thread(target=self._accept, args=(self._listener,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Refuse connections and cut the existing ones; does nothing if it is closed."""
        if self._listener is None:
            return
        # Closing a listener does not wake a thread that is waiting in `accept`.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        assert self._thread is not None
        self._thread.join(TIMEOUT_SECONDS)
        with self._lock:
            self._listener = None
            for connection in self._connections:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                caller, _address = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._relay, args=(listener, caller), daemon=True).start()

    def _relay(self, listener: socket.socket, caller: socket.socket) -> None:
        with (
            caller,
            suppress(OSError),
            socket.create_connection(("127.0.0.1", self.target), TIMEOUT_SECONDS) as program,
        ):
            both = {caller: program, program: caller}
            with self._lock:
                if self._listener is not listener:
                    return
                self._connections |= both.keys()
            try:
                self._pass_on(both, program)
            finally:
                with self._lock:
                    self._connections -= both.keys()

    def _pass_on(self, other: dict[socket.socket, socket.socket], program: socket.socket) -> None:
        with selectors.DefaultSelector() as ready:
            for connection in other:
                ready.register(connection, selectors.EVENT_READ)
            while True:
                for key, _events in ready.select():
                    assert isinstance(key.fileobj, socket.socket)
                    data = key.fileobj.recv(CHUNK)
                    if not data:
                        return
                    if key.fileobj is program:
                        time.sleep(self.delay)
                    other[key.fileobj].sendall(data)
