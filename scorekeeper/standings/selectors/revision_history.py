"""All official revisions of a contest, also replaced ones, and what differs between them. For organisers.

`audience.visible_standings` says which of them the audience may open.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.players.selectors import get_full_names
from scorekeeper.standings.award_source import AWARD_SOURCES, AwardData, AwardWords
from scorekeeper.standings.contest_report import ContestReport
from scorekeeper.standings.leaderboard import Leaderboard
from scorekeeper.standings.models import Revision
from scorekeeper.standings.revision_changes import ResultChangePresenter, present_changes, present_prize_changes
from scorekeeper.standings.selectors.checklist import Checklist, get_checklist
from scorekeeper.standings.selectors.leaderboard import make_revision_board
from scorekeeper.standings.selectors.revisions import (
    get_frozen_report,
    get_last_revision,
    has_log_grown,
    list_revisions,
)

MAX_CHANGES = 4  # that the overview lists


class RevisionInfo(NamedTuple):
    """A revision without its figures.

    Attributes:
        is_current: whether it is the contest's official result now.
        reason: why it was published before everything was decided, if a reason was given.
    """

    number: int
    published_at: dt.datetime
    published_by: str
    log_length: int
    event_head: str
    is_current: bool
    reason: str = ""


def list_revision_history(contest: Contest) -> list[RevisionInfo]:
    """Return the revisions of a contest, the last one first, in a fixed number of statements."""
    columns = ("number", "published_at", "published_by", "log_length", "event_head", "operation__reason__text")
    is_official = contest.status == Contest.Status.OFFICIAL
    rows = list(list_revisions(contest).values_list(*columns))
    names = list_actor_names(contest.event, {publisher for _number, _at, publisher, *_rest in rows})
    return [
        RevisionInfo(number, at, names.get(publisher, ""), length, head, is_official and not index, reason or "")
        for index, (number, at, publisher, length, head, reason) in enumerate(rows)
    ]


def get_revision_report(contest: Contest, number: int) -> tuple[Leaderboard, ContestReport] | None:
    """Return what a revision froze; None if there is no such revision."""
    revision = list_revisions(contest).filter(number=number).first()
    if revision is None:
        return None
    report = get_frozen_report(revision)
    return make_revision_board(contest, revision, report), report


def list_revision_prizes(contest: Contest, number: int, people: Mapping[UUID, str]) -> Sequence[AwardWords]:
    """Return the prizes that a revision froze, the first place first.

    Args:
        people: the names of each bike and player, as the reader may see them.
    """
    source = AWARD_SOURCES.only
    awards = contest.revisions.filter(number=number).values_list("awards", flat=True).first()
    return source.describe(contest, awards, people) if source and awards else ()


def list_revision_changes(
    contest: Contest, number: int, report: ContestReport, people: Mapping[UUID, str]
) -> list[ResultChangePresenter] | None:
    """Return what a revision changed, compared with the one before; None for the first.

    Args:
        report: what the revision froze.
        people: the names of each bike and player.
    """
    before = contest.revisions.filter(number=number - 1).first()
    if before is None:
        return None
    awards = contest.revisions.filter(number=number).values_list("awards", flat=True).first()
    return _present(contest, before, report, awards, people)


def list_pending_changes(
    contest: Contest, checklist: Checklist, people: Mapping[UUID, str]
) -> list[ResultChangePresenter] | None:
    """Return what the next revision would change; None if there is none yet, or nothing was recorded since.

    Args:
        checklist: has the current standings and prizes, which it would freeze.
        people: the names of each bike and player.
    """
    last = get_last_revision(contest)
    if last is None or not has_log_grown(last):
        return None
    return _present(contest, last, checklist.report, checklist.awards, people)


def _present(
    contest: Contest,
    before: Revision,
    report: ContestReport,
    awards: Sequence[AwardData] | None,
    people: Mapping[UUID, str],
) -> list[ResultChangePresenter]:
    return [
        *present_changes(contest, get_frozen_report(before), report, people),
        *present_prize_changes(contest, before.awards or (), awards or (), people),
    ]


class ReadyRevision(NamedTuple):
    """A revision that can be published: something was recorded since the last one, and the contest is still official.

    Attributes:
        first_changes: what it changes, for the first few entrants and prizes.
        rest: how many more there are.
    """

    contest: Contest
    number: int
    first_changes: list[ResultChangePresenter]
    rest: int

    @property
    def published(self) -> int:
        """The number of the revision that is official."""
        return self.number - 1


def list_ready_revisions(event: Event) -> list[ReadyRevision]:
    """Return the revisions of an event that are ready to be published, with full names."""
    ready: list[ReadyRevision] = []
    for contest in list_contests(event).filter(status=Contest.Status.OFFICIAL).select_related("event"):
        last = get_last_revision(contest)
        if last is not None and has_log_grown(last):
            changes = list_pending_changes(contest, get_checklist(contest), get_full_names(event, contest)) or []
            first, rest = changes[:MAX_CHANGES], len(changes[MAX_CHANGES:])
            ready.append(ReadyRevision(contest, last.number + 1, first, rest))
    return ready
