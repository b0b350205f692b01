"""An organiser of a busy ride, who uses every organiser page over a connection that fails.

Each form is sent until there is a response, under one operation id. Only a redirect means that it was recorded.
"""

from __future__ import annotations

import http.client
import re
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4, uuid5

import psycopg

from games.core.cards import CARDS
from tests.faults import log_checks
from tests.faults.phones import PAUSE, TIMEOUT_SECONDS, Sending
from tests.faults.ride import TIED, FaultRide
from tests.faults.scale import scaled

TOKEN = "d" * 32  # the CSRF token, the same in a cookie and in every form
DONE = 302
ROUNDS = scaled(20, 1)
# Every kind of operation, including those of phones.
KINDS = {
    *("turn", "retire", "amend", "move", "register_bike", "withdraw_bike", "action", "correct"),
    *("check", "agree", "did_not_start", "sell_sheet", "withdraw_sheet"),
    *("deal", "withdraw", "merge_bikes", "unmerge_bikes", "renumber_bike"),
    *("settle", "unsettle", "close", "prizes", "award", "cut", "publish", "reopen", "clear_missed"),
    *("set_classes", "class_cut"),
}


class OrganiserThread:
    """The organiser, as a thread that runs while the context is open.

    Attributes:
        recorded: the acknowledged operations.
    """

    def __init__(self, port: int, ride: FaultRide, database: str | Path, sending: Sending, operations: int) -> None:
        """Prepare it.

        Args:
            port: the port it connects to: the server's, or that of a failing proxy.
            sending: the phones; they send most operations before the contest is closed.
            operations: how many they send in total.
        """
        self.port = port
        self.recorded: list[str] = []
        self._ride = ride
        self._database = database
        self._sending = sending
        self._operations = operations
        self._chance = Random(ride.event)
        self._pages = f"/desk/events/{ride.slug}/"
        self._stop = threading.Event()
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> OrganiserThread:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def wait(self) -> None:
        """Wait until the day's work is done, then close the open contests and publish the results."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        for contest, slug in ((self._ride.contest, "rock"), (self._ride.rogue, "rogue")):
            if self._get_status(contest) == "open":
                self._close(slug)
            self._send(f"finish/{slug}/publish/", reason="all is in")

    def _run(self) -> None:
        during = (
            *(self._create_table, self._withdraw, self._renumber, self._merge, self._unmerge, self._settle),
            *(self._sell_sheets, self._correct_classes),
        )
        after = (self._finish, self._correct_classes, self._settle, self._undo, self._reopen, self._settle)
        try:
            for number, act in enumerate(during * ROUNDS):
                # Spread over the first two thirds of the phones' operations; then the contest is closed.
                self._wait_for(self._operations * 2 * (number + 1) // (3 * ROUNDS * len(during)))
                self._query_until_possible(act)
            for act in after:
                self._query_until_possible(act)
        except Exception as error:  # noqa: BLE001 - raised again in the test's own thread
            self._error = error

    def _wait_for(self, receipts: int) -> None:
        while not (self._stop.wait(PAUSE) or self._sending.is_over or self._sending.has_more_than(receipts)):
            pass

    def _query_until_possible(self, act: Callable[[], None]) -> None:
        """Retry an action that depends on what is in the database, until it is possible."""
        while not self._stop.wait(PAUSE):
            with suppress(psycopg.Error, sqlite3.Error):
                act()
                return

    def _create_table(self) -> None:
        # A phone may withdraw one of the two meanwhile.
        while not (self._stop.is_set() or self._create_table_for_two()):
            pass

    def _create_table_for_two(self) -> bool:
        """Create a table for two who have none; return False if that was refused."""
        seated = {bike for table in self._list_tables() for bike in log_checks.read_seats(table)}
        free = [bike for bike in self._list_bikes() if bike not in seated]
        if len(free) <= 2:
            return True
        one, other = self._chance.sample(free, 2)
        return self._send("contests/rogue/tables/new/", seat_1=one, seat_2=other, rows="2")

    def _withdraw(self) -> None:
        for table in self._list_tables():
            if table[0]["chain"] not in self._ride.tables and log_checks.read_seats(table):
                self._send(f"tables/{table[0]['chain']}/withdraw/", reason="went home")

    def _sell_sheets(self) -> None:
        """Sell two bikes that are never merged a second sheet, and take one of the sales back."""
        contest = UUID(self._ride.dice_run)
        first, second = self._chance.sample(self._ride.bikes[:TIED], 2)
        for bike in (first, second):
            self._send(f"cards/{uuid5(contest, bike)}/another-sheet/", number="2")
        sheet = uuid5(UUID(first), f"{contest}/2")
        # A form whose answer was lost finds no sheet when it is sent again.
        self._send(f"cards/{uuid5(contest, str(sheet))}/withdraw-sheet/", gone=404)

    def _correct_classes(self) -> None:
        """Put a bike into the class, or take it out; not one of those whose tie is decided there."""
        bike, had = self._chance.choice(self._ride.bikes[TIED:]), ""
        for body in log_checks.read_chain(self._database, self._ride.event):
            if body["kind"] == "set_classes":
                had = next((" ".join(one["to"]) for one in body["data"]["changes"] if one.get("bike") == bike), had)
        fields: dict[str, Any] = {"had": had, "reason": "looked it up"}
        if not had:
            fields["classes"] = self._ride.event_class
        assert self._send(f"bikes/{bike}/classes/", **fields) or self._stop.is_set()

    def _renumber(self) -> None:
        self._retry_for_walk_up(self._renumber_last)

    def _renumber_last(self) -> bool:
        fields: dict[str, Any] = {"number": self._chance.randint(9000, 9999), "reason": "mistyped"}
        walk_ups = reversed(self._list_walk_ups())
        return any(self._send(f"duplicates/{bike}/renumber/", **fields) for bike, _number, _suffix in walk_ups)

    def _merge(self) -> None:
        self._retry_for_walk_up(self._merge_first)

    def _merge_first(self) -> bool:
        """Merge a walk-up with the bike whose number it gave, or another: the first without conflicting scorecards."""
        for bike, number, suffix in self._list_walk_ups():
            others = self._chance.sample(self._ride.bikes[TIED:], 4)
            for into in [self._ride.bikes[number - 1], *others] if suffix > 1 and number < 9000 else others:
                if self._send(f"duplicates/{bike}/merge/", into=into, reason="one bike"):
                    return True
        return False

    def _unmerge(self) -> None:
        self._retry_for_walk_up(self._unmerge_last)

    def _unmerge_last(self) -> bool:
        """Undo the latest merge that can be undone, and merge the two bikes again; otherwise make another merge."""
        for bike, into in reversed(self._list_merges()):
            if self._send(f"duplicates/{bike}/unmerge/", reason="two bikes"):
                self._send(f"duplicates/{bike}/merge/", into=into, reason="one bike after all")
                return True
        self._merge_first()
        return False

    def _retry_for_walk_up(self, act: Callable[[], bool]) -> None:
        """Retry an action that needs a certain kind of walk-up, until phones have registered one."""
        while not self._stop.is_set():
            is_over = self._sending.is_over
            if act() or is_over:
                return
            self._wait_for(self._sending.count_receipts())

    def _settle(self) -> None:
        statement = "SELECT id FROM scorecards_reviewitem WHERE contest_id = {} AND settled_at IS NULL LIMIT 2"
        for contest in (self._ride.contest, self._ride.rogue):
            for (item,) in log_checks.query(self._database, statement, contest):
                for decision in ("apply", "keep") if self._chance.random() < 0.5 else ("keep",):
                    fields: dict[str, Any] = {f"{item}-decision": decision, f"{item}-reason": "seen the dice"}
                    if self._send(f"review/{item}/", prefix=f"{item}-", **fields):
                        break

    def _undo(self) -> None:
        """Undo the first decision that can be undone; those to keep the current entry come first."""
        decided = "SELECT id FROM scorecards_reviewitem WHERE contest_id = {} AND decision <> '' ORDER BY decision DESC"
        items = log_checks.query(self._database, decided, self._ride.contest)
        any(self._send(f"review/{item}/take-back/", reason="looked again") for (item,) in items)

    def _finish(self) -> None:
        self._close("rock")
        self._give_prize()
        self._cut(f"class-{self._ride.event_class}")
        self._cut("cut")
        self._send("finish/rock/publish/", reason="some is left")

    def _close(self, slug: str) -> None:
        self._send(f"finish/{slug}/close/", reason="the ride is over")

    def _give_prize(self) -> None:
        """Add a prize that is given by hand, and give it to a bike: both are in the log of a closed contest."""
        prize = str(uuid4())
        fields = {"prize_id": prize, "name": "A mirror", "contest": self._ride.contest, "rule": "by_hand"}
        # Its operation has an id of the server's, so only the prize itself tells that it was added.
        status, page = self._request("POST", "prizes/", {**fields, "csrfmiddlewaretoken": TOKEN})
        assert status == DONE or self._stop.is_set(), f"{status} for a prize: {page[:400]}"
        self._send(f"prizes/{prize}/decide/", winner=self._chance.choice(self._list_bikes()), reason="the oldest bike")

    def _cut(self, kind: str) -> None:
        """Enter the cards of the first tie whose form has a prefix of this kind."""
        path = "finish/rock/ties/"
        status, page = self._request("GET", path)
        tie = re.search(rf'name="({kind}-\d+)-group" value="([^"]+)"', page) if status == 200 else None
        if tie is None:
            return
        prefix, bikes = tie[1], tie[2].split(",")
        fields: dict[str, Any] = {f"{prefix}-group": tie[2], f"{prefix}-witness": "Ida"}
        for bike, card in zip(bikes, self._chance.sample(list(CARDS), len(bikes)), strict=True):
            fields |= {f"{prefix}-rank_{bike}": card[:-1], f"{prefix}-suit_{bike}": card[-1]}
        self._send(path, prefix=f"{prefix}-", **fields)
        # For some minutes the screens would show nothing but the cards.
        status, page = self._request("POST", f"{path}screens/", {"csrfmiddlewaretoken": TOKEN})
        assert status == DONE or self._stop.is_set(), f"{status} for a draw: {page[:400]}"

    def _reopen(self) -> None:
        self._send("finish/rock/reopen/", reason="one more")
        self._send("finish/rock/missed/", reason="one more round for all")

    def _get_status(self, contest: str) -> str:
        return str(log_checks.query(self._database, "SELECT status FROM events_contest WHERE id = {}", contest)[0][0])

    def _list_bikes(self) -> list[str]:
        return log_checks.list_bikes(self._ride, log_checks.read_chain(self._database, self._ride.event))

    def _list_walk_ups(self) -> list[tuple[str, int, int]]:
        """Return the walk-ups that were neither merged nor withdrawn, each with its number and suffix from the log."""
        numbers: dict[str, tuple[int, int]] = {}
        for body in log_checks.read_chain(self._database, self._ride.event):
            data = body["data"]
            if body["kind"] in ("merge_bikes", "withdraw_bike"):
                numbers.pop(data["bike"], None)
            elif "suffix" in data:
                numbers[data["bike"]] = data["number"], data["suffix"]
        return [(bike, number, suffix) for bike, (number, suffix) in numbers.items()]

    def _list_merges(self) -> list[tuple[str, str]]:
        """Return the bikes that are merged into others, each with that other, from the log."""
        merges: dict[str, str] = {}
        for body in log_checks.read_chain(self._database, self._ride.event):
            if body["kind"] in ("merge_bikes", "unmerge_bikes"):
                merges.pop(body["data"]["bike"], None)
            if body["kind"] == "merge_bikes":
                merges[body["data"]["bike"]] = body["data"]["into"]
        return list(merges.items())

    def _list_tables(self) -> list[list[log_checks.Body]]:
        statement = "SELECT id FROM scorecards_scorecard WHERE contest_id = {}"
        cards = [card for (card,) in log_checks.query(self._database, statement, self._ride.rogue)]
        return [log_checks.read_chain(self._database, card) for card in cards]

    def _send(self, path: str, *, prefix: str = "", gone: int = 409, **fields: Any) -> bool:
        """Send a form until there is a response; return whether it was recorded.

        Args:
            gone: a further status that is no fault.
        """
        operation = str(uuid4())
        form = {**fields, f"{prefix}operation": operation, "csrfmiddlewaretoken": TOKEN}
        status, page = self._request("POST", path, form)
        assert status in (DONE, 409, 422, gone) or self._stop.is_set(), f"{status} for {path}: {page[:400]}"
        if status == DONE:
            self.recorded.append(operation)
        return status == DONE

    def _request(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        """Repeat a request until the response is no server error."""
        headers = {"Cookie": f"{self._ride.session}; csrftoken={TOKEN}", "Connection": "close"}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        while not self._stop.wait(PAUSE):
            line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_SECONDS)
            try:
                line.request(method, self._pages + path, urlencode(form or {}), headers)
                answer = line.getresponse()
                page = answer.read().decode()
            except (OSError, http.client.HTTPException):
                continue
            finally:
                line.close()
            if answer.status not in (502, 503, 504):
                return answer.status, page
        return 0, ""
