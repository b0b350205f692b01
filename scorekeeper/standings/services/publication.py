"""Publishing: freezing the standings of a closed contest as its next official revision.

- The contest's row and all its chains are locked while the log is folded, so the report is a consistent snapshot on
  every database.
- The entry is written first, so the event's head that the revision stores includes it.
"""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.db.models import Max

from scorekeeper.events.group_setting import get_group_setting
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Operation
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import OperationResult, record
from scorekeeper.scorecards.models import Scorecard
from scorekeeper.standings.award_source import compute_awards_digest, make_list_entry
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.checklist import get_checklist
from scorekeeper.standings.selectors.log_head import compute_event_head, list_chain_heads
from scorekeeper.standings.selectors.revisions import compute_standings_digest, get_last_revision, has_log_grown
from scorekeeper.standings.services.contest_chain import (
    ChecklistIncomplete,
    WrongContestStatus,
    lock_contest,
    set_contest_status,
)
from scorekeeper.standings.services.luck_computation import request_luck


def publish_contest(actor: Actor, operation_id: UUID, contest_id: UUID, reason: str = "") -> Receipt:
    """Publish the next revision of a contest; the receipt's data contain its number.

    Args:
        reason: required while conflicts, missing turns, unsent entries on phones or ties for prizes are left, or cards
            that are not agreed where that is asked for.

    Raises:
        ChecklistIncomplete: something is left to do, and there is no reason.
        WrongContestStatus: the contest is open, or nothing has changed since the last revision.
        NotAllowed, IdReused: as for every operation.
    """

    def handle(context: OperationContext) -> OperationResult:
        contest, chain = lock_contest(context, contest_id, Contest.Status.CLOSED, Contest.Status.OFFICIAL)
        last = get_last_revision(contest)
        if contest.status == Contest.Status.OFFICIAL and last is not None and not has_log_grown(last):
            raise WrongContestStatus(contest.status)
        cards = context.lock_chains(Scorecard.objects.filter(contest_id=contest_id).values_list("pk", flat=True))
        checklist = get_checklist(contest)
        if not checklist.is_complete and not reason.strip():
            raise ChecklistIncomplete
        number = (contest.revisions.aggregate(last=Max("number"))["last"] or 0) + 1
        standings = checklist.report.to_data()
        digest = compute_standings_digest(standings)
        settings = {"prizes": contest.prizes, **make_list_entry(contest), **get_group_setting(contest).to_data()}
        data = {"revision": number, "standings": digest, **settings}
        if checklist.awards:
            data["awards"] = compute_awards_digest(checklist.awards)
        context.append(chain, "publish", data=data)
        chains = list_chain_heads(contest.event_id, {**cards, chain.pk: chain})
        log_length = sum(locked.length for locked in {**cards, chain.pk: chain}.values())
        revision = Revision(
            contest=contest,
            number=number,
            published_at=context.now,
            published_by=actor.id,
            operation_id=context.operation_id,
            event_head=compute_event_head(chains),
            chains=chains,
            log_length=log_length,
            standings=standings,
            awards=list(checklist.awards) or None,
        )
        context.after_insert(lambda: revision.save(force_insert=True))
        set_contest_status(context, contest, Contest.Status.OFFICIAL)
        context.mark_stale(contest_id)
        context.after_insert(partial(request_luck, contest_id))
        return OperationResult(Operation.Outcome.RECORDED, data={"revision": number, "event_head": revision.event_head})

    return record(operation_id, "publish", actor, {"contest": str(contest_id), "reason": reason}, handle, reason)
