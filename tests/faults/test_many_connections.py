"""With more screens and slow callers than the program may open files, it still answers the crew's phones."""

from __future__ import annotations

import resource
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.demo_data import copy_data
from tests.faults.figures import Figures
from tests.faults.final_checks import check_everything
from tests.faults.phones import Sending, split_between_phones
from tests.faults.ride import make_ride
from tests.faults.scale import scaled
from tests.faults.servers import SmallServer, serve_small
from tests.programs import TIMEOUT_SECONDS

pytestmark = pytest.mark.program

FILES = scaled(1024, 384)  # that the web server may open
SCREENS, SLOW = scaled(768, 150), 300
FEW_LINES = 30
# What a caller sends that never completes its request.
HALF_A_REQUEST = b"POST /api/v1/operations HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SmallServer]:
    copy_data(tmp_path)
    with serve_small(tmp_path, make_ride(tmp_path, {}, bikes=8, phones=4)) as running:
        resource.prlimit(running.wait_for_process("uvicorn"), resource.RLIMIT_NOFILE, (FILES, FILES))
        yield running


def open_connections(stack: ExitStack, server: SmallServer, number: int, sent: bytes) -> list[socket.socket]:
    """Open this many connections and send the same on each."""
    opened = []
    for _ in range(number):
        opened.append(stack.enter_context(socket.create_connection(("127.0.0.1", server.port))))
        opened[-1].sendall(sent)
    return opened


def test_phones_are_answered_while_screens_and_slow_callers_take_up_every_connection(
    server: SmallServer, figures: Figures
) -> None:
    watch = f"GET {server.ride.board}stream HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
    phones = split_between_phones(server.port, server.ride.phones, server.ride.make_turns(seed=33), batch=5)
    before = len(server.lines)

    with ExitStack() as stack:
        screens = open_connections(stack, server, SCREENS, watch)
        statuses = [screen.recv(12)[-3:] for screen in screens]
        open_connections(stack, server, SLOW, HALF_A_REQUEST)
        with Sending(phones) as sending:
            sending.wait(TIMEOUT_SECONDS)
        lines = server.lines[before:]

    check_everything(server.database, server.url, server.ride, phones)
    watching = statuses.count(b"200")
    assert watching > SCREENS // 2
    assert watching + statuses.count(b"503") == SCREENS
    # A line for each request that was answered, and a few for all the others together.
    answered = sum(phone.tries for phone in phones) + watching
    assert len(lines) < answered + FEW_LINES, Counter(line[:60] for line in lines)
    longest = max(took for phone in phones for took in phone.durations)
    figures.add(
        "33 · more connections than files, on SQLite",
        f"{SCREENS} screens and {SLOW} callers that never end their request, on a server that may open {FILES} files: "
        f"{watching} screens served, the others told to come again; every phone answered, the longest after "
        f"{longest:.2f} s, {len(lines)} lines in the log, of {answered} answered requests",
    )
