"""The organiser's decisions about prizes: who of the tied gets one, and who gets a prize that is given by hand.

- A decision is an entry of the kind "award" in the contest's chain, with a reason. The last one about a prize counts.
- A decision about a tie names everyone who was tied, and counts only while exactly they are tied, as a cut does.
- Ties for a place are not decided here where the game cuts cards: then the leaderboard has to say the same.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.events.services.events import EventArchived
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import (
    RECORDED,
    NotAllowed,
    OperationResult,
    RecordingError,
    check_reason,
    record,
)
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.selectors.awards import compute_current_awards, list_possible_winners
from scorekeeper.prizes.selectors.decisions import list_decisions
from scorekeeper.standings.services.contest_chain import lock_contest


class InvalidDecision(RecordingError):
    """The prize is not open to this decision, or no longer: others are tied for it, or it was decided otherwise."""


def decide_award(
    actor: Actor, operation_id: UUID, prize: Prize, tied: Collection[UUID], winners: Sequence[UUID], reason: str
) -> Receipt:
    """Decide who gets a prize.

    Args:
        tied: those among whom it is decided; nobody for a prize that is given by hand.
        winners: one or more of them, who share it; for a prize given by hand, nobody takes the decision back.

    Raises:
        InvalidDecision: it does not fit what the log says now.
        WrongContestStatus: the tie cannot be decided while the contest is open.
        EventArchived: the event is in the archive.
        ReasonRequired: there is no reason.
        NotAllowed, IdReused: as for every operation.
    """
    check_reason(reason)
    tied_ids, winner_ids = sorted(map(str, tied)), list(map(str, winners))
    body = {"contest": str(prize.contest_id), "prize": str(prize.pk), "tied": tied_ids, "winners": winner_ids}

    def handle(context: OperationContext) -> OperationResult:
        statuses = [Contest.Status.CLOSED, Contest.Status.OFFICIAL]
        if prize.rule == Prize.Rule.BY_HAND:
            statuses.append(Contest.Status.OPEN)
        contest, chain = lock_contest(context, prize.contest_id, *statuses)
        if not Prize.objects.filter(pk=prize.pk, contest=contest).exists():
            raise NotAllowed(prize.pk)
        _check_decision(contest, prize, tied, winners)
        if contest.event.archived_at is not None:
            raise EventArchived(contest.event_id)
        context.append(chain, "award", data={"prize": str(prize.pk), "tied": tied_ids, "winners": winner_ids})
        context.mark_stale(contest.pk)
        return RECORDED

    return record(operation_id, "award", actor, {**body, "reason": reason}, handle, reason)


def _check_decision(contest: Contest, prize: Prize, tied: Collection[UUID], winners: Sequence[UUID]) -> None:
    """Raise `InvalidDecision` unless the prize can be decided like this."""
    if len(set(winners)) != len(winners):
        raise InvalidDecision(prize.pk)
    if prize.rule == Prize.Rule.BY_HAND:
        possible = {holder for holder, _name in list_possible_winners(contest)}
        if tied or not possible.issuperset(winners) or not (winners or prize.pk in list_decisions(contest.pk)):
            raise InvalidDecision(prize.pk)
        return
    award = next(award for award in compute_current_awards(contest) if award.prize.prize_id == prize.pk)
    if not winners or not set(winners) <= set(tied) or set(tied) != {one.id for one in award.open_to}:
        raise InvalidDecision(prize.pk)
