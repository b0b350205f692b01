"""Checks of review items against their operations, and against the log entries with the decisions."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from django.db.models import Q

from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Operation, ReviewItem
from scorekeeper.ledger.services.operation_context import review_item_to_data
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.log_damage import LogDamage, damage_in, report_differences
from scorekeeper.scorecards.services.corrections import NEWER_ENTRY, SAME_BIKE
from scorekeeper.scorecards.services.review_causes import CONTEST_CLOSED, PHONE_ENDED, REVIEW_OUTCOMES
from scorekeeper.scorecards.services.turns import SLOT_TAKEN
from scorekeeper.standings.selectors.verification.event_log import EventLog, VerifiedEntry

# The possible codes of an item's first problem, by its reason; problems found by the rules are not among them.
# Older logs have moves within one bike as stale.
FIRST_PROBLEMS = {
    ReviewItem.Reason.CONFLICT: {SLOT_TAKEN["code"]},
    ReviewItem.Reason.STALE: {NEWER_ENTRY["code"], SAME_BIKE["code"]},
    ReviewItem.Reason.SAME_BIKE: {SAME_BIKE["code"]},
    ReviewItem.Reason.LATE: {CONTEST_CLOSED["code"]},
    ReviewItem.Reason.REVOKED: {PHONE_ENDED["code"]},
}
NOT_BY_RULES = frozenset().union(*FIRST_PROBLEMS.values())


def check_review_items(event: Event, log: EventLog) -> Iterator[LogDamage]:
    """Compare every review item of the event with the log, and report missing items."""
    of_event = Q(operation__event=event) | Q(contest__event=event)
    merged, seen = log.list_merged(), set()
    for item in ReviewItem.objects.filter(of_event).select_related("operation").order_by("opened_at", "pk"):
        seen.add(item.operation_id)
        yield from report_differences(f"Review item {item.pk}", _compare(item, log, merged), ReviewItem, item.pk)
    operations = Operation.objects.filter(event=event, outcome__in=REVIEW_OUTCOMES.values())
    for operation_id in sorted(
        {*operations.values_list("pk", flat=True), *log.review_entries, *log.settlements} - seen
    ):
        yield damage_in(ReviewItem, "", f"Review item of {operation_id}", "it is missing")


def _compare(item: ReviewItem, log: EventLog, merged: dict[UUID, UUID]) -> dict[str, tuple[object, object]]:
    operation, settled = item.operation, log.settlements.get(item.operation_id)
    slot = operation.body.get("slot") if operation.kind == "turn" else None
    entry = log.review_entries.get(item.operation_id)
    # The card is checked below: it changes when its bike is merged.
    described = {**review_item_to_data(item), "card": None}
    is_undone = item.reason == ReviewItem.Reason.UNDONE  # the operation was merged, and went to review only later
    outcome = Operation.Outcome.MERGED if is_undone else REVIEW_OUTCOMES.get(ReviewItem.Reason(item.reason))
    opened_at = operation.received_at if entry is None or not is_undone else entry.at
    logged = {name: value for name, value in entry.data.items() if name != "operation"} if entry else described
    return {
        "log": (entry is None and log.should_record_review(item.opened_at), False),
        "reason, contest, problems or against": (described, {**logged, "card": None}),
        "card": (item.card_id, _find_card(item, log, settled, merged)),
        "contest": (str(item.contest_id), _find_contest(item, log)),
        "slot": (None if item.slot_id is None else str(item.slot_id), slot),
        "reason": (operation.outcome, outcome),
        "problems": (item.problems, operation.receipt["problems"]),
        "first problem": (_has_first_problem_of_reason(item), True),
        "opened_at": (item.opened_at, opened_at),
        "settled_at": (item.settled_at, None if settled is None else settled.at),
        "decision": (item.decision, "" if settled is None else settled.data["decision"]),
        "settled_by": (item.settled_by_id, None if settled is None else settled.operation_id),
    }


def _has_first_problem_of_reason(item: ReviewItem) -> bool:
    code = item.problems[0]["code"] if item.problems else None
    expected = FIRST_PROBLEMS.get(ReviewItem.Reason(item.reason))
    return code not in NOT_BY_RULES if expected is None else code in expected


def _find_contest(item: ReviewItem, log: EventLog) -> str | None:
    """Return the contest of the operation: its body names the contest, or a table that was created for it."""
    body = item.operation.body
    return body["contest"] if "contest" in body else log.table_contests.get(UUID(body["card"]))


def _find_card(item: ReviewItem, log: EventLog, settled: VerifiedEntry | None, merged: dict[UUID, UUID]) -> UUID | None:
    """Return the card of the item: the card its operation is about, or the one on whose chain it was settled."""
    if settled is not None:
        return None if settled.chain_id in log.by_chain else settled.chain_id
    body = item.operation.body
    if "card" in body:
        return UUID(body["card"])
    bike = UUID(body["bike"])
    return derive_card_id(UUID(body["contest"]), merged.get(bike, bike))
