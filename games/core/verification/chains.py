"""Checks of the chains of the log, link by link, and of what the chain of a scorecard says about it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any

from games.core.canonical import canonical_json, sha256
from games.core.game import Game
from games.core.verification.contests import ContestFacts
from games.core.verification.entries import READ_ERRORS, LogEntry, read_entry
from games.core.verification.event_log import EventLog, derive_card
from games.core.verification.scoring import Scorer, read_seats
from games.core.verification.source import Fault, LoggedChain, Row, Source, compare, guard

# The fields of an entry that repeat parts of its body, with the names of these parts. A bundle has only some of them.
REPEATED = {"chain": "chain", "seq": "seq", "operation": "op", "kind": "kind", "slot": "slot", "at": "at"}


def check_chain(chain: LoggedChain, *add: Callable[[LogEntry], None]) -> Generator[Fault, None, bool]:
    """Check a chain; return whether all of it could be read.

    Args:
        add: is called with each entry.
    """
    before: LogEntry | None = None
    number = 0
    for number, row in enumerate(chain.entries, 1):
        line, data = row
        if data["seq"] != number:
            yield Fault("entries", data, f"entry {number} is missing before it", ("seq",), line)
            return False
        if not isinstance(data["body"], str):  # as bytes, which SQLite stores in any column
            yield Fault("entries", data, "it cannot be read", ("body",), line)
            return False
        if sha256(data["body"]) != data["hash"]:
            yield Fault("entries", data, "its hash does not match its content", ("body", "hash"), line)
        try:
            entry = read_entry(line, data)
            for function in add:
                function(entry)
        except READ_ERRORS:
            yield Fault("entries", data, "it cannot be read", ("body",), line)
            return False
        yield from _check_link(row, entry, before)
        before = entry
    length, head = chain.row.data["length"], chain.row.data["head"]
    if length != number:
        text = f"it should have {length} entries and has {number}"
        yield Fault("chains", chain.row.data, text, ("length",), chain.row.line)
    if head != ("" if before is None else before.hash):
        text = "its head is not the hash of its last entry"
        yield Fault("chains", chain.row.data, text, ("head",), chain.row.line)
    return True


def _check_link(row: Row, entry: LogEntry, before: LogEntry | None) -> Iterator[Fault]:
    line, data = row
    if entry.body["prev"] != ("" if before is None else before.hash):
        yield Fault("entries", data, "it does not link to the entry before it", ("body",), line)
    differing = [part for name, part in REPEATED.items() if name in data and data[name] != entry.body.get(part)]
    if canonical_json(entry.body) != data["body"]:
        differing.append("canonical form")
    if differing:
        text = f"its columns do not match its body: {', '.join(differing)}"
        yield Fault("entries", data, text, differing, line)
    if before is not None and entry.line < before.line:
        yield Fault("entries", data, "it was written before the entry that it follows", ("id",), line)


def check_own_chains(source: Source, log: EventLog) -> Iterator[Fault]:
    """Check the chains of the event, of its reviews and of its contests."""
    for chain in source.chains(of_cards=False):
        yield from check_chain(chain, lambda entry, kind=chain.kind: log.add(entry, kind))  # type: ignore[misc]
        yield from _check_flags(chain, is_sealed=False, is_alias=False)


def _check_flags(chain: LoggedChain, *, is_sealed: bool, is_alias: bool) -> Iterator[Fault]:
    data = chain.row.data
    pairs: dict[str, tuple[object, object]] = {
        "kind": (data["kind"], chain.kind),
        "sealed": (data["is_sealed"], is_sealed),
        "alias": (data["is_alias"], is_alias),
    }
    yield from compare("chains", chain.row, pairs)


class CardChecks:
    """Checks the chains of scorecards, once those of the event and its contests were read, and scores them.

    Attributes:
        begun: the contests that have scorecards.
        other_rules: by contest, the first scorecard that was started with other rules.
    """

    def __init__(self, log: EventLog, contests: Mapping[str, ContestFacts]) -> None:
        self.begun: set[str] = set()
        self.other_rules: dict[str, str] = {}
        self._log = log
        self._contests = contests
        self._aliases = {derive_card(contest, bike) for contest in contests for bike in log.list_merged()}
        self._sealed = {contest for contest in contests if log.get_status(contest) != "open"}

    def check(self, source: Source) -> Iterator[Fault]:
        """Check every scorecard with its chain."""
        for chain in source.chains(of_cards=True):
            assert chain.card is not None, "the chain of a scorecard has one"
            entries: list[LogEntry] = []
            is_read = yield from check_chain(chain, entries.append, self._add)
            contest = self._contests.get(chain.card.data["contest"])
            if contest is not None:
                checked = self._check_card(chain, chain.card, contest, entries, is_read=is_read)
                yield from guard(f"scorecard {chain.row.data['id']}", checked)

    def _check_card(
        self, chain: LoggedChain, card: Row, contest: ContestFacts, entries: Sequence[LogEntry], *, is_read: bool
    ) -> Iterator[Fault]:
        id_ = contest.row.data["id"]
        self.begun.add(id_)
        yield from _check_flags(chain, is_sealed=id_ in self._sealed, is_alias=chain.row.data["id"] in self._aliases)
        if entries and entries[0].body.get("rules", contest.rules) != contest.rules:
            self.other_rules.setdefault(id_, chain.row.data["id"])
        if is_read and contest.game is not None:
            yield from self._check_seats(card, entries, contest.game)
        if isinstance(contest.scorer, Scorer) and (failure := contest.scorer.add(card.data, entries, is_read=is_read)):
            yield Fault("cards", card.data, failure, line=card.line)

    def _add(self, entry: LogEntry) -> None:
        self._log.add(entry, "card")

    def _check_seats(self, card: Row, entries: Sequence[LogEntry], game: Game[Any]) -> Iterator[Fault]:
        """Compare the seats of a scorecard with its chain. At the stops, its id is made from that of its bike."""
        id_, contest = card.data["id"], card.data["contest"]
        seats = sorted(card.data["seats"], key=lambda seat: seat["index"])
        rows = [(seat["index"], seat["is_only"], seat["bike"] or seat["player"]) for seat in seats]
        if game.recorded_by == "turn":
            own = [bike for _index, _is_only, bike in rows if bike and derive_card(contest, bike) == id_]
            expected = [(0, True, bike) for bike in own[:1] or [None]]
        else:
            expected = [(index, not game.many_cards, entrant) for index, entrant in enumerate(read_seats(entries))]
            yield from compare("cards", card, {"contest": (contest, self._log.tables.get(id_, contest))})
        if rows != expected or any(seat["bike"] and seat["player"] for seat in seats):
            yield Fault("cards", card.data, "its seats do not match its log", ("seats",), card.line)
