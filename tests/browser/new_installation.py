"""A program on which nobody has an account, once for all tests that begin with it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.request import urlopen

from tests.browser.running_server import RunningServer, serve
from tests.demo_data import DATABASE
from tests.faults.servers import wait_until
from tests.programs import TIMEOUT_SECONDS

SETUP_LINK = re.compile(r"^  http://\S+(/welcome/\S+/)$")


class NewInstallation:
    """The running program and its database as it was at first.

    Attributes:
        setup_link: the path of the link that the program has printed.
    """

    def __init__(self, server: RunningServer, saved: Path) -> None:
        self._server = server
        self._saved = saved
        found = wait_until(lambda: next(filter(None, map(SETUP_LINK.match, server.lines)), None), "a link is printed")
        self.setup_link = found[1]
        _copy_database(server.data / DATABASE, saved)

    def restore(self) -> RunningServer:
        """Return the program, with the database as it was at first."""
        _copy_database(self._saved, self._server.data / DATABASE)
        return self._server


@contextmanager
def start_new_installation(folder: Path) -> Iterator[NewInstallation]:
    """Start the program on an empty database in this folder."""
    data = folder / "data"
    data.mkdir()
    with serve(data) as running:
        urlopen(f"{running.url}/healthz", timeout=TIMEOUT_SECONDS).close()  # the first answer waits for the start
        yield NewInstallation(running, folder / DATABASE)


def _copy_database(source: Path, target: Path) -> None:
    with (
        closing(sqlite3.connect(source, timeout=TIMEOUT_SECONDS)) as old,
        closing(sqlite3.connect(target, timeout=TIMEOUT_SECONDS)) as new,
    ):
        old.backup(new)
