"""All official revisions of a contest, also replaced ones. For organisers: the audience sees only the last."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.standings.contest_report import ContestReport
from scorekeeper.standings.leaderboard import Leaderboard
from scorekeeper.standings.selectors.leaderboard import make_revision_board
from scorekeeper.standings.selectors.revisions import get_frozen_report, list_revisions


class RevisionInfo(NamedTuple):
    """A revision without its figures.

    Attributes:
        is_current: whether it is the result that everyone sees.
    """

    number: int
    published_at: dt.datetime
    published_by: str
    log_length: int
    event_head: str
    is_current: bool


def list_revision_history(contest: Contest) -> list[RevisionInfo]:
    """Return the revisions of a contest, the last one first, in a fixed number of statements."""
    columns = ("number", "published_at", "published_by", "log_length", "event_head")
    is_official = contest.status == Contest.Status.OFFICIAL
    rows = list(list_revisions(contest).values_list(*columns))
    names = list_actor_names(contest.event, {publisher for _number, _at, publisher, *_rest in rows})
    return [
        RevisionInfo(number, at, names.get(publisher, ""), length, head, is_official and not index)
        for index, (number, at, publisher, length, head) in enumerate(rows)
    ]


def get_revision_report(contest: Contest, number: int) -> tuple[Leaderboard, ContestReport] | None:
    """Return what a revision froze; None if there is no such revision."""
    revision = list_revisions(contest).filter(number=number).first()
    if revision is None:
        return None
    report = get_frozen_report(revision)
    return make_revision_board(contest, revision, report), report
