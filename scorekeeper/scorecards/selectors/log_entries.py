"""The log of a contest with names: who recorded what, when and why. For organisers only.

An export reads all of it, and the API a page at a time.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.ledger.models import CutWitness, Entry, OperationReason
from scorekeeper.scorecards.fold import ENTRY_READ_ERRORS
from scorekeeper.scorecards.models import Seat

BATCH_SIZE = 500  # entries read at a time


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An entry with what it says.

    Attributes:
        chain_name: what the chain is of: a card by its entrants, the contest, or the event.
        actor_name: who recorded it; "" for someone whose name was erased, and for a damaged entry.
        data: what else the entry says, by its kind.
        damaged: the body of an entry that cannot be read; "" for every other.
    """

    entry: Entry
    chain_name: str
    actor_name: str
    actions: Any
    data: Any
    reason: str
    witness: str
    damaged: str = ""


def select_log_entries(contest: Contest) -> QuerySet[Entry]:
    """Return the entries of the contest, its cards and the event, in the order of writing, each with its stop."""
    chains = Q(chain__card__contest=contest) | Q(chain_id=contest.pk) | Q(chain_id=contest.event_id)
    return Entry.objects.filter(chains).order_by("at", "chain_id", "seq").select_related("slot__stop")


def list_log_entries(contest: Contest) -> Iterator[LogEntry]:
    """Return the whole log, read in parts."""
    names = _LogNames.read(contest)
    for entry in select_log_entries(contest).iterator(chunk_size=BATCH_SIZE):
        yield names.describe(entry)


def describe_log_entries(contest: Contest, entries: Collection[Entry]) -> list[LogEntry]:
    """Return some entries of the log, in a fixed number of statements."""
    names = _LogNames.read(contest, [entry.operation_id for entry in entries])
    return [names.describe(entry) for entry in entries]


@dataclass(frozen=True, slots=True)
class _LogNames:
    """The names in a log: of chains and people by their ids; reasons and witnesses by their operations."""

    chains: Mapping[UUID, str]
    actors: Mapping[UUID, str]
    reasons: Mapping[UUID, str]
    witnesses: Mapping[UUID, str]

    @classmethod
    def read(cls, contest: Contest, operation_ids: Collection[UUID] | None = None) -> _LogNames:
        """Read them for some operations of the event; None for all."""
        event = contest.event
        operations = event.operations.order_by()
        if operation_ids is not None:
            operations = operations.filter(pk__in=operation_ids)
        return cls(
            {contest.pk: _("Contest"), contest.event_id: _("Event"), **_name_cards(contest)},
            list_actor_names(event, set(operations.values_list("actor_id", flat=True).distinct())),
            dict(OperationReason.objects.filter(operation__in=operations).values_list("pk", "text")),
            dict(CutWitness.objects.filter(operation__in=operations).values_list("pk", "name")),
        )

    def describe(self, entry: Entry) -> LogEntry:
        """Return an entry with its names."""
        chain = self.chains.get(entry.chain_id, _("Withdrawn scorecard"))
        texts = (self.reasons.get(entry.operation_id, ""), self.witnesses.get(entry.operation_id, ""))
        try:
            body = json.loads(entry.body)
            actor = self.actors.get(UUID(body["actor"]), "")
            return LogEntry(entry, chain, actor, body["actions"], body["data"], *texts)
        except ENTRY_READ_ERRORS:
            return LogEntry(entry, chain, "", [], {}, *texts, damaged=entry.body)


def format_log_time(entry: Entry) -> str:
    """Return when the server wrote an entry, for programs."""
    return entry.at.astimezone(dt.UTC).isoformat(timespec="microseconds")


def _name_cards(contest: Contest) -> Mapping[UUID, str]:
    """Return a name for each card, made of the entrants of its seats. A withdrawn card has none."""
    seats = Seat.objects.filter(contest=contest).order_by("card_id", "index").select_related("bike", "player")
    seated: dict[UUID, list[str]] = {}
    for seat in seats:
        name = str(seat.player) if seat.bike is None else _("Bike %(number)s") % {"number": seat.bike}
        seated.setdefault(seat.card_id, []).append(name)
    return {card: ", ".join(names) for card, names in seated.items()}
