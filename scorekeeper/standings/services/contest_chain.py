"""What closing, cutting, publishing and reopening share: locking the contest's row, then its chain.

While the contest's row is locked, its status and its set of cards cannot change. Turns can still be recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import Chain
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import NotAllowed, RecordingError


class WrongContestStatus(RecordingError):
    """This cannot be done in the contest's status. Someone else may have changed it first.

    Attributes:
        status: the current status of the contest.
    """

    def __init__(self, status: str):
        super().__init__(status)
        self.status = status


class NothingToTakeBack(RecordingError):
    """Nothing that the closing recorded as missed is still as it recorded it."""


class InvalidCut(RecordingError):
    """The cut does not fit the tied groups.

    Attributes:
        problems: the rules that it breaks, as data.
    """

    def __init__(self, problems: Sequence[Mapping[str, Any]]):
        super().__init__(problems)
        self.problems = tuple(problems)


class WitnessRequired(RecordingError):
    """A cut needs the name of a person who watched it."""


class ChecklistIncomplete(RecordingError):
    """Something is left to do before the contest can be published without a reason."""


def lock_contest(context: OperationContext, contest_id: UUID, *statuses: str) -> tuple[Contest, Chain]:
    """Lock a contest of the organiser's event, and its chain.

    Args:
        statuses: those in which the operation is possible.

    Raises:
        NotAllowed: the contest belongs to another event.
        WrongContestStatus: the contest is in another status.
    """
    # Rows that only reference the contest can still be written: recording a turn must not wait for this lock.
    contests = Contest.objects.select_for_update(no_key=True)
    contest = contests.filter(pk=contest_id, event_id=context.actor.event_id).first()
    if contest is None:
        raise NotAllowed(contest_id)
    if contest.status not in statuses:
        raise WrongContestStatus(contest.status)
    return contest, context.lock_or_create_chain(contest_id, Chain.Kind.CONTEST)


def set_contest_status(context: OperationContext, contest: Contest, status: Contest.Status) -> None:
    """Set the contest's status to what its log says."""

    def save() -> None:
        contest.status = status
        contest.save(update_fields=["status"])

    context.after_insert(save)
