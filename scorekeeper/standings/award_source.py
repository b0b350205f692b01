"""The awards of a contest, which an app above this one works out.

A revision freezes them, so publishing and verification need them. The app registers its `AwardSource` when Django
starts, so that this app need not import it. Without one, no revision has awards.

Terms: an *award* is a prize with those who win it, as plain data without names. The *prize list* of a contest is what
can be won in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from scorekeeper.common.hooks import Hook
from scorekeeper.events.models import Contest
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.standings.contest_report import ContestReport
from scorekeeper.standings.entrants import FoldedContest

AwardData = Mapping[str, Any]


class AwardWords(NamedTuple):
    """An award as people read it.

    Attributes:
        winners: the names of those who win it, or how it stands if nobody does.
        winner_ids: those who win it, and nobody while it is not decided.
    """

    prize_id: UUID
    title: str
    winners: str
    winner_ids: frozenset[UUID]


class AwardSource(Protocol):
    """Works out the awards of a contest."""

    def compute_list_digest(self, contest: Contest) -> str:
        """Return a digest of the contest's prize list; "" if nothing can be won."""

    def list_awards(self, contest: Contest, folded: FoldedContest, report: ContestReport) -> Sequence[AwardData]:
        """Return the awards according to the current log, in the order in which they are announced.

        Args:
            folded: the contest, folded from its current log.
            report: made from it.
        """

    def is_undecided(self, award: AwardData) -> bool:
        """Return whether the organiser has to decide who wins, other than by having tied places cut cards."""

    def is_not_given(self, award: AwardData) -> bool:
        """Return whether the organiser may still choose who wins: nobody does yet, and nothing else decides it."""

    def describe(
        self, contest: Contest, awards: Sequence[AwardData], people: Mapping[UUID, str]
    ) -> Sequence[AwardWords]:
        """Return awards as people read them, the first place first.

        Args:
            people: the names of each bike and player, as the reader may see them.
        """

    def recompute_awards(
        self, contest: Contest, awards: Sequence[AwardData], folded: FoldedContest, report: ContestReport, length: int
    ) -> Sequence[AwardData]:
        """Return frozen awards with their winners worked out again.

        Args:
            awards: those of a revision. What they are for is taken from them, since the prize list may have changed.
            folded: the contest, folded from the log as it was for the revision.
            report: made from it.
            length: how many entries of the contest's own chain counted.
        """


AWARD_SOURCES = Hook[AwardSource]()  # one at most


def compute_awards_digest(awards: Sequence[AwardData]) -> str:
    """Return the digest that the log records for the awards of a revision."""
    return sha256(canonical_json(list(awards)))


def make_list_entry(contest: Contest) -> dict[str, str]:
    """Return the digest of the prize list as data for the contest's log; nothing if nothing can be won."""
    source = AWARD_SOURCES.only
    digest = "" if source is None else source.compute_list_digest(contest)
    return {"prize_list": digest} if digest else {}
