"""The book: the chains an operation touches, locked, and the entries it writes to them.

A book is opened inside the transaction of one operation. Handlers read the locked chains and `append` to them; nothing
reaches the database before `write`, which puts the operation, its entries, the chains' new heads and everything that
follows from them down together.
"""

from __future__ import annotations

import datetime as dt
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from games.core.problems import Problem
from scorekeeper.common.dispatch import after_commit
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.canonical import canonical_json, sha256
from scorekeeper.scorecards.models import Chain, Entry, Note, Operation, Outdated, ReviewItem
from scorekeeper.scorecards.receipts import Receipt, list_problem_data
from scorekeeper.scorecards.sent import get_digest, without_words

LOG_VERSION = 1


class Book:
    """The log as one operation sees it.

    Attributes:
        now: the server's time, the same for everything the operation writes.
        note: the reason given with the operation; only a salted digest of it enters the chain.
    """

    def __init__(self, operation_id: UUID, kind: str, actor: Actor, body: Mapping[str, Any], note: str = ""):
        self.operation_id = operation_id
        self.kind = kind
        self.actor = actor
        self.body = body
        self.note = note.strip()
        self.now: dt.datetime = timezone.now()
        self._salt = secrets.token_hex(16)
        self._chains: dict[UUID, Chain] = {}
        self._entries: list[Entry] = []
        self._outdated: list[Outdated] = []
        self._review: ReviewItem | None = None
        self._then: list[Any] = []

    def lock(self, ids: Iterable[UUID]) -> dict[UUID, Chain]:
        """Lock those of the chains that exist, in the order of their ids, and return them by id."""
        locked: QuerySet[Chain] = Chain.objects.select_for_update().filter(pk__in=set(ids)).order_by("pk")
        self._chains.update({chain.pk: chain for chain in locked})
        return self._chains

    def lock_or_start(self, chain_id: UUID, kind: Chain.Kind) -> Chain:
        """Lock the chain of a contest or an event, and start it when there is none."""
        if chain_id not in self.lock([chain_id]):
            fresh = Chain(id=chain_id, event_id=self.actor.event_id, kind=kind)
            Chain.objects.bulk_create([fresh], ignore_conflicts=True)
            self.lock([chain_id])
        return self._chains[chain_id]

    def adopt(self, chain: Chain) -> None:
        """Take in a chain that was locked by a query of the caller's own."""
        self._chains[chain.pk] = chain

    def get(self, chain_id: UUID) -> Chain:
        """Return a chain that was locked before."""
        return self._chains[chain_id]

    def append(
        self,
        chain: Chain,
        kind: str,
        *,
        actions: Sequence[Mapping[str, Any]] = (),
        slot_id: UUID | None = None,
        dice_set_id: UUID | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> Entry:
        """Put an entry at the end of a locked chain and return it.

        Args:
            kind: what the entry does: record, amend, settle, close …
            actions: what a rule book defines, as in a transcript.
            data: what else the kind needs, as plain data with whole numbers only.
        """
        assert chain.pk in self._chains, "a chain is written to only while it is locked"
        at = self.now.astimezone(dt.UTC)
        body = canonical_json(
            {
                "v": LOG_VERSION,
                "chain": str(chain.pk),
                "seq": chain.length + 1,
                "prev": chain.head,
                "op": str(self.operation_id),
                "kind": kind,
                "actions": [dict(action) for action in actions],
                "slot": None if slot_id is None else str(slot_id),
                "dice_set": None if dice_set_id is None else str(dice_set_id),
                "actor": str(self.actor.id),
                "device": None if self.actor.device_id is None else str(self.actor.device_id),
                "at": at.isoformat(timespec="microseconds"),
                "note": note_digest(self._salt, self.note) if self.note else None,
                "data": dict(data or {}),
            }
        )
        entry = Entry(
            chain=chain,
            seq=chain.length + 1,
            operation_id=self.operation_id,
            kind=kind,
            slot_id=slot_id,
            body=body,
            hash=sha256(body),
            at=self.now,
        )
        chain.length, chain.head = entry.seq, entry.hash
        self._entries.append(entry)
        return entry

    def outdate(self, contest_id: UUID, card_id: UUID | None = None) -> None:
        """Note that the standings of a card, or of a whole contest, have to follow."""
        self._outdated.append(Outdated(contest_id=contest_id, card_id=card_id))

    def keep_for_review(
        self,
        reason: ReviewItem.Reason,
        contest_id: UUID,
        *,
        card_id: UUID | None = None,
        slot_id: UUID | None = None,
        against: Iterable[UUID] = (),
        problems: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """Put the operation before the organiser instead of into a chain."""
        self._review = ReviewItem(
            operation_id=self.operation_id,
            contest_id=contest_id,
            card_id=card_id,
            slot_id=slot_id,
            reason=reason,
            against=[str(turn) for turn in against],
            problems=[dict(problem) for problem in problems],
            opened_at=self.now,
        )

    def afterwards(self, project: Any) -> None:
        """Have a projection updated once the entries are written, in the same transaction."""
        self._then.append(project)

    def write(
        self,
        outcome: Operation.Outcome,
        problems: Sequence[Problem | Mapping[str, Any]] = (),
        data: Mapping[str, Any] | None = None,
    ) -> Receipt:
        """Put everything down and return the receipt."""
        written = [{"chain": str(e.chain_id), "seq": e.seq, "hash": e.hash} for e in self._entries]
        receipt = Receipt(
            self.operation_id,
            outcome,
            tuple(written),
            None if self._review is None else self._review.pk,
            tuple(_as_data(problem) for problem in problems),
            data,
        )
        Operation.objects.create(
            id=self.operation_id,
            event_id=self.actor.event_id,
            kind=self.kind,
            actor_id=self.actor.id,
            device_id=self.actor.device_id,
            digest=get_digest(self.kind, self.actor.id, self.body),
            body=without_words(self.body),
            outcome=outcome,
            receipt=receipt.to_data(),
            received_at=self.now,
        )
        self._write_chains()
        if self.note:
            Note.objects.create(operation_id=self.operation_id, salt=self._salt, text=self.note)
        if self._review is not None:
            self._review.save(force_insert=True)
        for project in self._then:
            project()
        self._write_outdated()
        return receipt

    def _write_chains(self) -> None:
        if not self._entries:
            return
        Entry.objects.bulk_create(self._entries)
        grown = {entry.chain_id: entry.chain for entry in self._entries}
        if len(grown) == 1:
            (chain,) = grown.values()
            chain.save(update_fields=["length", "head", "is_sealed"])
        else:
            Chain.objects.bulk_update(grown.values(), ["length", "head", "is_sealed"])

    def _write_outdated(self) -> None:
        if not self._outdated:
            return
        Outdated.objects.bulk_create(self._outdated)
        for contest_id in {row.contest_id for row in self._outdated}:
            after_commit("standings.follow", contest_id=str(contest_id))


def note_digest(salt: str, text: str) -> str:
    """Return what stands in a chain for a reason: it can be checked while the words are kept, and says nothing else."""
    return sha256(salt + text)


def _as_data(problem: Problem | Mapping[str, Any]) -> Mapping[str, Any]:
    return list_problem_data([problem])[0] if isinstance(problem, Problem) else problem


def entry_body(entry: Entry) -> dict[str, Any]:
    """Return what an entry says, as plain data."""
    body: dict[str, Any] = json.loads(entry.body)
    return body
