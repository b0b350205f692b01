"""What closing, cutting, publishing and reopening share: the contest's row and chain, locked in this order.

Whoever holds the contest's row keeps its status and its set of cards as they are; noting turns goes on meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.scorecards.models import Chain
from scorekeeper.scorecards.services.operation_context import OperationContext
from scorekeeper.scorecards.services.recording import NotAllowed, RecordingError


class WrongContestStatus(RecordingError):
    """The contest is not in a status in which this can be done; somebody else may have been faster.

    Attributes:
        status: the one it is in.
    """

    def __init__(self, status: str):
        super().__init__(status)
        self.status = status


class InvalidCut(RecordingError):
    """The cut does not fit the level groups.

    Attributes:
        problems: what the rules say against it, as data.
    """

    def __init__(self, problems: Sequence[Mapping[str, Any]]):
        super().__init__(problems)
        self.problems = tuple(problems)


class ChecklistIncomplete(RecordingError):
    """Something is left to do before the contest can be published without a reason."""


def lock_contest(book: OperationContext, contest_id: UUID, *statuses: str) -> tuple[Contest, Chain]:
    """Lock a contest of the organiser's event, and its chain.

    Args:
        statuses: those in which the operation makes sense.

    Raises:
        NotYours: it is of another event.
        WrongStatus: it is in another status.
    """
    # Rows that only point to the contest may be written meanwhile: noting a turn must not wait for this.
    contests = Contest.objects.select_for_update(no_key=True)
    contest = contests.filter(pk=contest_id, event_id=book.actor.event_id).first()
    if contest is None:
        raise NotAllowed(contest_id)
    if contest.status not in statuses:
        raise WrongContestStatus(contest.status)
    return contest, book.lock_or_create_chain(contest_id, Chain.Kind.CONTEST)


def set_contest_status(book: OperationContext, contest: Contest, status: Contest.Status) -> None:
    """Have the contest's status follow its log."""

    def save() -> None:
        contest.status = status
        contest.save(update_fields=["status"])

    book.after_insert(save)
