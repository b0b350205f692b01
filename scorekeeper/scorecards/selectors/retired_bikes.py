"""Bikes that have retired from a contest, according to the logs of their cards."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from django.db.models import QuerySet

from scorekeeper.ledger.chain_entries import split_by_chain
from scorekeeper.ledger.models import Entry
from scorekeeper.scorecards.fold import Turns, list_log_steps

# A merge of bikes moves a retirement to the other card. A correction may void it or restore it, later in the same log.
RETIREMENT_KINDS = ("retire", "moved_in")


def list_retirement_entries() -> QuerySet[Entry]:
    """Return the entries of all cards that brought a retirement there; it may have been voided since."""
    return Entry.objects.filter(kind__in=RETIREMENT_KINDS, slot=None).order_by()


def find_retired_bikes(bikes: Mapping[UUID, UUID]) -> Collection[UUID]:
    """Return which of these bikes have retired, with one query. Only the logs with a retirement are read.

    Args:
        bikes: by the ids of their cards, which belong to one contest.
    """
    cards = list_retirement_entries().filter(chain__in=bikes).values("chain")
    entries = Entry.objects.filter(chain__in=cards).order_by("chain_id", "seq")
    return {bikes[card] for card, log in split_by_chain(entries) if _has_retired(log)}


def _has_retired(log: Sequence[Entry]) -> bool:
    turns: Turns = {}
    for step in list_log_steps(log):
        turns = step.after
    return any(turn.slot_id is None for turn in turns.values())
