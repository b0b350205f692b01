"""Reads the chains of an event once: checks each link, and collects what the other checks need from the log.

Little is kept in memory, since a big event has tens of thousands of entries: who wrote each, when, and its data without
changes.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q

from scorekeeper.events.models import Event
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.ledger.chain_entries import split_by_chain
from scorekeeper.ledger.models import Chain, Entry, derive_review_chain_id
from scorekeeper.scorecards.fold import ENTRY_READ_ERRORS
from scorekeeper.scorecards.log_damage import LogDamage, damage_in, report_differences
from scorekeeper.scorecards.models import Scorecard
from scorekeeper.scorecards.snapshot import snapshot_matches_chain

BikeNumbers = Mapping[UUID, tuple[int, ...]]  # numbers and suffixes, by bike


class VerifiedEntry(NamedTuple):
    """An entry, read from its body.

    Attributes:
        pk: of its row; sorts the entries of an operation in the order they were written.
        reason_digest: the digest of the reason that was given with it.
        body_digest: the digest of the stored operation; None in entries of older versions.
        rules_digest: the digest of the rules; only in the first entry of a card, or of a contest that was closed.
        bike_numbers: the numbers and suffixes of bikes; None in most entries, and in those of older versions.
        data: the data of its kind, without the changes of turns.
    """

    pk: int
    operation_id: UUID
    chain_id: UUID
    seq: int
    hash: str
    kind: str
    actor: str
    device: str | None
    at: dt.datetime
    reason_digest: str | None
    body_digest: str | None
    rules_digest: str | None
    bike_numbers: Mapping[str, Sequence[int]] | None
    data: Mapping[str, Any]


@dataclass
class EventLog:
    """The entries of an event's chains, indexed for the checks.

    Attributes:
        by_operation: the entries of each operation.
        by_chain: the entries of the event's own chains and of its contests' chains, in order.
        settlements: by operation under review, the entry with the decision.
        review_entries: by operation, the entry that sent it to review.
        rules_digests: by card or contest, the digest of the rules in its first entry; older ones have none.
        table_contests: by card of a table, the contest it was created for.
        first_numbers: by bike, the number and suffix in the first entries of its cards.
        rosters: by contest that is closed, the entry that closed it with the numbers of all bikes of the event.
        ride_numbers: by bike, the number and suffix it was given at the ride, which count from then on.
        hashes: the hashes of each chain's entries, by their numbers.
        identities: what the first entries of chains say about the event, as canonical JSON, each with one such chain.
    """

    event_id: UUID
    by_operation: dict[UUID, list[VerifiedEntry]] = field(default_factory=dict)
    by_chain: dict[UUID, list[VerifiedEntry]] = field(default_factory=dict)
    settlements: dict[UUID, VerifiedEntry] = field(default_factory=dict)
    review_entries: dict[UUID, VerifiedEntry] = field(default_factory=dict)
    rules_digests: dict[UUID, str] = field(default_factory=dict)
    table_contests: dict[UUID, str] = field(default_factory=dict)
    first_numbers: dict[UUID, set[tuple[int, ...]]] = field(default_factory=dict)
    rosters: dict[UUID, tuple[int, BikeNumbers]] = field(default_factory=dict)
    ride_numbers: dict[UUID, tuple[int, ...]] = field(default_factory=dict)
    hashes: dict[UUID, dict[int, str]] = field(default_factory=dict)
    identities: dict[str, UUID] = field(default_factory=dict)

    def add(self, entry: VerifiedEntry, kind: str | None) -> None:
        """Add an entry.

        Args:
            kind: of its chain.
        """
        self.by_operation.setdefault(entry.operation_id, []).append(entry)
        if kind != Chain.Kind.CARD:
            self.by_chain.setdefault(entry.chain_id, []).append(entry)
        if "settles" in entry.data:
            self.settlements[UUID(entry.data["settles"])] = entry
        if "unsettles" in entry.data:
            self.settlements.pop(UUID(entry.data["unsettles"]), None)
        if entry.rules_digest is not None:
            self.rules_digests[entry.chain_id] = entry.rules_digest
        self._add_numbers(entry, kind)
        if entry.kind == "review":
            self.review_entries[UUID(entry.data.get("operation", str(entry.operation_id)))] = entry
        if entry.kind == "deal":
            self.table_contests[entry.chain_id] = entry.data["contest"]

    def _add_numbers(self, entry: VerifiedEntry, kind: str | None) -> None:
        if kind == Chain.Kind.CONTEST:
            if entry.kind in ("close", "reopen"):
                self.rosters.pop(entry.chain_id, None)
            if entry.bike_numbers is not None:
                self.rosters[entry.chain_id] = (entry.pk, _parse_numbers(entry))
        elif kind == Chain.Kind.EVENT:
            self.ride_numbers.update(_parse_numbers(entry))
        else:
            for bike, number in _parse_numbers(entry).items():
                self.first_numbers.setdefault(bike, set()).add(number)

    def get_roster(self) -> BikeNumbers | None:
        """Return the numbers and suffixes of all bikes when the last contest was closed that is closed now.

        Since then, only operations can have added, removed or renumbered a bike. None while all contests are open, and
        where older versions closed them.
        """
        return max(self.rosters.values(), key=itemgetter(0))[1] if self.rosters else None

    def get_hash(self, chain_id: UUID, seq: int) -> str | None:
        """Return the hash of an entry; None where there is no such entry."""
        return self.hashes.get(chain_id, {}).get(seq)

    def should_record_review(self, at: dt.datetime) -> bool:
        """Whether the log must contain an operation sent to review at this time; older versions did not log it."""
        entries = self.by_chain.get(derive_review_chain_id(self.event_id), [])
        return bool(entries) and at >= entries[0].at

    def list_numbers(self, bike_id: UUID) -> Collection[tuple[int, ...]]:
        """Return the numbers and suffixes that a bike can have; nothing where the log has none.

        A card may be started while its bike is being renumbered; then it contains the earlier number.
        """
        if bike_id in self.ride_numbers:
            return {self.ride_numbers[bike_id]}
        roster = self.get_roster() or {}
        if bike_id in roster:
            return {roster[bike_id]}
        return self.first_numbers.get(bike_id, set())

    def list_entries(self, chain_id: UUID, *kinds: str) -> list[VerifiedEntry]:
        """Return the entries of these kinds in the chain of the event or of a contest."""
        return [entry for entry in self.by_chain.get(chain_id, []) if entry.kind in kinds]

    def list_merged(self) -> dict[UUID, UUID]:
        """Return, for every bike that was merged into another, the bike that it is now part of."""
        direct: dict[UUID, UUID] = {}
        for entry in self.list_entries(self.event_id, "merge_bikes", "unmerge_bikes"):
            bike, into = UUID(entry.data["bike"]), UUID(entry.data["into"])
            direct.pop(bike, None)
            if entry.kind == "merge_bikes":
                direct[bike] = into
        return {bike: _resolve_merge(direct, bike) for bike in direct}


def _parse_numbers(entry: VerifiedEntry) -> BikeNumbers:
    return {UUID(bike): tuple(number) for bike, number in (entry.bike_numbers or {}).items()}


def _resolve_merge(direct: Mapping[UUID, UUID], bike: UUID) -> UUID:
    """Return the bike that a bike is finally part of, however often it was merged."""
    return _resolve_merge(direct, direct[bike]) if bike in direct else bike


def check_chains(event: Event) -> Generator[LogDamage, None, EventLog]:
    """Check every chain of the event, link by link, and return their entries."""
    log, kinds = EventLog(event.pk), _list_kinds(event)
    own = [event.pk, derive_review_chain_id(event.pk), *event.contests.values_list("pk", flat=True)]
    of_event = Q(event=event) | Q(pk__in=own) | Q(card__contest__event=event)
    chains = {chain.pk: chain for chain in Chain.objects.filter(of_event).order_by("pk")}
    entries = Entry.objects.filter(chain__event=event).order_by("chain_id", "seq").iterator()
    for chain_id, chain_entries in split_by_chain(entries):
        yield from _check_chain(log, chains.pop(chain_id), chain_entries, kinds.get(chain_id))
    for chain in chains.values():
        yield from _check_chain(log, chain, [], kinds.get(chain.pk))
    return log


def _list_kinds(event: Event) -> dict[UUID, str]:
    """Return the kind of each chain that the event can have."""
    cards = Scorecard.objects.filter(contest__event=event).values_list("chain_id", flat=True)
    contests = event.contests.values_list("pk", flat=True)
    return {
        **dict.fromkeys(cards, Chain.Kind.CARD),
        **dict.fromkeys(contests, Chain.Kind.CONTEST),
        event.pk: Chain.Kind.EVENT,
        derive_review_chain_id(event.pk): Chain.Kind.REVIEW,
    }


def _check_chain(log: EventLog, chain: Chain, entries: Sequence[Entry], kind: str | None) -> Iterator[LogDamage]:
    name = f"{Chain.Kind(kind or Chain.Kind.CARD).label} {chain.pk}"
    yield from _check_row(name, chain, kind, log.event_id)
    log.hashes[chain.pk] = {entry.seq: entry.hash for entry in entries}
    before: Entry | None = None
    for expected, entry in enumerate(entries, 1):
        location = f"{name}, entry {entry.seq}"
        if entry.seq != expected:
            yield damage_in(Entry, entry.pk, location, f"entry {expected} is missing before it", "seq")
            return
        if not isinstance(entry.body, str):  # as bytes, which SQLite stores in any column
            yield damage_in(Entry, entry.pk, location, "it cannot be read", "body")
            return
        if sha256(entry.body) != entry.hash:
            yield damage_in(Entry, entry.pk, location, "its hash does not match its content", "body, hash")
        try:
            body = dict(json.loads(entry.body))
            verified = _parse_entry(entry, body)
            log.add(verified, kind)
        except ENTRY_READ_ERRORS:
            yield damage_in(Entry, entry.pk, location, "it cannot be read", "body")
            return
        if expected == 1:
            log.identities.setdefault(canonical_json(body.get("event")), chain.pk)
        yield from _check_link(location, entry, before, body)
        before = entry
    if chain.length != len(entries):
        text = f"it should have {chain.length} entries and has {len(entries)}"
        yield damage_in(Chain, chain.pk, name, text, "length")
    if chain.head != ("" if before is None else before.hash):
        yield damage_in(Chain, chain.pk, name, "its head is not the hash of its last entry", "head")


def _check_row(name: str, chain: Chain, kind: str | None, event_id: UUID) -> Iterator[LogDamage]:
    """Check a chain's kind and event, and that its snapshot was made from it; `card_checks` checks the content."""
    pairs: dict[str, tuple[object, object]] = {"kind": (chain.kind, kind), "event": (chain.event_id, event_id)}
    yield from report_differences(name, pairs, Chain, chain.pk)
    if kind != Chain.Kind.CARD:
        flags = (chain.is_sealed, chain.is_alias, chain.snapshot)
        yield from report_differences(name, {"flags or snapshot": (flags, (False, False, ""))}, Chain, chain.pk)
    elif chain.snapshot and not snapshot_matches_chain(chain):
        yield damage_in(Chain, chain.pk, name, "its snapshot does not match its chain", "snapshot")


def _check_link(location: str, entry: Entry, before: Entry | None, body: Mapping[str, Any]) -> Iterator[LogDamage]:
    if body.get("prev") != ("" if before is None else before.hash):
        yield damage_in(Entry, entry.pk, location, "it does not link to the entry before it", "body")
    if differing := _list_differences(entry, body):
        columns = ", ".join(differing)
        yield damage_in(Entry, entry.pk, location, f"its columns do not match its body: {columns}", columns)
    if before is not None and entry.pk < before.pk:
        yield damage_in(Entry, entry.pk, location, "its row is older than the row of the entry before it", "id")


def _parse_entry(entry: Entry, body: Mapping[str, Any]) -> VerifiedEntry:
    return VerifiedEntry(
        pk=entry.pk,
        operation_id=UUID(body["op"]),
        chain_id=entry.chain_id,
        seq=entry.seq,
        hash=entry.hash,
        kind=body["kind"],
        actor=body["actor"],
        device=body["device"],
        at=dt.datetime.fromisoformat(body["at"]),
        reason_digest=body["note"],
        body_digest=body.get("sent"),
        rules_digest=body.get("rules"),
        bike_numbers=body.get("bikes"),
        data={name: value for name, value in body["data"].items() if name != "changes"},
    )


def _list_differences(entry: Entry, body: Mapping[str, Any]) -> list[str]:
    """Return the columns that differ from the body."""
    columns = {
        "chain": str(entry.chain_id),
        "seq": entry.seq,
        "op": str(entry.operation_id),
        "kind": entry.kind,
        "slot": None if entry.slot_id is None else str(entry.slot_id),
    }
    differing = [name for name, value in columns.items() if body.get(name) != value]
    if entry.at != dt.datetime.fromisoformat(body["at"]):
        differing.append("at")
    if canonical_json(body) != entry.body:
        differing.append("canonical form")
    return differing
