"""The current leaders of each contest of an event: only the first place of every leaderboard."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, OuterRef, Subquery, Window
from django.db.models.fields.json import KT
from django.db.models.functions import Rank

from scorekeeper.events.models import Contest, Event
from scorekeeper.players.selectors import get_bike_number
from scorekeeper.standings.entrants import get_sort_key
from scorekeeper.standings.leaderboard import LeaderboardRow
from scorekeeper.standings.models import IS_RANKED, Revision, StandingsRow


@dataclass(frozen=True, slots=True)
class FirstPlace:
    """The first place of a contest.

    Attributes:
        entrants: the id of each entrant who shares it, with the number of a bike.
        standings_version: the version of the game's `combine` that the total comes from; None for the current one.
    """

    total: int
    entrants: tuple[tuple[UUID, str], ...]
    standings_version: int | None = None


def list_first_places(event: Event) -> Mapping[UUID, FirstPlace]:
    """Return the first place of each contest in which someone has started, in two statements."""
    return {**_list_live(event), **_list_official(event)}


def _list_live(event: Event) -> dict[UUID, FirstPlace]:
    best_first = Window(Rank(), partition_by="contest", order_by=[F("order_key").desc(), "tie_key"])
    rows = StandingsRow.objects.filter(IS_RANKED, contest__event=event, bike__merged_into=None)
    leaders = rows.annotate(place=best_first).filter(place=1).select_related("bike", "player")
    by_contest: dict[UUID, list[StandingsRow]] = {}
    for row in sorted(leaders, key=lambda row: get_sort_key(row.entrant)):
        by_contest.setdefault(row.contest_id, []).append(row)
    return {
        contest: FirstPlace(rows[0].total, tuple((row.entrant_id, get_bike_number(row.entrant)) for row in rows))
        for contest, rows in by_contest.items()
    }


def _list_official(event: Event) -> dict[UUID, FirstPlace]:
    last = Revision.objects.filter(contest=OuterRef("contest")).order_by("-number").values("pk")[:1]
    official = Revision.objects.filter(pk=Subquery(last), contest__event=event, contest__status=Contest.Status.OFFICIAL)
    first_places = {}
    # The cards are not loaded: they are by far the largest part of a revision.
    frozen = official.values_list("contest_id", KT("standings__rows"), KT("standings__standings_version"))
    for contest, text, version in frozen:
        first_place = find_first_place(map(LeaderboardRow.from_data, json.loads(text)), int(version or 1))
        if first_place is not None:
            first_places[contest] = first_place
    return first_places


def find_first_place(rows: Iterable[LeaderboardRow], standings_version: int | None = None) -> FirstPlace | None:
    """Return the first place of a leaderboard; None if nobody has started.

    Args:
        standings_version: see `FirstPlace`.
    """
    first = [row for row in rows if row.rank == 1]
    entrants = tuple((row.entrant_id, row.number) for row in first)
    return FirstPlace(first[0].total, entrants, standings_version) if first else None
