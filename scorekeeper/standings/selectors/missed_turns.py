"""What each closing of a contest recorded as missed and is still there, for the pages that offer to take it back."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import Chain, Entry
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.scorecards.card_kinds import MissedTurn, get_kind
from scorekeeper.scorecards.contest_rules import get_contest_rules


@dataclass(frozen=True)
class ClosingMisses:
    """What one closing recorded as missed.

    Attributes:
        closing_id: the operation that closed the contest.
        at: when that was.
        reason: why it was closed; "" if the reason was erased.
        untouched: the turns that can be taken back.
        left: the turns that somebody has done something with since, so they are left as they are.
    """

    closing_id: UUID
    at: dt.datetime
    reason: str
    untouched: tuple[MissedTurn, ...]
    left: tuple[MissedTurn, ...]

    @property
    def bike_count(self) -> int:
        """How many bikes have turns that can be taken back."""
        return len({turn.bike.pk for turn in self.untouched})


def list_closing_misses(contest: Contest) -> list[ClosingMisses]:
    """Return what closings of a contest recorded and is still there, the last closing first."""
    filled = get_kind(contest.game).list_missed_turns(get_contest_rules(contest.pk))
    if not filled:
        return []
    closings = Entry.objects.filter(
        chain_id=contest.pk, kind="close", operation_id__in={turn.closing_id for turn in filled}
    )
    fills = []
    for closing in closings.select_related("operation__reason").order_by("-seq"):
        turns = [turn for turn in filled if turn.closing_id == closing.operation_id]
        reason = getattr(closing.operation, "reason", None)
        fills.append(
            ClosingMisses(
                closing.operation_id,
                closing.at,
                "" if reason is None else reason.text,
                tuple(turn for turn in turns if not turn.why),
                tuple(turn for turn in turns if turn.why),
            )
        )
    return fills


def get_last_closing_id(contest: Contest) -> UUID | None:
    """Return the operation that closed a contest last; None if it never was closed."""
    closings = Entry.objects.filter(chain_id=contest.pk, kind="close").order_by("-seq")
    return closings.values_list("operation_id", flat=True).first()


def count_cleared_turns(receipt: Receipt) -> int:
    """Return how many turns an operation has taken back, by its receipt."""
    entries = Entry.objects.filter(operation_id=receipt.operation_id, kind="clear_missed", chain__kind=Chain.Kind.CARD)
    return sum(len(json.loads(entry.body)["data"]["changes"]) for entry in entries)
