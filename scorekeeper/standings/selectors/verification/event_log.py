"""The chains of an event, read once: each link is checked, and what the other checks ask of the log is kept.

Kept is little, since a big event has tens of thousands of entries: who wrote each, when, and its data without changes.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q

from scorekeeper.events.models import Event
from scorekeeper.scorecards.canonical import canonical_json, sha256
from scorekeeper.scorecards.contest_rules import derive_review_chain_id
from scorekeeper.scorecards.fold import ENTRY_READ_ERRORS
from scorekeeper.scorecards.models import Chain, Entry, Scorecard
from scorekeeper.scorecards.snapshot import snapshot_matches_chain
from scorekeeper.standings.selectors.verification.damage import LogDamage, report_differences


class VerifiedEntry(NamedTuple):
    """An entry as its body tells it.

    Attributes:
        pk: of its row, by which entries of one operation are in the order they were written.
        note: the digest of the reason that was given with it.
        rules: the digest of those the card is played by; only in the first entry of a card.
        sent: the digest of what is kept of the operation; None in entries that are older than it.
        bikes: the numbers and suffixes of bikes; None in most entries, and in those that are older than it.
        data: of its kind, without the changes of turns.
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
    """What the chains of an event tell.

    Attributes:
        by_operation: the entries of each operation.
        by_chain: those of the event's own chains and of its contests', in their order.
        settled: by the operation that waited, the entry that tells what became of it.
        waiting: by the operation, the entry that tells that it was put before the organiser.
        rules: by the card, the digest of the rules it was begun by; older cards have none.
        dealt: by the card of a table, the contest it was made for.
        numbers: by the bike, number and suffix as its cards begin with them.
        renumbered: by the bike, number and suffix that it got at the ride, which count from then on.
        hashes: those of each chain's entries, by their numbers.
    """

    event_id: UUID
    by_operation: dict[UUID, list[VerifiedEntry]] = field(default_factory=dict)
    by_chain: dict[UUID, list[VerifiedEntry]] = field(default_factory=dict)
    settlements: dict[UUID, VerifiedEntry] = field(default_factory=dict)
    review_entries: dict[UUID, VerifiedEntry] = field(default_factory=dict)
    rules_digests: dict[UUID, str] = field(default_factory=dict)
    table_contests: dict[UUID, str] = field(default_factory=dict)
    first_numbers: dict[UUID, set[tuple[int, ...]]] = field(default_factory=dict)
    ride_numbers: dict[UUID, tuple[int, ...]] = field(default_factory=dict)
    hashes: dict[UUID, dict[int, str]] = field(default_factory=dict)

    def add(self, written: VerifiedEntry, kind: str | None) -> None:
        """Take in one more entry.

        Args:
            kind: of its chain.
        """
        self.by_operation.setdefault(written.operation_id, []).append(written)
        if kind != Chain.Kind.CARD:
            self.by_chain.setdefault(written.chain_id, []).append(written)
        if "settles" in written.data:
            self.settlements[UUID(written.data["settles"])] = written
        if "unsettles" in written.data:
            self.settlements.pop(UUID(written.data["unsettles"]), None)
        if written.rules_digest is not None:
            self.rules_digests[written.chain_id] = written.rules_digest
        for bike, number in (written.bike_numbers or {}).items():
            if kind == Chain.Kind.EVENT:
                self.ride_numbers[UUID(bike)] = tuple(number)
            else:
                self.first_numbers.setdefault(UUID(bike), set()).add(tuple(number))
        if written.kind == "review":
            self.review_entries[UUID(written.data.get("operation", str(written.operation_id)))] = written
        if written.kind == "deal":
            self.table_contests[written.chain_id] = written.data["contest"]

    def get_hash(self, chain_id: UUID, seq: int) -> str | None:
        """Return the hash of an entry; None where there is no such entry."""
        return self.hashes.get(chain_id, {}).get(seq)

    def should_record_review(self, at: dt.datetime) -> bool:
        """Whether what was put before the organiser at some time has to be in the log; older versions did not tell."""
        entries = self.by_chain.get(derive_review_chain_id(self.event_id), [])
        return bool(entries) and at >= entries[0].at

    def list_numbers(self, bike_id: UUID) -> Collection[tuple[int, ...]]:
        """Return number and suffix that a bike can have; nothing where the log tells of none.

        A card may begin while its bike is renumbered, and then tells of the number before.
        """
        if bike_id in self.ride_numbers:
            return {self.ride_numbers[bike_id]}
        return self.first_numbers.get(bike_id, set())

    def list_entries(self, chain_id: UUID, *kinds: str) -> list[VerifiedEntry]:
        """Return the entries of these kinds in the chain of the event or of a contest."""
        return [written for written in self.by_chain.get(chain_id, []) if written.kind in kinds]

    def list_merged(self) -> dict[UUID, UUID]:
        """Return for every bike that was merged into another which one it is now."""
        direct: dict[UUID, UUID] = {}
        for written in self.list_entries(self.event_id, "merge_bikes", "unmerge_bikes"):
            bike, into = UUID(written.data["bike"]), UUID(written.data["into"])
            direct.pop(bike, None)
            if written.kind == "merge_bikes":
                direct[bike] = into
        return {bike: _resolve_merge(direct, bike) for bike in direct}


def _resolve_merge(direct: Mapping[UUID, UUID], bike: UUID) -> UUID:
    """Return what a bike is in the end, however often it was merged."""
    return _resolve_merge(direct, direct[bike]) if bike in direct else bike


def check_chains(event: Event) -> Generator[LogDamage, None, EventLog]:
    """Check every chain of the event, link by link, and return what they tell."""
    log, kinds = EventLog(event.pk), _list_kinds(event)
    own = [event.pk, derive_review_chain_id(event.pk), *event.contests.values_list("pk", flat=True)]
    ours = Q(event=event) | Q(pk__in=own) | Q(card__contest__event=event)
    chains = {chain.pk: chain for chain in Chain.objects.filter(ours).order_by("pk")}
    entries = Entry.objects.filter(chain__event=event).order_by("chain_id", "seq").iterator()
    for chain_id, linked in groupby(entries, key=lambda entry: entry.chain_id):
        yield from _check_chain(log, chains.pop(chain_id), list(linked), kinds.get(chain_id))
    for chain in chains.values():
        yield from _check_chain(log, chain, [], kinds.get(chain.pk))
    return log


def _list_kinds(event: Event) -> dict[UUID, str]:
    """Return for each chain that the event can have of which kind it is."""
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
        where = f"{name}, entry {entry.seq}"
        if entry.seq != expected:
            yield LogDamage(where, f"entry {expected} is missing before it")
            return
        if sha256(entry.body) != entry.hash:
            yield LogDamage(where, "its hash does not match its content")
        try:
            body = dict(json.loads(entry.body))
            written = _parse_entry(entry, body)
            log.add(written, kind)
        except ENTRY_READ_ERRORS:
            yield LogDamage(where, "it cannot be read")
            return
        yield from _check_link(where, entry, before, body)
        before = entry
    if chain.length != len(entries):
        yield LogDamage(name, f"it should have {chain.length} entries and has {len(entries)}")
    if chain.head != ("" if before is None else before.hash):
        yield LogDamage(name, "its head is not the hash of its last entry")


def _check_row(name: str, chain: Chain, kind: str | None, event_id: UUID) -> Iterator[LogDamage]:
    """Check that a chain is where it belongs, and that its snapshot was made of it; `cards` looks at what it says."""
    yield from report_differences(name, {"kind": (chain.kind, kind), "event": (chain.event_id, event_id)})
    if kind != Chain.Kind.CARD:
        flags = (chain.is_sealed, chain.is_alias, chain.snapshot)
        yield from report_differences(name, {"flags or snapshot": (flags, (False, False, ""))})
    elif chain.snapshot and not snapshot_matches_chain(chain):
        yield LogDamage(name, "its snapshot does not match its chain")


def _check_link(where: str, entry: Entry, before: Entry | None, body: Mapping[str, Any]) -> Iterator[LogDamage]:
    if body.get("prev") != ("" if before is None else before.hash):
        yield LogDamage(where, "it does not link to the entry before it")
    if repeated := _list_differences(entry, body):
        yield LogDamage(where, f"its columns do not match its body: {', '.join(repeated)}")
    if before is not None and entry.pk < before.pk:
        yield LogDamage(where, "its row is older than the row of the entry before it")


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
    """Return the columns that do not say what the body says."""
    beside = {
        "chain": str(entry.chain_id),
        "seq": entry.seq,
        "op": str(entry.operation_id),
        "kind": entry.kind,
        "slot": None if entry.slot_id is None else str(entry.slot_id),
    }
    unlike = [name for name, value in beside.items() if body.get(name) != value]
    if entry.at != dt.datetime.fromisoformat(body["at"]):
        unlike.append("at")
    if canonical_json(body) != entry.body:
        unlike.append("spelling")
    return unlike
