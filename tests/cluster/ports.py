"""Free ports of this machine, from a range that the system never assigns automatically."""

from __future__ import annotations

import socket
from itertools import cycle
from random import Random

RANGE = range(22_000, 23_000)

_tried = cycle(Random().sample(RANGE, len(RANGE)))


def find_port() -> int:
    """Return a free port, a different one with every call."""
    for port in _tried:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("unreachable: the ports are tried for ever")
