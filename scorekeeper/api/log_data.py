"""Log entries, revisions and entries under review as plain data. For organisers only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.ledger.problem_messages import explain
from scorekeeper.scorecards.review_presenter import ReviewSide
from scorekeeper.scorecards.selectors.log_entries import LogEntry, format_log_time
from scorekeeper.scorecards.selectors.review_items import present_review_items
from scorekeeper.standings.selectors.revision_history import RevisionInfo

Data = dict[str, Any]


def make_entry_data(found: LogEntry) -> Data:
    """Return an entry of the log."""
    entry = found.entry
    return {
        "at": format_log_time(entry),
        "chain": str(entry.chain_id),
        "chain_name": found.chain_name,
        "seq": entry.seq,
        "kind": entry.kind,
        "by": found.actor_name,
        "slot": None if entry.slot_id is None else str(entry.slot_id),
        "actions": found.actions,
        "data": found.data,
        "reason": found.reason,
        "witness": found.witness,
        "operation": str(entry.operation_id),
        "hash": entry.hash,
        "damaged": found.damaged or None,
    }


def make_revision_data(contest: Contest, revision: RevisionInfo) -> Data:
    """Return an official result, without its figures."""
    return {
        "number": revision.number,
        "published_at": revision.published_at.isoformat(),
        "published_by": revision.published_by,
        "is_current": revision.is_last and contest.status == Contest.Status.OFFICIAL,
        "log_length": revision.log_length,
        "event_head": revision.event_head,
    }


def make_review_data(event: Event, items: Sequence[ReviewItem]) -> list[Data]:
    """Return entries under review, with both sides while they are open."""
    names = list_actor_names(event, {item.operation.actor_id for item in items})
    open_items = [item for item in items if item.settled_at is None]
    sides = {presenter.item.pk: presenter for presenter in present_review_items(event, open_items)}
    data = []
    for item in items:
        presenter = sides.get(item.pk)
        data.append(
            {
                **_make_item_data(item, names),
                "current": [] if presenter is None else list(map(_make_side_data, presenter.current)),
                "under_review": [] if presenter is None else list(map(_make_side_data, presenter.under_review)),
            }
        )
    return data


def make_problem_data(game_key: str, problem: Mapping[str, Any]) -> Data:
    """Return a stored problem in words, with the clause that it cites."""
    return {
        "code": problem["code"],
        "clause": problem["rule"] or None,
        "field": problem.get("field"),
        "detail": explain(game_key, problem).text,
    }


def _make_item_data(item: ReviewItem, names: Mapping[UUID, str]) -> Data:
    operation = item.operation
    return {
        "id": str(item.pk),
        "contest": item.contest.slug,
        "card": None if item.card_id is None else str(item.card_id),
        "slot": None if item.slot_id is None else str(item.slot_id),
        "reason": item.reason,
        "problems": [make_problem_data(item.contest.game_key, problem) for problem in item.problems],
        "opened_at": item.opened_at.isoformat(),
        "settled_at": None if item.settled_at is None else item.settled_at.isoformat(),
        "decision": item.decision or None,
        "operation": {
            "id": str(operation.pk),
            "kind": operation.kind,
            "by": names.get(operation.actor_id, ""),
            "received_at": operation.received_at.isoformat(),
        },
    }


def _make_side_data(side: ReviewSide) -> Data:
    return {
        "description": side.description,
        "dice": list(side.dice),
        "by": side.actor_name,
        "at": None if side.recorded_at is None else side.recorded_at.isoformat(),
    }
