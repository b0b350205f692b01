"""What the log says about the rows of an event: a fold of its chains.

The chains of the event, of its reviews and of its contests are read first, so that each scorecard can be compared while
its own chain is read. Of the many entries of scorecards, only what concerns other rows is kept.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import sha1
from typing import Any

from games.core.canonical import canonical_json
from games.core.verification.entries import LogEntry

BikeNumber = tuple[int | str, ...]  # number, which is a text such as "12A" if it has letters, and suffix

# The status of a contest after the kinds of entries that change it.
STATUS_AFTER = {"close": "closed", "reopen": "open", "publish": "official"}


class EventLog:
    """What the entries that were added say.

    Attributes:
        contests: by contest, the entries of its own chain.
        registered, withdrawn: bikes that were registered or withdrawn at the ride.
        sheets: by further sheet that was sold, its bike, its contest and its number.
        class_changes: corrections of the classes of a bike or a person, each with its entry, in order.
        did_not_start: for every bike that was ever marked as a non-starter, whether it still is.
        roster: the numbers of all bikes when the last contest was closed that is closed now. Since then, only
            operations can have added, removed or renumbered a bike. None while all contests are open, and where older
            versions closed them.
        reviews: by operation, the entry that sent it to review.
        reviews_since: when the first operation that the log has went to review; older versions did not log any.
        tables: by scorecard of a table, the contest that it was created for.
        identities: what the first entries of chains say about the event, as canonical JSON, each with one such chain.
    """

    def __init__(self) -> None:
        self.contests: dict[str, list[LogEntry]] = {}
        self.registered: set[str] = set()
        self.withdrawn: set[str] = set()
        self.sheets: dict[str, tuple[str, str, int]] = {}
        self.did_not_start: dict[str, bool] = {}
        self.class_changes: list[tuple[LogEntry, Mapping[str, Any]]] = []
        self.reviews: dict[str, LogEntry] = {}
        self.reviews_since: str | None = None
        self.tables: dict[str, str] = {}
        self.identities: dict[str, str] = {}
        self._own_chains: set[str] = set()
        self._merges: list[LogEntry] = []
        self._decisions: dict[str, LogEntry] = {}
        self._rosters: dict[str, tuple[int, Mapping[str, BikeNumber]]] = {}
        self._ride_numbers: dict[str, BikeNumber] = {}
        self._first_numbers: dict[str, set[BikeNumber]] = {}

    def add(self, entry: LogEntry, kind: str | None) -> None:
        """Add an entry.

        Args:
            kind: of its chain.
        """
        if entry.seq == 1 or "event" in entry.body:
            self.identities.setdefault(canonical_json(entry.body.get("event")), entry.chain)
        if kind != "card":
            self._own_chains.add(entry.chain)
        match kind:
            case "contest":
                self._add_to_contest(entry)
            case "event":
                self._ride_numbers.update(_read_numbers(entry))
                self._add_bike(entry)
            case "review":
                self.reviews_since = self.reviews_since or entry.body["at"]
            case _:
                for bike, number in _read_numbers(entry).items():
                    self._first_numbers.setdefault(bike, set()).add(number)
        if entry.kind == "deal":
            self.tables[entry.chain] = entry.data["contest"]
        self._add_review(entry)

    def _add_review(self, entry: LogEntry) -> None:
        if entry.kind == "review":
            self.reviews[entry.data.get("operation", entry.operation)] = entry
        reviewed = entry.data.get("settles") or entry.data.get("unsettles")
        if reviewed is not None:  # not all decisions about an operation are in the same chain
            before = self._decisions.get(reviewed)
            if before is None or before.line <= entry.line:
                self._decisions[reviewed] = entry

    def _add_to_contest(self, entry: LogEntry) -> None:
        self.contests.setdefault(entry.chain, []).append(entry)
        if entry.kind in ("close", "reopen"):
            self._rosters.pop(entry.chain, None)
        if entry.body.get("bikes") is not None:
            self._rosters[entry.chain] = (entry.line, _read_numbers(entry))

    def _add_bike(self, entry: LogEntry) -> None:
        match entry.kind:
            case "register_bike":
                self.registered.add(entry.data["bike"])
            case "withdraw_bike":
                self.withdrawn.add(entry.data["bike"])
            case "set_classes":
                self.class_changes += [(entry, change) for change in entry.data["changes"]]
            case "did_not_start":
                self.did_not_start[entry.data["bike"]] = entry.data["value"]
            case "sell_sheet":
                self.sheets[entry.data["sheet"]] = (entry.data["bike"], entry.data["contest"], entry.data["number"])
            case "withdraw_sheet":
                self.sheets.pop(entry.data["sheet"], None)
            case "merge_bikes" | "unmerge_bikes":
                self._merges.append(entry)
                owner = entry.data["into" if entry.kind == "merge_bikes" else "bike"]
                for sheet, number in entry.data.get("sheets", ()):
                    self.sheets[sheet] = (owner, self.sheets[sheet][1], number)
                for sheet, number in entry.data.get("renumbered", ()):
                    self.sheets[sheet] = (entry.data["into"], self.sheets[sheet][1], number)

    def get_status(self, contest: str) -> str:
        """Return the status of a contest."""
        changes = self.list_entries(contest, *STATUS_AFTER)
        return STATUS_AFTER[changes[-1].kind] if changes else "open"

    def list_entries(self, contest: str, *kinds: str) -> list[LogEntry]:
        """Return the entries of these kinds in the chain of a contest."""
        return [entry for entry in self.contests.get(contest, ()) if entry.kind in kinds]

    def get_decisions(self) -> Mapping[str, LogEntry]:
        """Return by operation under review the entry with the decision."""
        return {operation: entry for operation, entry in self._decisions.items() if "settles" in entry.data}

    def list_merged(self, lengths: Mapping[str, int] | None = None) -> Mapping[str, str]:
        """Return, for every bike that was merged into another, the bike that it is part of.

        Args:
            lengths: as it was when the chains had these lengths; None for now.
        """
        direct: dict[str, str] = {}
        for entry in self._merges:
            if lengths is None or entry.seq <= lengths.get(entry.chain, 0):
                direct.pop(entry.data["bike"], None)
                if entry.kind == "merge_bikes":
                    direct[entry.data["bike"]] = entry.data["into"]
        return {bike: _resolve(direct, bike) for bike in direct}

    def list_merge_parties(self) -> set[str]:
        """Return the bikes that were ever merged into others or separated again, and those others."""
        return {entry.data[name] for entry in self._merges for name in ("bike", "into") if name in entry.data}

    def is_card(self, chain: str) -> bool:
        """Whether a chain is that of a scorecard."""
        return chain not in self._own_chains

    def lacks_review(self, operation: str, opened_at: str) -> bool:
        """Whether the log should have that an operation went to review at this time, and has not."""
        is_logged = self.reviews_since is not None and opened_at >= self.reviews_since
        return is_logged and operation not in self.reviews

    @property
    def roster(self) -> Mapping[str, BikeNumber] | None:
        """The numbers in the last closing that still holds."""
        return max(self._rosters.values(), key=lambda roster: roster[0])[1] if self._rosters else None

    def list_numbers(self, bike: str) -> Collection[BikeNumber]:
        """Return the numbers and suffixes that a bike can have; nothing where the log has none.

        A card may be started while its bike is being renumbered; then it has the earlier number.
        """
        known = self._ride_numbers.get(bike) or (self.roster or {}).get(bike)
        return self._first_numbers.get(bike, ()) if known is None else (known,)


def _read_numbers(entry: LogEntry) -> dict[str, BikeNumber]:
    return {bike: tuple(number) for bike, number in (entry.body.get("bikes") or {}).items()}


def _resolve(direct: Mapping[str, str], bike: str) -> str:
    """Return the bike that a bike is finally part of, however often it was merged."""
    into, seen = bike, {bike}
    while into in direct and (following := direct[into]) not in seen:
        into = following
        seen.add(into)
    return into


def derive_card(contest: str, bike: str) -> str:
    """Return the id of a bike's card in a contest at the stops."""
    return _derive_id(contest, bike)


def derive_review_chain(event: str) -> str:
    """Return the id of the chain that lists which operations of an event went to review."""
    return _derive_id(event, "review")


def _derive_id(owner: str, name: str) -> str:
    """Return a UUID of version 5 (RFC 9562). No game uses the module uuid, which can also make random ones."""
    digest = sha1(bytes.fromhex(owner.replace("-", "")) + name.encode(), usedforsecurity=False).hexdigest()
    variant = f"{int(digest[16], 16) & 3 | 8:x}"
    return "-".join([digest[:8], digest[8:12], f"5{digest[13:16]}", f"{variant}{digest[17:20]}", digest[20:32]])
