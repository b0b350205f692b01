"""An independent check of the log: reads it with a database driver alone, and folds it with the rules alone.

It uses none of the scorekeeper's own parsing, folding or ranking, so it finds their faults instead of sharing them.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import urllib.request
import uuid
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from games.core.cards import CARDS, Card
from games.core.ranking import rank
from games.core.registry import find_games
from games.core.replay import replay
from games.core.standing import Standing
from tests.faults.ride import FaultRide

Body = Mapping[str, Any]
Standings = dict[str, tuple[int, int]]  # place and total by bike

IN_REVIEW = {"conflict", "refused", "late"}
# Outcomes of operations that cannot be recorded at all, and leave no trace.
NOT_TAKEN = {"withdrawn", "not_yours", "other_body", "unreadable"}
# Kinds that set a bike's state: if it has that state already, they write no entry. All others leave a trace.
SETS_STATE = {"register_bike", "withdraw_bike", "did_not_start", "check", "agree"}


@dataclass(frozen=True)
class LogEntry:
    """An entry as it is stored in the database.

    Attributes:
        event: the event whose log contains it.
    """

    event: str
    chain: str
    seq: int
    hash: str
    operation: str
    body: Body


class CurrentEntry(NamedTuple):
    """A turn on a scorecard, or an action at a table, that counts now."""

    slot: str | None
    actions: Sequence[Any]
    seq: int


def read_log(database: str | Path) -> list[LogEntry]:
    """Return all entries of a database in order, after checking their hashes and links.

    Args:
        database: the URL of a PostgreSQL database, or the file of an SQLite one.
    """
    rows = _read(database, ENTRIES)
    links = [
        LogEntry(_id(event), _id(chain), seq, hash_, _id(operation), json.loads(body))
        for event, chain, seq, hash_, operation, body in rows
    ]
    heads: dict[str, tuple[int, str]] = {}
    for link, (*_columns, body) in zip(links, rows, strict=True):
        length, head = heads.get(link.chain, (0, ""))
        assert link.seq == length + 1, f"{link.chain} has entry {link.seq} after {length}"
        assert hashlib.sha256(body.encode()).hexdigest() == link.hash, f"{link.chain}#{link.seq} is not what was hashed"
        assert link.body["prev"] == head, f"{link.chain}#{link.seq} does not follow the entry before it"
        heads[link.chain] = (link.seq, link.hash)
    chain_ends = {_id(chain): (length, head) for chain, length, head in _read(database, CHAINS)}
    assert {chain: end for chain, end in chain_ends.items() if end[0]} == heads, "chains do not end as their rows say"
    return links


ENTRIES = """
    SELECT chain.event_id, entry.chain_id, entry.seq, entry.hash, entry.operation_id, entry.body
    FROM scorecards_entry AS entry JOIN scorecards_chain AS chain ON chain.id = entry.chain_id
    ORDER BY entry.chain_id, entry.seq
"""
CHAINS = "SELECT id, length, head FROM scorecards_chain"


def read_chain(database: str | Path, chain: str) -> list[Body]:
    """Return the bodies of one chain's entries, in order."""
    rows = _read(database, "SELECT body FROM scorecards_entry WHERE chain_id = {} ORDER BY seq", chain)
    return [json.loads(body) for (body,) in rows]


def check_file(database: Path) -> None:
    """Run SQLite's own integrity check on a file."""
    assert _read(database, "PRAGMA integrity_check") == [("ok",)]
    assert _read(database, "PRAGMA foreign_key_check") == []


def list_ride_entries(ride: FaultRide, log: Iterable[LogEntry]) -> list[LogEntry]:
    """Return the entries of one ride, since the database holds other rides too."""
    return [link for link in log if link.event == ride.event]


def check_receipts(
    database: str | Path, ride: FaultRide, log: Sequence[LogEntry], receipts: Mapping[str, Mapping[str, Any]]
) -> None:
    """Check that nothing acknowledged is lost or there twice, and that what does not count is under review.

    Args:
        log: the entries of the ride.
        receipts: the phones' receipts, by operation.
    """
    written: dict[str, list[tuple[str, int, str]]] = {}
    for link in log:
        written.setdefault(link.operation, []).append((link.chain, link.seq, link.hash))
    operations = {
        _id(operation): (outcome, json.loads(receipt) if isinstance(receipt, str) else receipt)
        for operation, outcome, receipt in _read(database, OPERATIONS, ride.event)
    }
    for operation, (_outcome, receipt) in operations.items():
        receipt_entries = [(entry["chain"], entry["seq"], entry["hash"]) for entry in receipt["entries"]]
        assert sorted(receipt_entries) == sorted(written.get(operation, [])), (
            f"{operation} has not written what its receipt says"
        )
    assert written.keys() <= operations.keys(), "entries of no operation"
    in_review = {_id(operation) for (operation,) in _read(database, REVIEWS, ride.event)}
    kinds = {_id(operation): kind for operation, kind in _read(database, OPERATION_KINDS, ride.event)}
    for operation, receipt in receipts.items():
        outcome = receipt["outcome"]
        if outcome in NOT_TAKEN:
            continue
        assert operation in operations, f"{operation} was acknowledged and is not there"
        assert operations[operation] == (outcome, {**operations[operation][1], "entries": receipt["entries"]})
        assert (outcome in IN_REVIEW) == bool(receipt["review"])
        assert (outcome in IN_REVIEW) <= (operation in in_review), f"{operation} neither counts nor is under review"
        is_no_change = outcome == "merged" and kinds[operation] in SETS_STATE
        assert is_no_change or receipt["entries"], f"{operation}, a {kinds[operation]}, was recorded nowhere"


OPERATIONS = "SELECT id, outcome, receipt FROM scorecards_operation WHERE event_id = {}"
OPERATION_KINDS = "SELECT id, kind FROM scorecards_operation WHERE event_id = {}"
REVIEWS = """
    SELECT item.operation_id FROM scorecards_reviewitem AS item
    JOIN scorecards_operation AS operation ON operation.id = item.operation_id WHERE operation.event_id = {}
"""


def check_recorded(database: str | Path, ride: FaultRide, operations: Iterable[str]) -> None:
    """Check that each of these operations was recorded."""
    recorded = {_id(pk) for pk, outcome, _receipt in _read(database, OPERATIONS, ride.event) if outcome == "recorded"}
    lost = sorted(set(operations) - recorded)
    assert not lost, f"acknowledged and not recorded: {lost[:3]}"


def list_outcomes(database: str | Path, ride: FaultRide) -> set[tuple[str, str]]:
    """Return the kinds of operation of the ride, each with its outcomes."""
    statement = "SELECT DISTINCT kind, outcome FROM scorecards_operation WHERE event_id = {}"
    return {(kind, outcome) for kind, outcome in _read(database, statement, ride.event)}


def read_current(bodies: Iterable[Body]) -> dict[str, CurrentEntry]:
    """Return the current turns or actions of a scorecard, by id, in the order in which they were recorded.

    Args:
        bodies: the bodies of its chain, in order.
    """
    current: dict[str, CurrentEntry] = {}
    for body in bodies:
        for change in body["data"].get("changes", ()):
            before = current.get(change["turn"])
            if before is not None and change["actions"] is None:
                del current[change["turn"]]
            elif before is not None:
                slot = change["slot"] or before.slot
                current[change["turn"]] = CurrentEntry(slot, change["actions"], body["seq"])
            elif "restores" in change:
                items = list(current.items())
                position = 0 if change["after"] is None else list(current).index(change["after"]) + 1
                restored = change["turn"], CurrentEntry(change["slot"], change["actions"], body["seq"])
                current = dict([*items[:position], restored, *items[position:]])
        if body["actions"]:
            current[body["data"].get("turn", body["op"])] = CurrentEntry(body["slot"], body["actions"], body["seq"])
    return current


def read_seats(bodies: Iterable[Body]) -> list[str]:
    """Return the bikes at a table, in the order of their seats; none if it was withdrawn."""
    seats: list[str] = []
    for body in bodies:
        data = body["data"]
        match body["kind"]:
            case "deal":
                seats = [seat["bike"] for seat in data["seats"]]
            case "reseat":
                seats = [data["into"] if bike == data["bike"] else bike for bike in seats]
            case "withdraw":
                return []
    return seats


def fold(ride: FaultRide, log: Iterable[LogEntry]) -> Standings:
    """Return place and total of every bike that takes part in the turns at the stops, according to the rules."""
    chains = _by_chain(log)
    game = find_games()["rock-yahtzee"]
    ruleset = game.ruleset({"turns": len(ride.slots)})
    standings = {}
    for bike in list_bikes(ride, chains.get(ride.event, [])):
        current = read_current(chains.get(get_card_id(ride, bike), []))
        if not current:
            continue
        order = sorted(current.values(), key=lambda turn: ride.slots.index(turn.slot) if turn.slot else len(ride.slots))
        assert len({turn.slot for turn in order}) == len(order), f"two turns are in one slot of bike {bike}"
        played = replay(ruleset, 1, [action for turn in order for action in turn.actions])
        assert played.failure is None, f"{bike}: {played.failure}"
        standings[bike] = game.standing(played.state, 0)
    places = rank(standings, _list_cuts(chains.get(ride.contest, []))).places
    return {bike: (place.rank, standings[bike].total) for place in places for bike in place.seats}


def fold_tables(ride: FaultRide, log: Iterable[LogEntry]) -> Standings:
    """Return place and total of every bike at a table with recorded actions."""
    game = find_games()["rogue"]
    ruleset = game.ruleset({})
    standings: dict[str, Standing] = {}
    for bodies in _by_chain(log).values():
        if bodies[0]["data"].get("contest") != ride.rogue or bodies[0]["kind"] != "deal":
            continue
        seats, current = read_seats(bodies), read_current(bodies)
        if not (seats and current):
            continue
        played = replay(ruleset, len(seats), [action for one in current.values() for action in one.actions])
        assert played.failure is None, f"{bodies[0]['chain']}: {played.failure}"
        standings |= {bike: game.standing(played.state, seat) for seat, bike in enumerate(seats)}
    places = rank(standings).places
    return {bike: (place.rank, standings[bike].total) for place in places for bike in place.seats}


def get_card_id(ride: FaultRide, bike: str) -> str:
    """Return the id of a bike's scorecard, which is derived from the bike's."""
    return str(uuid.uuid5(uuid.UUID(ride.contest), bike))


def list_bikes(ride: FaultRide, bodies: Iterable[Body]) -> list[str]:
    """Return the bikes of a ride that were neither withdrawn nor merged into another.

    Args:
        bodies: the bodies of the event's chain, in order.
    """
    bikes = list(ride.bikes)
    for body in bodies:
        if body["kind"] in ("register_bike", "unmerge_bikes"):
            bikes.append(body["data"]["bike"])
        elif body["kind"] in ("withdraw_bike", "merge_bikes"):
            bikes.remove(body["data"]["bike"])
    return bikes


def _by_chain(log: Iterable[LogEntry]) -> dict[str, list[Body]]:
    chains: dict[str, list[Body]] = {}
    for link in log:
        chains.setdefault(link.chain, []).append(link.body)
    return chains


def _list_cuts(bodies: Iterable[Body]) -> list[dict[str, Card | None]]:
    """Return the cuts in a contest's chain; none count while it is open."""
    cuts, is_open = [], True
    for body in bodies:
        if body["kind"] == "cut":
            cuts.append({bike: card and CARDS[card] for bike, card in body["data"]["cards"].items()})
        elif body["kind"] in ("close", "reopen"):
            is_open = body["kind"] == "reopen"
    return [] if is_open else cuts


def read_standings(database: str | Path, contest: str) -> Standings:
    """Return place and total of every bike from the standings, which leaderboards show."""
    rows = _read(database, STANDINGS, contest)
    orders = [(_id(bike), total, (bytes(key), -tie)) for bike, total, key, tie in rows]
    best_last = sorted(order for _bike, _total, order in orders)
    return {bike: (1 + len(orders) - bisect_right(best_last, order), total) for bike, total, order in orders}


STANDINGS = """
    SELECT bike_id, total, order_key, tie_key FROM standings_standingsrow
    WHERE contest_id = {} AND (turns_done > 0 OR status = 'retired')
"""


def read_export(url: str, board: str) -> Standings:
    """Return place and total of every bike that has a place, from the JSON export."""
    with urllib.request.urlopen(f"{url}{board}export.json", timeout=30) as answer:
        data = json.load(answer)
    rows = [row for row in data["standings"] if row["rank"] is not None]
    return {row["holder"]: (row["rank"], row["total"]) for row in rows}


def query(database: str | Path, statement: str, *ids: str) -> list[tuple[Any, ...]]:
    """Return the rows of a statement, in which {} stands for an id. Ids in the rows are formatted as in the log."""
    return [
        tuple(_id(value) if isinstance(value, uuid.UUID) or _is_bare_id(value) else value for value in row)
        for row in _read(database, statement, *ids)
    ]


def _read(database: str | Path, statement: str, *ids: str) -> list[tuple[Any, ...]]:
    if isinstance(database, Path):
        bare = [one.replace("-", "") for one in ids]
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            return connection.execute(statement.replace("{}", "?"), bare).fetchall()
    with psycopg.connect(database) as server:
        return server.execute(statement.replace("{}", "%s").encode(), ids).fetchall()


def _is_bare_id(value: object) -> bool:
    return isinstance(value, str) and len(value) == 32 and value.isalnum()


def _id(value: object) -> str:
    """Return an id as the log writes it; SQLite stores it without dashes."""
    text = str(value)
    return text if "-" in text else f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
