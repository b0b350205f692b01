"""The judge: reads the raw log with a database driver alone, checks it, and folds it with the rules alone.

Nothing of the scorekeeper's own reading, folding or ranking is used, so that a fault in those is found and not shared.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import urllib.request
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from games.core.ranking import rank
from games.core.registry import find_games
from games.core.replay import replay
from tests.faults.ride import FaultRide


@dataclass(frozen=True)
class Link:
    """An entry as it lies in the database."""

    chain: str
    seq: int
    hash: str
    operation: str
    body: Mapping[str, Any]


def read_log(database: str | Path) -> list[Link]:
    """Return all entries of a database in order, their hashes and links checked.

    Args:
        database: the URL of a PostgreSQL database, or the file of an SQLite one.
    """
    rows = _read(database, "SELECT chain_id, seq, hash, operation_id, body FROM scorecards_entry ORDER BY 1, 2")
    links = [
        Link(_id(chain), seq, hash_, _id(operation), json.loads(body)) for chain, seq, hash_, operation, body in rows
    ]
    heads: dict[str, tuple[int, str]] = {}
    for link, (_chain, _seq, _hash, _operation, body) in zip(links, rows, strict=True):
        length, head = heads.get(link.chain, (0, ""))
        assert link.seq == length + 1, f"{link.chain} has entry {link.seq} after {length}"
        assert hashlib.sha256(body.encode()).hexdigest() == link.hash, f"{link.chain}#{link.seq} is not what was hashed"
        assert link.body["prev"] == head, f"{link.chain}#{link.seq} does not hang on the one before it"
        heads[link.chain] = (link.seq, link.hash)
    kept = {_id(chain): (length, head) for chain, length, head in _read(database, CHAINS)}
    assert {chain: end for chain, end in kept.items() if end[0]} == heads, "chains do not end where their rows say"
    return links


CHAINS = "SELECT id, length, head FROM scorecards_chain"


def check_file(database: Path) -> None:
    """Check that an SQLite file is whole, as SQLite itself sees it."""
    assert _read(database, "PRAGMA integrity_check") == [("ok",)]
    assert _read(database, "PRAGMA foreign_key_check") == []


def list_of_ride(ride: FaultRide, log: Iterable[Link]) -> list[Link]:
    """Return the entries of a ride's cards, where the database holds other rides too."""
    cards = ride.bike_of
    return [link for link in log if link.chain in cards]


def check_receipts(database: str | Path, log: Sequence[Link], receipts: Mapping[str, Mapping[str, Any]]) -> None:
    """Check that nothing acknowledged is lost, and nothing stands twice."""
    by_place = {(link.chain, link.seq): link for link in log}
    by_operation: dict[str, int] = {}
    for link in log:
        by_operation[link.operation] = by_operation.get(link.operation, 0) + 1
    twice = [operation for operation, count in by_operation.items() if count > 1]
    assert not twice, f"written twice: {twice[:3]}"
    outcomes = {_id(pk): outcome for pk, outcome in _read(database, "SELECT id, outcome FROM scorecards_operation")}
    for operation, receipt in receipts.items():
        assert outcomes.get(operation) == receipt["outcome"], f"{operation} was acknowledged and is not there"
        for entry in receipt["entries"]:
            found = by_place.get((entry["chain"], entry["seq"]))
            assert found is not None, f"{operation} has a receipt for an entry that is not there"
            assert (found.hash, found.operation) == (entry["hash"], operation)
        if receipt["outcome"] == "recorded":
            assert receipt["entries"], f"{operation} was recorded nowhere"


def fold(ride: FaultRide, log: Iterable[Link]) -> dict[str, tuple[int, int]]:
    """Return place and total of every bike, as the rules have it."""
    game = find_games()["rock-yahtzee"]
    ruleset = game.ruleset({"turns": len(ride.slots)})
    cards: dict[str, dict[str, Sequence[Any]]] = {}
    for link in log:
        assert link.body["kind"] in ("record", "deal"), "phones only record"
        if link.body["slot"] in ride.slots:
            slots = cards.setdefault(link.chain, {})
            assert link.body["slot"] not in slots, f"two turns stand in a slot of {link.chain}"
            slots[link.body["slot"]] = link.body["actions"]
    standings = {}
    for card, slots in cards.items():
        actions = [action for slot in ride.slots if slot in slots for action in slots[slot]]
        played = replay(ruleset, 1, actions)
        assert played.failure is None, f"{card}: {played.failure}"
        standings[card] = game.standing(played.state, 0)
    places = {card: place.rank for place in rank(standings).places for card in place.seats}
    return {card: (places[card], standings[card].total) for card in standings}


def read_standings(database: str | Path, ride: FaultRide) -> dict[str, tuple[int, int]]:
    """Return place and total of every card as the standings have them, which leaderboards are shown from."""
    mark = "?" if isinstance(database, Path) else "%s"
    contest = ride.contest.replace("-", "") if isinstance(database, Path) else ride.contest
    rows = _read(
        database, f"SELECT id, total, order_key FROM standings_standingsrow WHERE contest_id = {mark}", contest
    )
    keys = sorted(bytes(key) for _id, _total, key in rows)
    return {_id(card): (1 + len(keys) - bisect_right(keys, bytes(key)), total) for card, total, key in rows}


def read_export(url: str, ride: FaultRide) -> dict[str, tuple[int, int]]:
    """Return place and total of every card that has a place, as the JSON for programs tells them."""
    with urllib.request.urlopen(f"{url}{ride.board}export.json", timeout=30) as answer:
        told = json.load(answer)
    card_of = {card["holder"]: card["card"] for card in told["cards"]}
    rows = [row for row in told["standings"] if row["rank"] is not None]
    return {card_of[row["holder"]]: (row["rank"], row["total"]) for row in rows}


def _read(database: str | Path, statement: str, *values: str) -> list[tuple[Any, ...]]:
    if isinstance(database, Path):
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            return connection.execute(statement, values).fetchall()
    with psycopg.connect(database) as server:
        return server.execute(statement.encode(), values).fetchall()


def _id(value: object) -> str:
    """Return an id as the log writes it; SQLite keeps it without dashes."""
    text = str(value)
    return text if "-" in text else f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
