"""The classes of a leaderboard: who of its rows is in which, and which cuts decided places in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from scorekeeper.common.hooks import Hook
from scorekeeper.events.models import Contest
from scorekeeper.players.class_members import list_contest_classes
from scorekeeper.standings.class_ranking import list_stale_cuts
from scorekeeper.standings.leaderboard import BoardClass, CountedCut, LeaderboardRow
from scorekeeper.standings.selectors.cuts import Cut, describe_counted_cuts, list_class_cuts

# Returns up to which place of each class ties matter, because a prize hangs on it; classes without one are left out.
CountTiePlaces = Callable[[Contest], Mapping[UUID, int]]
CLASS_TIE_PLACES = Hook[CountTiePlaces]()


def list_board_classes(contest: Contest, rows: Sequence[LeaderboardRow]) -> tuple[BoardClass, ...]:
    """Return the classes that have members among the rows of a contest as it is now, in order.

    Args:
        rows: of the whole leaderboard, best first.
    """
    there = {row.entrant_id for row in rows}
    classes = list_contest_classes(contest)
    found = [
        BoardClass(one.id, one.name, members)
        for one in classes
        if (members := tuple(entrant for entrant in one.members if entrant in there))
    ]
    if not found or contest.status == Contest.Status.OPEN:
        return tuple(found)
    cuts, places = list_class_cuts(contest.pk), count_tie_places(contest)
    numbers = {row.entrant_id: row.number for row in rows}
    return tuple(
        replace(
            one,
            cuts=describe_class_cuts(rows, one.members, cuts.get(one.id, ()), numbers)[0],
            tie_places=places.get(one.id, 0),
        )
        for one in found
    )


def count_tie_places(contest: Contest) -> Mapping[UUID, int]:
    """Return up to which place of each class ties are to be broken with cards; nothing where none are cut."""
    count = CLASS_TIE_PLACES.only
    return count(contest) if count is not None and contest.ruleset.tie_procedure == "cut_cards" else {}


def describe_class_cuts(
    rows: Sequence[LeaderboardRow], members: Iterable[UUID], cuts: Sequence[Cut], numbers: Mapping[UUID, str]
) -> tuple[tuple[CountedCut, ...], tuple[Cut, ...]]:
    """Return the cuts of a class that count, as plain data, and those that no longer do.

    Args:
        rows: of the whole leaderboard, best first.
        numbers: the number of each entrant.
    """
    entered = describe_counted_cuts(cuts, (), numbers)
    stale = list_stale_cuts(rows, frozenset(members), entered)
    return (
        tuple(cut for cut in entered if cut.seq not in stale),
        tuple(cut for cut in cuts if cut.seq in stale),
    )
