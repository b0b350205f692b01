"""Official revisions, and whether the log has grown since the last one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet, Sum

from scorekeeper.events.models import Contest
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.ledger.models import Chain
from scorekeeper.standings.contest_report import ContestReport
from scorekeeper.standings.models import Revision


def list_revisions(contest: Contest) -> QuerySet[Revision]:
    """Return the contest's revisions, the last one first."""
    return contest.revisions.order_by("-number")


def get_last_revision(contest: Contest) -> Revision | None:
    """Return the contest's last revision."""
    return list_revisions(contest).first()


def get_frozen_report(revision: Revision) -> ContestReport:
    """Return what a revision froze."""
    return ContestReport.from_data(revision.standings)


def compute_standings_digest(standings: Mapping[str, Any]) -> str:
    """Return the digest that the log records for a revision. It covers all that is shown, even stop names."""
    return sha256(canonical_json(standings))


def has_log_grown(revision: Revision) -> bool:
    """Whether the contest's log has grown since the revision. Chains only grow, so comparing their total is enough."""
    return count_log_entries(revision.contest_id) > revision.log_length


def count_log_entries(contest_id: UUID) -> int:
    """Return how many entries the contest's own chain and its cards have together."""
    chains = Chain.objects.filter(Q(pk=contest_id) | Q(card__contest_id=contest_id))
    length: int | None = chains.aggregate(length=Sum("length"))["length"]
    return length or 0
