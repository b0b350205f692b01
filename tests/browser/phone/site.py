"""The program, at an address that it keeps while it is stopped."""

from __future__ import annotations

import socketserver
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import UUID, uuid4

from tests.browser.served import Served, serve
from tests.programs import PATIENCE

LOGIN = b"<!DOCTYPE html><title>Hotel</title><h1>Welcome to our network</h1><form><input name=room></form>"


class Site:
    """The program on these data, while it is started.

    Attributes:
        url: where it is, without a slash at the end.
        served: the program as it was started last.
    """

    served: Served

    def __init__(self, data: Path, port: int) -> None:
        self.data = data
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self._running = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def start(self, **variables: str) -> None:
        """Start it with these variables in its environment, and wait until it answers."""
        self.served = self._running.enter_context(serve(self.data, self.port, **variables))

    def stop(self) -> None:
        """End its processes: whoever calls the address is refused."""
        self._running.close()

    @contextmanager
    def captive(self, lets_go: threading.Event | None = None) -> Iterator[list[str]]:
        """Let a hotel's network answer in its place, to everything; give what it was asked.

        Args:
            lets_go: what is sent is not answered before this is set.
        """
        asked: list[str] = []

        class Hotel(BaseHTTPRequestHandler):
            def answer(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                asked.append(f"{self.command} {self.path}")
                if lets_go and self.command == "POST":
                    lets_go.wait(PATIENCE)
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(LOGIN)))
                self.end_headers()
                self.wfile.write(LOGIN)

            do_GET = do_POST = answer  # noqa: N815 - so the library calls them

            def log_message(self, *args: Any) -> None:
                """Write nothing."""

        socketserver.TCPServer.allow_reuse_address = True
        hotel = ThreadingHTTPServer(("127.0.0.1", self.port), Hotel)
        thread = threading.Thread(target=hotel.serve_forever)
        thread.start()
        try:
            yield asked
        finally:
            hotel.shutdown()
            hotel.server_close()
            thread.join()

    def change(self, statement: str, *values: object) -> int:
        """Change the data by hand, as somebody elsewhere would; return how many rows were."""
        with sqlite3.connect(self.data / "tailgunner.sqlite3", timeout=20) as database:
            return database.execute(statement, values).rowcount

    def ask(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Return what stands in the data."""
        with sqlite3.connect(self.data / "tailgunner.sqlite3", timeout=20) as database:
            return database.execute(statement, values).fetchall()

    def make_walk_ups(self, count: int) -> list[dict[str, Any]]:
        """Return operations that every server takes: bikes that turned up."""
        names = [{"id": str(uuid4()), "bike": str(uuid4()), "number": 500 + number} for number in range(count)]
        return [{"kind": "register_bike", "rider": f"Rider {one['number']}", **one} for one in names]

    def make_forbidden_turn(self) -> dict[str, Any]:
        """Return an operation that no card takes: more points than five dice can show."""
        [(bike, group)] = self.ask("SELECT id, group_id FROM bikes_bike WHERE number = 3")
        [(contest,)] = self.ask("SELECT id FROM events_contest WHERE game_key = 'rock-yahtzee'")
        [(slot,), *_] = self.ask("SELECT id FROM stops_slot WHERE contest_id = ? ORDER BY ordinal DESC", contest)
        assert group
        ids = {name: str(UUID(value)) for name, value in (("bike", bike), ("contest", contest), ("slot", slot))}
        return {
            "id": str(uuid4()),
            "kind": "turn",
            **ids,
            "actions": [{"type": "paper", "box": "chance", "points": 99}],
        }

    def count_recorded(self, ids: list[str]) -> list[int]:
        """Return for each operation how many entries of the log are its own."""
        noted = [UUID(one) for (one,) in self.ask("SELECT operation_id FROM scorecards_entry")]
        return [noted.count(UUID(one)) for one in ids]
