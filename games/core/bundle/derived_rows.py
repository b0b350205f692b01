"""Checks of rows that have no digest of their own, but follow from what the log says: chains, contests, bikes, seats
and entries under review; and of the order of the lines.

What the log does not know is not checked here, and the report says so (`games.core.bundle.report`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha1
from typing import Any

from games.core.bundle.layout import SECTIONS, sha256, write_json
from games.core.bundle.log import STATUS_AFTER, LogEntry, read_seats
from games.core.bundle.opening import OpenBundle
from games.core.bundle.reading import Finding

Number = tuple[int, ...]  # of a bike: its number and its suffix

REVIEW_OUTCOMES = ("conflict", "refused", "late", "review")
UNDONE = "undone"  # the reason of an item whose operation was merged, and went to review only later
# How the lines of a section are ordered, if not by their ids. Entries are in the order of writing.
ORDERS: Mapping[str, Sequence[str]] = {
    "odds": ("id",),
    "operations": ("received_at", "id"),
    "revisions": ("contest", "number"),
    "standings": ("contest", "index"),
    "frozen_standings": ("contest",),
}
# Lines of a revision are numbered from 0.
NUMBERED = {"revision_rows": "revision", "revision_cards": "revision", "standings": "contest"}


def check_order(opened: OpenBundle) -> Iterator[Finding]:
    """Check that lines are in the order in which a bundle writes them: equal data gives equal bytes."""
    for section, fields in SECTIONS.items():
        columns = ORDERS.get(section, ("id",) if "id" in fields else ())
        before: tuple[Any, ...] = ()
        for row in opened.bundle.rows[section] if columns else ():
            key = tuple(row.data[column] for column in columns)
            if before and key <= before:
                yield Finding(row.line, f"section {section}", "it is not in the order of a bundle, or is there twice")
                break
            before = key
    for section, owner in NUMBERED.items():
        counts: dict[str, int] = {}
        for row in opened.bundle.rows[section]:
            expected = counts.get(row.data[owner], 0)
            counts[row.data[owner]] = expected + 1
            if row.data["index"] != expected:
                yield Finding(row.line, f"section {section}", f"it has the index {row.data['index']}, not {expected}")
                break


def check_chain_flags(opened: OpenBundle) -> Iterator[Finding]:
    """Check what each chain is for, and whether it is sealed, or that of a merged bike."""
    contests = {row["id"]: opened.log.get_status(row["id"]) for row in opened.bundle.get("contests")}
    cards = {row["id"]: row["contest"] for row in opened.bundle.get("cards")}
    bikes = list_merged_into(opened, opened.bundle.event)
    aliases = {derive_card(contest, bike) for contest in contests for bike in bikes}
    for line, chain in opened.bundle.rows["chains"]:
        id_ = chain["id"]
        kind = "card" if id_ in cards else "contest" if id_ in contests else "review"
        kind = "event" if id_ == opened.bundle.event["id"] else kind
        is_sealed = id_ in cards and contests[cards[id_]] != "open"
        expected = {"kind": kind, "is_sealed": is_sealed, "is_alias": id_ in cards and id_ in aliases}
        yield from _compare(line, opened.names.get(id_), chain, expected)


def check_settings(opened: OpenBundle) -> Iterator[Finding]:
    """Compare prizes and the comparison of groups with the log, which has them while a contest is closed."""
    for line, contest in opened.bundle.rows["contests"]:
        name = f"the contest “{contest['name']}”"
        entries = opened.log.list_entries(contest["id"])
        cards = [card["id"] for card in opened.bundle.get("cards") if card["contest"] == contest["id"]]
        has_begun = entries or any(opened.log.chains.get(card) for card in cards)
        if has_begun and contest["frozen_at"] is None:
            yield Finding(line, name, "it has entries, but its rules are not frozen")
        changes = [entry for entry in entries if entry.kind in STATUS_AFTER]
        if not changes or STATUS_AFTER[changes[-1].kind] == "open":
            continue
        groups = {"by": contest["groups_by"], "best": contest["group_best"]}
        if (groups if contest["groups_by"] else None) != changes[-1].data.get("groups"):
            yield Finding(line, name, "its log has another way to compare groups")
        data = next(entry for entry in reversed(entries) if entry.kind in (*STATUS_AFTER, "prizes")).data
        if contest["prizes"] != data.get("prizes", contest["prizes"]):
            yield Finding(line, name, f"{contest['prizes']} places win a prize, but its log says {data['prizes']}")
        if "prize_list" in data and data["prize_list"] != _digest_prizes(opened, contest["id"]):
            yield Finding(line, name, "its prizes are not those in its log")


def _digest_prizes(opened: OpenBundle, contest: str) -> str:
    columns = ("id", "name", "sponsor", "logo", "rule", "place", "stop", "best_of")
    prizes = [[prize[name] for name in columns] for prize in opened.bundle.get("prizes") if prize["contest"] == contest]
    return sha256(write_json(sorted(prizes))) if prizes else ""


def check_bikes(opened: OpenBundle) -> Iterator[Finding]:
    """Compare bikes with the log: their numbers, which were registered at the ride, merged, or did not start."""
    event = opened.bundle.event
    merged, entries = list_merged_into(opened, event), opened.log.list_entries(event["id"])
    registered = {entry.data["bike"] for entry in entries if entry.kind == "register_bike"}
    withdrawn = {entry.data["bike"] for entry in entries if entry.kind == "withdraw_bike"}
    marks = {entry.data["bike"]: entry.data["value"] for entry in entries if entry.kind == "did_not_start"}
    marked = {bike for bike, value in marks.items() if value}
    numbers = _Numbers(opened)
    missing = (registered | merged.keys() | marked | (numbers.roster or {}).keys()) - withdrawn
    for line, bike in opened.bundle.rows["bikes"]:
        id_ = bike["id"]
        missing.discard(id_)
        expected = {"merged_into": merged.get(id_), "is_walk_up": id_ in registered, "did_not_start": id_ in marked}
        name = opened.names.get(id_)
        yield from _compare(line, name, bike, expected)
        known = numbers.list_possible(id_)
        if known and (bike["number"], bike["suffix"]) not in known:
            yield Finding(line, name, "its log has another number")
        if id_ in withdrawn:
            yield Finding(line, name, "its log says that it was withdrawn")
        if numbers.roster is not None and id_ not in registered | merged.keys() | numbers.roster.keys():
            yield Finding(line, name, "it was added after a contest was closed, and the log does not say so")
    for id_ in sorted(missing):
        yield Finding(None, "section bikes", f"bike {id_} is missing, but it is in the log")


class _Numbers:
    """The numbers that the log has for bikes.

    Attributes:
        roster: those of all bikes when the last contest was closed that is closed now; None while all are open.
    """

    def __init__(self, opened: OpenBundle) -> None:
        self._at_ride: dict[str, Number] = {}
        self._first: dict[str, set[Number]] = {}
        rosters: list[tuple[int, Mapping[str, Number]]] = []
        contests = {contest["id"] for contest in opened.bundle.get("contests")}
        for chain, entries in opened.log.chains.items():
            if chain in contests:
                changes = [entry for entry in entries if entry.kind in ("close", "reopen")]
                if changes and "bikes" in changes[-1].body:
                    rosters.append((changes[-1].position, _read_numbers(changes[-1])))
                continue
            for entry in entries:
                for bike, number in _read_numbers(entry).items():
                    if chain == opened.bundle.event["id"]:
                        self._at_ride[bike] = number
                    else:
                        self._first.setdefault(bike, set()).add(number)
        self.roster = max(rosters)[1] if rosters else None

    def list_possible(self, bike: str) -> Collection[Number]:
        """Return the numbers that a bike can have; nothing where the log has none.

        A card may be started while its bike is being renumbered; then it has the earlier number.
        """
        if bike in self._at_ride:
            return [self._at_ride[bike]]
        if self.roster and bike in self.roster:
            return [self.roster[bike]]
        return self._first.get(bike, ())


def _read_numbers(entry: LogEntry) -> dict[str, Number]:
    return {bike: tuple(number) for bike, number in (entry.body.get("bikes") or {}).items()}


def check_seats(opened: OpenBundle) -> Iterator[Finding]:
    """Compare the seats of scorecards with the log. At the stops, the id of a card is made from its bike's."""
    contests = opened.bundle.by_id("contests")
    for line, card in opened.bundle.rows["cards"]:
        game = opened.games.get(contests[card["contest"]]["game"])
        if game is None:
            continue
        seats = sorted(card["seats"], key=lambda seat: seat["index"])
        rows = [(seat["index"], seat["is_only"], seat["bike"] or seat["player"]) for seat in seats]
        if game.recorded_by == "turn":
            expected = [(0, True, seat["bike"]) for seat in seats if _is_of_bike(card, seat)][:1]
        else:
            entries = opened.log.chains.get(card["id"], [])
            expected = [(index, not game.many_cards, one) for index, one in enumerate(read_seats(entries))]
            dealt = next((entry.data["contest"] for entry in entries if entry.kind == "deal"), card["contest"])
            if dealt != card["contest"]:
                yield Finding(line, opened.names.get(card["id"]), "its log says that it is of another contest")
        if rows != expected or any(seat["bike"] and seat["player"] for seat in seats):
            yield Finding(line, opened.names.get(card["id"]), "its seats are not those of its log")


def _is_of_bike(card: Mapping[str, Any], seat: Mapping[str, Any]) -> bool:
    return seat["bike"] is not None and derive_card(card["contest"], seat["bike"]) == card["id"]


def check_review_items(opened: OpenBundle) -> Iterator[Finding]:
    """Compare entries under review with their operations, with the log, and with the decisions in it."""
    operations = opened.bundle.by_id("operations")
    sent, settled = _list_reviewed(opened.log.chains.values())
    merged, seen = list_merged_into(opened, opened.bundle.event), set()
    for line, item in opened.bundle.rows["review_items"]:
        operation = operations[item["operation"]]
        seen.add(operation["id"])
        entry, decision = sent.get(operation["id"]), settled.get(operation["id"])
        body = operation["body"]
        expected = {
            "slot": body.get("slot") if operation["kind"] == "turn" else None,
            "opened_at": operation["received_at"],
            "problems": operation["receipt"]["problems"],
            "settled_at": None if decision is None else decision.body["at"],
            "settled_by": None if decision is None else decision.operation,
            "decision": "" if decision is None else decision.data["decision"],
            "card": _find_card(opened, body, decision, merged),
            "contest": body.get("contest", item["contest"]),
        }
        if item["reason"] == UNDONE and entry is not None:
            expected["opened_at"] = entry.body["at"]
        if item["reason"] != UNDONE:
            expected["id"] = operation["receipt"].get("review", item["id"])
        if entry is not None:
            expected |= {name: entry.data[name] for name in ("reason", "against", "contest")}
            if entry.data["problems"] != sha256(write_json(item["problems"])):
                yield Finding(line, f"the review of {operation['id']}", "its problems are not those in the log")
        yield from _compare(line, f"the review of {operation['id']}", item, expected)
    outcomes = {id_ for id_, operation in operations.items() if operation["outcome"] in REVIEW_OUTCOMES}
    for missing in sorted((outcomes | sent.keys() | settled.keys()) - seen):
        yield Finding(None, "section review_items", f"the review of {missing} is missing, but it is in the log")


def _list_reviewed(chains: Iterable[Sequence[LogEntry]]) -> tuple[dict[str, LogEntry], dict[str, LogEntry]]:
    """Return by operation the entry that sent it to review, and the entry with the decision that counts."""
    sent: dict[str, LogEntry] = {}
    settled: dict[str, LogEntry] = {}
    for entry in sorted((entry for entries in chains for entry in entries), key=lambda entry: entry.position):
        if entry.kind == "review":
            sent[entry.data.get("operation", entry.operation)] = entry
        if "settles" in entry.data:
            settled[entry.data["settles"]] = entry
        if "unsettles" in entry.data:
            settled.pop(entry.data["unsettles"], None)
    return sent, settled


def _find_card(
    opened: OpenBundle, body: Mapping[str, Any], decision: LogEntry | None, merged: Mapping[str, str]
) -> str | None:
    """Return the card of an item: that which its operation is about, or the one on whose chain it was decided."""
    if decision is not None:
        own = {opened.bundle.event["id"], *(contest["id"] for contest in opened.bundle.get("contests"))}
        return None if decision.chain in own else decision.chain
    if "card" in body:
        return str(body["card"])
    return derive_card(body["contest"], merged.get(body["bike"], body["bike"]))


def list_merged_into(opened: OpenBundle, event: Mapping[str, Any]) -> dict[str, str]:
    """Return, for every bike that was merged into another, the bike that it is now part of."""
    direct: dict[str, str] = {}
    for entry in opened.log.list_entries(event["id"]):
        if entry.kind in ("merge_bikes", "unmerge_bikes"):
            direct.pop(entry.data["bike"], None)
        if entry.kind == "merge_bikes":
            direct[entry.data["bike"]] = entry.data["into"]
    return {bike: _resolve(direct, bike) for bike in direct}


def _resolve(direct: Mapping[str, str], bike: str) -> str:
    """Return the bike that a bike is finally part of, however often it was merged."""
    into, seen = bike, {bike}
    while into in direct and (following := direct[into]) not in seen:
        into = following
        seen.add(into)
    return into


def derive_card(contest: str, bike: str) -> str:
    """Return the id of a bike's card in a contest at the stops: a UUID of version 5 (RFC 9562)."""
    name = bytes.fromhex(contest.replace("-", "")) + bike.encode()
    digest = sha1(name, usedforsecurity=False).hexdigest()
    variant = f"{int(digest[16], 16) & 3 | 8:x}"
    return "-".join([digest[:8], digest[8:12], f"5{digest[13:16]}", f"{variant}{digest[17:20]}", digest[20:32]])


def _compare(line: int, name: str, data: Mapping[str, Any], expected: Mapping[str, Any]) -> Iterator[Finding]:
    differing = [field for field, value in expected.items() if data[field] != value]
    if differing:
        yield Finding(line, name, f"the log says something else: {', '.join(differing)}")
