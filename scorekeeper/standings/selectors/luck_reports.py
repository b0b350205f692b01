"""What was computed of the luck in a contest, and whether it is still up to date."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.ledger.canonical import sha256
from scorekeeper.ledger.models import Chain
from scorekeeper.standings.card_luck import CardLuck, ContestLuck
from scorekeeper.standings.models import LuckReport
from scorekeeper.standings.selectors.revisions import list_revisions


@dataclass(frozen=True)
class LuckSource:
    """The logs that the luck of a contest is computed from: those of the last revision, or the current ones.

    Attributes:
        lengths: of the event's chains in the revision; None for the current logs.
        digest: changes whenever any of them does.
    """

    lengths: Mapping[UUID, int] | None
    digest: str


def has_luck(contest: Contest) -> bool:
    """Return whether there may be luck to tell: the contest is closed, and its game tells the odds of totals."""
    return contest.status != Contest.Status.OPEN and contest.game.tells_luck


def get_luck_source(contest: Contest) -> LuckSource:
    """Return what the luck of a closed contest is computed from, so that it fits the standings that are shown."""
    if contest.status == Contest.Status.OFFICIAL:
        revision = list_revisions(contest).values_list("pk", "chains").first()
        if revision is not None:
            lengths = {UUID(chain): length for chain, length, _head in revision[1]}
            return LuckSource(lengths, sha256(f"revision {revision[0]}"))
    heads = Chain.objects.filter(card__contest=contest).order_by("pk").values_list("pk", "head")
    return LuckSource(None, sha256(repr([contest.rules_version, *heads])))


def get_contest_luck(contest: Contest) -> ContestLuck | None:
    """Return the luck of a closed contest; None if it has yet to be computed."""
    report = LuckReport.objects.filter(pk=contest.pk).first()
    if report is None or report.source != get_luck_source(contest).digest:
        return None
    return ContestLuck([CardLuck.from_data(card) for card in report.cards])
