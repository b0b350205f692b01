"""Marking a bike that did not start, and taking the mark back: an entry in the event's chain."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.services import update_sheets
from scorekeeper.check_in.access import lock_bike_to_check
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Operation
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import MERGED, RECORDED, OperationResult, record
from scorekeeper.scorecards.selectors.non_starters import has_turns


def mark_did_not_start(actor: Actor, operation_id: UUID, bike_id: UUID, *, value: bool, reason: str = "") -> Receipt:
    """Mark a bike that did not start, or with `value` false, take the mark back.

    If the bike already is as wanted, nothing happens (the outcome is "merged"). The same is true if it has a turn: then
    it has started, and the receipt's data says `has_turns`.

    Raises:
        UnknownTarget: there is no such bike yet.
        BikeWithdrawn: the bike's registration was undone.
        NotAllowed: the actor is neither a road captain nor an organiser, or the phone was revoked or has expired.
        IdReused: the id was used for something else.
    """
    body = {"bike": str(bike_id), "value": value, "reason": reason}

    def handle(context: OperationContext) -> OperationResult:
        chain = context.lock_or_create_chain(actor.event_id, Chain.Kind.EVENT)
        bike = lock_bike_to_check(actor, bike_id)
        if bike.did_not_start == value:
            return MERGED
        # A turn that another transaction is just recording is not seen, which does no harm: it outweighs the mark.
        if value and has_turns(bike):
            return OperationResult(Operation.Outcome.MERGED, data={"has_turns": True})
        context.append(chain, "did_not_start", data={"bike": str(bike.pk), "value": value})
        bike.did_not_start = value
        open_contests = Contest.objects.filter(event_id=actor.event_id, status=Contest.Status.OPEN)
        for contest_id in open_contests.values_list("pk", flat=True):
            context.mark_stale(contest_id)  # leaderboards say whether the bike takes part
        context.after_insert(partial(_save_mark, bike))
        return RECORDED

    return record(operation_id, "did_not_start", actor, body, handle, reason)


def _save_mark(bike: Bike) -> None:
    bike.save(update_fields=["did_not_start"])
    update_sheets(bike)
