"""Reads the chains of a bundle's log: what counts on a scorecard, the cuts of a contest, the bikes that were merged.

Terms: a *turn* is what counts in a slot, or one recorded action at a table. Entries record turns, change them, void
them, or restore voided ones.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games.core.bundle.reading import Bundle
from games.core.cards import CARDS, Card

# Raised by data that was not written by Tailgunner, whatever it is.
READ_ERRORS = (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError)

# The status of a contest after the kinds of entries that change it.
STATUS_AFTER = {"close": "closed", "reopen": "open", "publish": "official"}


class LogEntry(NamedTuple):
    """An entry of the log.

    Attributes:
        line: where it is in the bundle.
        position: how many entries were written before it, in any chain.
        body: what was hashed, read.
    """

    line: int
    position: int
    chain: str
    seq: int
    operation: str
    hash: str
    text: str
    body: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """What the entry does."""
        return str(self.body["kind"])

    @property
    def data(self) -> Mapping[str, Any]:
        """The data of its kind."""
        data: Mapping[str, Any] = self.body["data"]
        return data


class CardTurn(NamedTuple):
    """A turn that counts: its slot (None at a table, and for a retirement), its actions, its last entry."""

    id: str
    slot: str | None
    actions: Sequence[Any]
    seq: int


class Cut(NamedTuple):
    """A cut of cards, by entrant."""

    seq: int
    cards: Mapping[str, Card | None]


Lengths = Mapping[str, int]


class Log:
    """The chains of a bundle that could be read.

    Attributes:
        chains: the entries of each chain, in order.
        unreadable: lines of entries that cannot be read.
    """

    def __init__(self, bundle: Bundle) -> None:
        self.chains: dict[str, list[LogEntry]] = {}
        self.unreadable: list[int] = []
        for position, (line, row) in enumerate(bundle.rows["entries"]):
            try:
                body = json.loads(row["body"])
                entry = LogEntry(
                    line, position, row["chain"], row["seq"], row["operation"], row["hash"], row["body"], body
                )
                _check_body(entry)
            except READ_ERRORS:
                self.unreadable.append(line)
            else:
                self.chains.setdefault(row["chain"], []).append(entry)

    def list_entries(self, chain: str, lengths: Lengths | None = None) -> list[LogEntry]:
        """Return the entries of a chain, or those that it had when the chains had these lengths."""
        entries = self.chains.get(chain, [])
        return entries if lengths is None else [entry for entry in entries if entry.seq <= lengths.get(chain, 0)]

    def list_merged(self, event: str, lengths: Lengths | None = None) -> set[str]:
        """Return the bikes that were merged into others."""
        merged: set[str] = set()
        for entry in self.list_entries(event, lengths):
            if entry.kind == "merge_bikes":
                merged.add(entry.data["bike"])
            elif entry.kind == "unmerge_bikes":
                merged.discard(entry.data["bike"])
        return merged

    def list_cuts(self, contest: str, lengths: Lengths | None = None) -> list[Cut]:
        """Return the cuts of a contest in the order in which they were made; a correction keeps its cut's place."""
        cuts: list[Cut] = []
        for entry in self.list_entries(contest, lengths):
            if entry.kind != "cut":
                continue
            cards = {entrant: None if card is None else CARDS[card] for entrant, card in entry.data["cards"].items()}
            cut = Cut(entry.seq, cards)
            corrected = [index for index, other in enumerate(cuts) if other.seq == entry.data.get("corrects")]
            if corrected:
                cuts[corrected[0]] = cut
            else:
                cuts.append(cut)
        return cuts

    def get_status(self, contest: str) -> str:
        """Return the status of a contest."""
        changes = [STATUS_AFTER[entry.kind] for entry in self.list_entries(contest) if entry.kind in STATUS_AFTER]
        return changes[-1] if changes else "open"


def _check_body(entry: LogEntry) -> None:
    """Raise one of `READ_ERRORS` unless the body has the parts that every entry has."""
    body = entry.body
    parts = (body["chain"], body["prev"], body["op"], body["kind"], body["actor"], body["at"])
    is_right = all(isinstance(part, str) for part in parts) and isinstance(body["seq"], int)
    if not is_right or not isinstance(body["data"], dict) or not isinstance(body["actions"], list):
        raise ValueError


def read_turns(entries: Sequence[LogEntry]) -> list[CardTurn]:
    """Return the turns of a scorecard that count, in the order in which they were first recorded."""
    turns: dict[str, CardTurn] = {}
    for entry in entries:
        for change in entry.data.get("changes", ()):
            turns = _apply_change(turns, change, entry.seq)
        if entry.body["actions"]:
            turn_id = entry.data.get("turn", entry.body["op"])
            turns[turn_id] = CardTurn(turn_id, entry.body["slot"], entry.body["actions"], entry.seq)
    return list(turns.values())


def _apply_change(turns: dict[str, CardTurn], change: Mapping[str, Any], seq: int) -> dict[str, CardTurn]:
    turn_id, actions = change["turn"], change["actions"]
    after = dict(turns)
    if turn_id in turns:
        if actions is None:
            del after[turn_id]
        else:
            after[turn_id] = CardTurn(turn_id, change["slot"] or turns[turn_id].slot, actions, seq)
        return after
    if actions is None or "restores" not in change:
        return after
    order = list(turns.values())
    place = list(turns).index(change["after"]) + 1 if change["after"] in turns else 0
    restored = CardTurn(turn_id, change["slot"], actions, seq)
    return {turn.id: turn for turn in (*order[:place], restored, *order[place:])}


def read_seats(entries: Sequence[LogEntry]) -> tuple[str, ...]:
    """Return the entrants of a table's seats, in the order of play; none once the table was withdrawn."""
    seats: tuple[str, ...] = ()
    for entry in entries:
        if entry.kind == "deal":
            seats = tuple(entrant for seat in entry.data["seats"] for entrant in seat.values())
        elif entry.kind == "reseat":
            seats = tuple(entry.data["into"] if entrant == entry.data["bike"] else entrant for entrant in seats)
        elif entry.kind == "withdraw":
            return ()
    return seats
