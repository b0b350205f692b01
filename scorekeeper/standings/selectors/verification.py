"""Reading the whole log of an event with suspicion.

Checked are: each entry's hash and its link to the one before, what the entry's columns repeat of its body, the lengths
and heads of chains, the reasons and the snapshots kept beside the log, the projections folded from it (turns on cards,
the status of contests), and every revision: its event's head, the heads it kept, and its figures folded once more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from scorekeeper.events.models import Contest, Event
from scorekeeper.scorecards.canonical import canonical_json, sha256
from scorekeeper.scorecards.fold import UNREADABLE, fold_card, read_card
from scorekeeper.scorecards.models import Chain, Entry, Note, Seat, Turn
from scorekeeper.scorecards.open_card import read_snapshot as read_card_snapshot
from scorekeeper.scorecards.played import get_played_contest
from scorekeeper.scorecards.services.book import note_digest
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.reports import fold_report_at
from scorekeeper.tables.open_table import read_snapshot as read_table_snapshot
from scorekeeper.tables.selectors.folding import fold_tables

BESIDE = "what is kept beside its log is not what the log tells"
STATUS_AFTER = {"close": Contest.Status.CLOSED, "reopen": Contest.Status.OPEN, "publish": Contest.Status.OFFICIAL}


@dataclass(frozen=True, slots=True)
class Damage:
    """Something that does not fit.

    Attributes:
        where: the chain and the sequence number of the entry, or what else is damaged.
        what: in words for whoever looks after the program.
    """

    where: str
    what: str


def list_damage(event: Event) -> Iterator[Damage]:
    """Return everything in the event's log, projections and revisions that does not fit."""
    yield from _check_chains(event)
    yield from _check_notes(event)
    for contest in event.contests.all():
        yield from _check_turns(contest) if contest.game.recorded_by == "turn" else _check_tables(contest)
        yield from _check_status(contest)
        for revision in contest.revisions.all():
            yield from _check_revision(contest, revision)


def _check_chains(event: Event) -> Iterator[Damage]:
    entries = Entry.objects.filter(chain__event=event).order_by("chain_id", "seq").iterator()
    read = {chain_id: list(chain) for chain_id, chain in groupby(entries, key=lambda entry: entry.chain_id)}
    for chain in Chain.objects.filter(event=event).order_by("pk"):
        yield from _check_chain(chain, read.get(chain.pk, []))


def _check_chain(chain: Chain, entries: Sequence[Entry]) -> Iterator[Damage]:
    head, name = "", f"{chain.get_kind_display()} {chain.pk}"
    for expected, entry in enumerate(entries, 1):
        where = f"{name}, entry {entry.seq}"
        if entry.seq != expected:
            yield Damage(where, f"entry {expected} is missing before it")
            return
        if sha256(entry.body) != entry.hash:
            yield Damage(where, "its hash does not fit what it says")
        try:
            body = dict(json.loads(entry.body))
        except UNREADABLE:
            yield Damage(where, "it cannot be read")
            return
        if body.get("prev") != head:
            yield Damage(where, "it does not hang on the entry before it")
        if repeated := _list_unlike(entry, body):
            yield Damage(where, f"beside it stands something else than in it: {', '.join(repeated)}")
        head = entry.hash
    if chain.length != len(entries):
        yield Damage(name, f"it should have {chain.length} entries and has {len(entries)}")
    if chain.head != head:
        yield Damage(name, "its head is not the hash of its last entry")


def _list_unlike(entry: Entry, body: Mapping[str, Any]) -> list[str]:
    """Return the columns that do not say what the body says."""
    beside = {
        "chain": str(entry.chain_id),
        "seq": entry.seq,
        "op": str(entry.operation_id),
        "kind": entry.kind,
        "slot": None if entry.slot_id is None else str(entry.slot_id),
    }
    unlike = [name for name, value in beside.items() if body.get(name) != value]
    if canonical_json(body) != entry.body:
        unlike.append("spelling")
    return unlike


def _check_notes(event: Event) -> Iterator[Damage]:
    """Compare the reasons that are still kept with their digests in the log; erased ones are no damage."""
    notes = {note.pk: note for note in Note.objects.filter(operation__event=event)}
    for entry in Entry.objects.filter(operation_id__in=notes).order_by("chain_id", "seq"):
        note = notes[entry.operation_id]
        if f'"note":"{note_digest(note.salt, note.text)}"' not in entry.body:
            yield Damage(f"Reason of {entry.operation_id}", "it is not the one that was given")


def _check_turns(contest: Contest) -> Iterator[Damage]:
    played = get_played_contest(contest.pk)
    kept: dict[UUID, set[tuple[Any, ...]]] = {}
    for turn in Turn.objects.filter(card__contest=contest):
        row = (turn.pk, turn.slot_id, turn.line, turn.points, tuple(turn.dice), turn.how)
        kept.setdefault(turn.card_id, set()).add(row)
    chains = Chain.objects.filter(card__contest=contest).in_bulk()
    entries = Entry.objects.filter(chain__card__contest=contest).order_by("chain_id", "seq").iterator()
    for card_id, chain in groupby(entries, key=lambda entry: entry.chain_id):
        try:
            turns = read_card(chain)
            folded = fold_card(played, turns)
        except UNREADABLE:
            yield Damage(f"Card {card_id}", "its log cannot be folded")
            continue
        rows = {(key, turns[key].slot_id, t.line, t.points, tuple(t.dice), t.how) for key, t in folded.played.items()}
        if rows != kept.pop(card_id, set()):
            yield Damage(f"Card {card_id}", "its turns are not those that its log tells")
        beside = read_card_snapshot(played, chains[card_id])
        if beside is not None and beside != (turns, folded):
            yield Damage(f"Card {card_id}", BESIDE)
    for card_id in kept:
        yield Damage(f"Card {card_id}", "it has turns and no log")


def _check_tables(contest: Contest) -> Iterator[Damage]:
    seated: dict[UUID, list[UUID]] = {}
    for seat in Seat.objects.filter(contest=contest).order_by("card_id", "index"):
        holder = seat.bike_id or seat.player_id
        assert holder is not None, "the database holds a seat to one of both"
        seated.setdefault(seat.card_id, []).append(holder)
    chains = Chain.objects.filter(card__contest=contest).in_bulk()
    for table in fold_tables(get_played_contest(contest.pk)):
        if table.log.damaged_from is not None:
            yield Damage(f"Card {table.id}", "its log cannot be folded")
            del seated[table.id]
            continue
        beside = read_table_snapshot(table.contest, chains[table.id])
        if beside is not None and (beside.seats, beside.state) != (table.seats, table.state):
            yield Damage(f"Card {table.id}", BESIDE)
        if seated.pop(table.id, []) != [holder.pk for holder in table.holders]:
            yield Damage(f"Card {table.id}", "its seats are not those that its log tells")
        if table.fold.standoff is not None:
            yield Damage(f"Card {table.id}", f"action {table.fold.played + 1} of its log cannot be played")
    for card_id in seated:
        yield Damage(f"Card {card_id}", "it has seats and no log")


def _check_status(contest: Contest) -> Iterator[Damage]:
    last = Entry.objects.filter(chain_id=contest.pk, kind__in=STATUS_AFTER).order_by("seq").last()
    told = Contest.Status.OPEN if last is None else STATUS_AFTER[last.kind]
    if contest.status != told:
        yield Damage(f"Contest {contest.pk}", f"it is {contest.status}, and its log says {told}")


def _check_revision(contest: Contest, revision: Revision) -> Iterator[Damage]:
    name = f"Revision {revision.number} of {contest.slug}"
    if sha256(canonical_json(revision.chains)) != revision.event_head:
        yield Damage(name, "the event's head does not fit the heads it kept")
    for chain_id, length, head in revision.chains:
        if length and not Entry.objects.filter(chain_id=chain_id, seq=length, hash=head).exists():
            yield Damage(name, f"chain {chain_id} no longer has entry {length} with the head it kept")
    lengths = {UUID(chain_id): length for chain_id, length, _ in revision.chains}
    try:
        figures = _list_figures(fold_report_at(contest, lengths).to_data())
    except UNREADABLE:
        yield Damage(name, "the log it was folded from cannot be folded any more")
        return
    if figures != _list_figures(revision.standings):
        yield Damage(name, "its figures are not those that the log tells")


def _list_figures(report: Mapping[str, Any]) -> list[Any]:
    """Return what must never differ. Numbers of bikes and names of stops may be corrected later."""
    # Level rows stand in the order of their numbers, so they are compared in the order of their holders.
    rows = sorted(report["rows"], key=lambda row: str(row["holder"]))
    cards = sorted(report["cards"], key=lambda card: (str(card["holder"]), str(card["card"])))
    return [_without([rows, cards], {"number", "stop"}), report["stale_cuts"]]


def _without(data: Any, names: set[str]) -> Any:
    if isinstance(data, Mapping):
        return {name: _without(value, names) for name, value in data.items() if name not in names}
    return [_without(part, names) for part in data] if isinstance(data, list) else data
