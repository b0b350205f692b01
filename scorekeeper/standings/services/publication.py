"""Publishing: freezing the standings of a closed contest as its next official revision.

The contest's row and all its chains are locked while the log is folded, so the report is one consistent picture
whichever database keeps it. The entry is written first, and the event's head that the revision keeps includes it.
"""

from __future__ import annotations

from uuid import UUID

from django.db.models import Max

from scorekeeper.events.models import Contest
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.canonical import canonical_json, sha256
from scorekeeper.scorecards.models import Chain, Operation, Scorecard
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.operation_context import OperationContext
from scorekeeper.scorecards.services.recording import OperationResult, record
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.checklist import get_checklist
from scorekeeper.standings.selectors.revisions import compute_standings_digest, get_last_revision, has_log_grown
from scorekeeper.standings.services.contest_chain import (
    ChecklistIncomplete,
    WrongContestStatus,
    lock_contest,
    set_contest_status,
)

ChainHeads = list[tuple[str, int, str]]


def publish_contest(actor: Actor, operation_id: UUID, contest_id: UUID, reason: str = "") -> Receipt:
    """Publish the next revision of a contest; the receipt's data say its number.

    Args:
        reason: needed while conflicts, missing turns, notes on phones or ties at places that matter are left.

    Raises:
        Unsettled: something is left, and there is no reason.
        WrongStatus: the contest is open, or nothing has changed since the last revision.
        NotYours, OtherBody: as for every operation.
    """

    def handle(book: OperationContext) -> OperationResult:
        contest, chain = lock_contest(book, contest_id, Contest.Status.CLOSED, Contest.Status.OFFICIAL)
        last = get_last_revision(contest)
        if contest.status == Contest.Status.OFFICIAL and last is not None and not has_log_grown(last):
            raise WrongContestStatus(contest.status)
        cards = book.lock_chains(Scorecard.objects.filter(contest_id=contest_id).values_list("pk", flat=True))
        checklist = get_checklist(contest)
        if not checklist.is_complete and not reason.strip():
            raise ChecklistIncomplete
        number = (contest.revisions.aggregate(last=Max("number"))["last"] or 0) + 1
        standings = checklist.report.to_data()
        book.append(chain, "publish", data={"revision": number, "standings": compute_standings_digest(standings)})
        chains = list_chain_heads(contest.event_id, {**cards, chain.pk: chain})
        own = sum(locked.length for locked in {**cards, chain.pk: chain}.values())
        revision = Revision(
            contest=contest,
            number=number,
            published_at=book.now,
            published_by=actor.id,
            operation_id=book.operation_id,
            event_head=compute_event_head(chains),
            chains=chains,
            log_length=own,
            standings=standings,
        )
        book.after_insert(lambda: revision.save(force_insert=True))
        set_contest_status(book, contest, Contest.Status.OFFICIAL)
        book.mark_stale(contest_id)
        return OperationResult(Operation.Outcome.RECORDED, data={"revision": number, "event_head": revision.event_head})

    return record(operation_id, "publish", actor, {"contest": str(contest_id), "reason": reason}, handle, reason)


def list_chain_heads(event_id: UUID, locked: dict[UUID, Chain]) -> ChainHeads:
    """Return id, length and head of every chain of the event, by id; those locked as they are about to be."""
    others = Chain.objects.filter(event_id=event_id).exclude(pk__in=locked)
    return sorted((str(chain.pk), chain.length, chain.head) for chain in [*others, *locked.values()])


def compute_event_head(chains: ChainHeads) -> str:
    """Return the event's head: one hash over the state of all its chains."""
    return sha256(canonical_json(chains))
