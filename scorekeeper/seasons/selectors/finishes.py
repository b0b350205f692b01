"""The places of a round, from the published result of its contest."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.standings.selectors.audience import PublicRevision, get_public_revision, read_public_report


class Finish(NamedTuple):
    """A place in a result.

    Attributes:
        number: of the bike; "" for a player.
        label: "2", or "2=" for a shared place.
    """

    place: int
    number: str
    label: str


def get_finishes(contest: Contest) -> Mapping[UUID, Finish] | None:
    """Return everyone's place by the holder's id, the best first; None while no result is public."""
    if contest.event.is_practice or not contest.event.is_open:
        return None
    revision = get_public_revision(contest)
    return None if revision is None else _read_finishes(revision)


@lru_cache(maxsize=128)
def _read_finishes(revision: PublicRevision) -> Mapping[UUID, Finish]:
    # A revision never changes. Its report has all cards and may be large.
    rows = read_public_report(revision).rows
    return {row.holder_id: Finish(row.rank, row.number, row.rank_label) for row in rows if row.rank is not None}
