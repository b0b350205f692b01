"""The program, at a URL that it keeps while it is offline."""

from __future__ import annotations

import json
import socketserver
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.request import Request, urlopen
from uuid import UUID, uuid4

from scorekeeper.bikes.numbers import pad_number
from tests.browser.running_server import FAULT, RunningServer, expect_no_faults, serve
from tests.browser.switchable_port import SwitchablePort
from tests.cluster.http_client import HttpClient
from tests.cluster.ports import find_port
from tests.cluster.program import Program
from tests.demo_data import DATABASE
from tests.faults.scale import FULL
from tests.programs import TIMEOUT_SECONDS, make_environment

LOGIN = b"<!DOCTYPE html><title>Hotel</title><h1>Welcome to our network</h1><form><input name=room></form>"


class Site:
    """The program on data that are restored for each test, at a URL where it can be offline.

    It keeps running from test to test. Phones connect to its switchable port, which is closed when it is "stopped"; in
    a full run of the figures its processes really stop. A start with variables in its environment is another web server
    on the same data.

    Attributes:
        url: the URL for phones, without a slash at the end.
        data: its data folder.
        slug: the URL name of the ride that all phones are at.
        served: the program behind the port.
    """

    server: RunningServer
    slug: str

    def __init__(self, data: Path, port: int) -> None:
        self.data = data
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self._gate = SwitchablePort(port)
        self._programs: dict[tuple[Path | None, tuple[tuple[str, str], ...]], RunningServer] = {}
        self._running = ExitStack()
        self._restored = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._gate.close()
        self._running.close()

    def go_online(self, tree: Path | None = None, **variables: str) -> None:
        """Go online, with these variables in the program's environment; return when it answers.

        Args:
            tree: the folder with another version of the program; this version without it.
            variables: of the environment.
        """
        key = (tree, tuple(sorted(variables.items())))
        if key not in self._programs:
            self._programs[key] = self._start_program(tree, variables)
        self.server = self._programs[key]
        self._gate.close()  # a browser keeps its connections, which lead to the program before
        self._gate.target = self.server.port
        self._gate.open()

    def go_offline(self) -> None:
        """Go offline: connections are refused."""
        self._gate.close()
        if FULL:
            self._running.close()
            self._programs.clear()

    def refuse_connections(self) -> None:
        """Go offline, but let the program run: going online again takes no time."""
        self._gate.close()

    def join_elsewhere(self, link: str) -> HttpClient:
        """Return a client that has joined by a crew link, and that has signal where the phones have none."""
        client = HttpClient(self.url)
        client.press(client.get(link))
        client.url = f"http://127.0.0.1:{self.server.port}"  # past the port that is closed to the phones
        return client

    def slow_down(self, seconds: float) -> None:
        """Let everything that the server sends arrive later; 0 for at once."""
        self._gate.delay = seconds

    def restore(self, prepared: Path) -> None:
        """Restore the database from a folder."""
        self.go_offline()
        self._restored += 1
        with closing(sqlite3.connect(self.data / DATABASE, timeout=20, isolation_level=None)) as database:
            database.execute("ATTACH ? AS prepared", [str(prepared / DATABASE)])
            database.execute("PRAGMA foreign_keys = OFF")
            database.execute("BEGIN IMMEDIATE")
            listed = database.execute("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
            found = listed.fetchall()
            guards = [(name, sql) for kind, name, sql in found if kind == "trigger"]
            for name, _sql in guards:
                database.execute(f'DROP TRIGGER "{name}"')
            for name in (name for kind, name, _sql in found if kind == "table"):
                database.execute(f'DELETE FROM main."{name}"')
                database.execute(f'INSERT INTO main."{name}" SELECT * FROM prepared."{name}"')
            # What a process has cached of one version of the standings must not be used for another.
            database.execute("UPDATE standings_standingsstate SET version = version + ?", [1000 * self._restored])
            for _name, sql in guards:
                database.execute(sql)
            database.execute("COMMIT")

    def save(self, folder: Path) -> None:
        """Copy the database into another folder."""
        with (
            closing(sqlite3.connect(self.data / DATABASE, timeout=20)) as database,
            closing(sqlite3.connect(folder / DATABASE)) as copy,
        ):
            database.backup(copy)

    def _start_program(self, tree: Path | None, variables: Mapping[str, str]) -> RunningServer:
        if tree is not None or (variables and not FULL):
            return self._running.enter_context(self._serve_pages(tree, variables))
        return self._running.enter_context(serve(self.data, find_port(), BASE_URL=self.url, **variables))

    @contextmanager
    def _serve_pages(self, tree: Path | None, variables: Mapping[str, str]) -> Iterator[RunningServer]:
        """Run another web server on the same data; worker and sweeper are the first program's."""
        port = find_port()
        command = [sys.executable, "-m", "uvicorn", "config.asgi:application", f"--port={port}", "--no-access-log"]
        command += [] if tree is None else [f"--app-dir={tree}"]
        env = make_environment(self.data, BASE_URL=self.url, **variables)
        program = Program(
            "other version", [*command, "--timeout-graceful-shutdown=1"], "Uvicorn running", variables=env
        )
        program.start()
        try:
            yield RunningServer(f"http://127.0.0.1:{port}", port, self.data, variables, program.pid, program.lines)
        finally:
            program.end()
        expect_no_faults(program.lines)

    @contextmanager
    def answer_as_captive_portal(self, lets_go: threading.Event | None = None) -> Iterator[list[str]]:
        """Let a captive portal answer everything in its place; yield the requests it got.

        Args:
            lets_go: requests are not answered before this event is set.
        """
        asked: list[str] = []

        class Hotel(BaseHTTPRequestHandler):
            def answer(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                asked.append(f"{self.command} {self.path}")
                if lets_go and self.command == "POST":
                    lets_go.wait(TIMEOUT_SECONDS)
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(LOGIN)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(LOGIN)

            do_GET = do_HEAD = do_POST = answer  # noqa: N815 - named by the library

            def log_message(self, *args: Any) -> None:
                """Log nothing."""

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

    @contextmanager
    def fail_on(self, operation: str) -> Iterator[None]:
        """Make the server fail with 500 on every request with this operation."""
        self.change(
            "CREATE TRIGGER failing BEFORE INSERT ON scorecards_operation WHEN NEW.id = "
            f"'{UUID(operation).hex}' BEGIN SELECT RAISE(ABORT, 'failing'); END"
        )
        try:
            yield
        finally:
            self.change("DROP TRIGGER failing")
            self._expect_faults()

    def _expect_faults(self) -> None:
        """Accept the faults that the server has logged so far as intended by the test."""
        mark = uuid4().hex
        with urlopen(Request(f"{self.server.url}/healthz", headers={"X-Request-ID": mark}), timeout=TIMEOUT_SECONDS):
            last = time.monotonic() + TIMEOUT_SECONDS
        while not any(mark in line for line in self.server.lines):
            assert time.monotonic() < last, "the server writes nothing"
            time.sleep(0.05)
        for number, line in enumerate(list(self.server.lines)):
            self.server.lines[number] = FAULT.sub("[wanted ", line)

    def change(self, statement: str, *values: object) -> int:
        """Change the data by hand, as someone elsewhere would; return the number of rows."""
        with sqlite3.connect(self.data / DATABASE, timeout=20) as database:
            return database.execute(statement, values).rowcount

    def query(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Return rows from the database."""
        with sqlite3.connect(self.data / DATABASE, timeout=20) as database:
            return database.execute(statement, values).fetchall()

    def read_board(self, board: str) -> dict[str, int]:
        """Return the points on a leaderboard, by number or name, first place first."""
        with urlopen(f"{self.server.url}{board}export.json", timeout=TIMEOUT_SECONDS) as answer:
            rows = json.load(answer)["standings"]
        return {row["number"] or row["name"]: row["total"] for row in rows}

    def make_walk_ups(self, count: int, first: int = 500) -> list[dict[str, Any]]:
        """Return operations that every server accepts: walk-up bikes, numbered from the first."""
        names = [{"id": str(uuid4()), "bike": str(uuid4()), "number": first + number} for number in range(count)]
        return [{"kind": "register_bike", "rider": f"Rider {one['number']}", **one} for one in names]

    def make_turn(self, number: str, stop: str, *actions: dict[str, Any]) -> dict[str, Any]:
        """Return an operation that records these actions as a bike's turn at a stop."""
        event = "event_id = (SELECT id FROM events_event WHERE slug = ?)"
        stored = pad_number(int(number))
        [(bike,)] = self.query(f"SELECT id FROM bikes_bike WHERE number = ? AND {event}", stored, self.slug)
        contests = f"SELECT id FROM events_contest WHERE game_key = 'rock-yahtzee' AND {event}"
        [(contest,)] = self.query(contests, self.slug)
        slots = (
            "SELECT t.id FROM stops_slot t JOIN stops_stop s ON s.id = t.stop_id WHERE contest_id = ? AND s.name = ?"
        )
        [(slot,), *_] = self.query(slots, contest, stop)
        ids = {name: str(UUID(value)) for name, value in (("bike", bike), ("contest", contest), ("slot", slot))}
        return {"id": str(uuid4()), "kind": "turn", **ids, "actions": [*actions]}

    def make_scored_turn(self, number: str, dice: str, box: str, stop: str = "BBQ") -> dict[str, Any]:
        """Return an operation that records these dice in a box."""
        score = {"type": "score", "box": box.lower().replace(" ", "_")}
        return self.make_turn(number, stop, {"type": "result", "dice": [int(die) for die in dice]}, score)

    def make_forbidden_turn(self) -> dict[str, Any]:
        """Return an operation that no scorecard accepts: more points than five dice can show."""
        return self.make_turn("3", "Finale", {"type": "paper", "box": "chance", "points": 99})

    def record_elsewhere(self, link: str, *operations: dict[str, Any]) -> None:
        """Make another phone, which has no app, join and record these."""
        phone = HttpClient(self.url)
        phone.press(phone.get(link))
        answer = phone.post_json("/api/v1/operations", {"operations": operations})
        receipts = json.loads(answer.content)["receipts"]
        assert [one["outcome"] for one in receipts] == ["recorded"] * len(operations), receipts

    def record_full_house_elsewhere(self, link: str, number: str, stop: str) -> None:
        """Make another phone record a full house of a bike at a stop."""
        self.record_elsewhere(link, self.make_scored_turn(number, "55533", "Full house", stop))

    def count_recorded(self, ids: list[str]) -> list[int]:
        """Return for each operation the number of its entries on scorecards."""
        recorded = self.query("SELECT operation_id FROM scorecards_entry WHERE kind <> 'review'")
        operations = [UUID(operation) for (operation,) in recorded]
        return [operations.count(UUID(operation)) for operation in ids]
