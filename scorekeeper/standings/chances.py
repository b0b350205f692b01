"""The chances to win of everyone in an open contest, and what of them is shown beside an entrant.

A chance that is shown is 0 or 1 only where the outlook says so, whatever dice fall and whatever is recorded
(`standings.outlook`). All other chances stay within `SMALLEST` of it, because best play is no promise.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from games.core.chances import PlaceChances
from scorekeeper.standings.models import StandingsRow
from scorekeeper.standings.outlook import Outlook

SMALLEST = 0.0005
USUAL_PLACES = 3  # where only the first place counts


class ShownChances(NamedTuple):
    """What is shown of one entrant's chances.

    Attributes:
        win: to come first. 0 or 1 only if that is certain.
        among_first: to be among the first places; the same.
        places: how many first places that is about.
    """

    win: float
    among_first: float
    places: int


class ClassChances(NamedTuple):
    """The chances of the members of a class, with the meanings of `ContestChances`."""

    places: int
    yet_to_start: int
    by_entrant: Mapping[UUID, PlaceChances]


@dataclass(frozen=True)
class ContestChances:
    """The chances of a contest, or of one of its classes.

    Attributes:
        as_of: when the standings that they belong to last changed; None until they were computed.
        places: how many first places `among_top` of each entrant is about.
        yet_to_start: how many of the entrants have nothing on their card.
        by_entrant: the chances of everyone who may still win, those who have yet to start included.
        is_known: whether the chances of these rules can be computed in a reasonable time.
        classes: the chances to come first among the members of each class that has any.
    """

    as_of: dt.datetime | None
    places: int
    yet_to_start: int
    by_entrant: Mapping[UUID, PlaceChances]
    is_known: bool = True
    classes: Mapping[UUID, ClassChances] = field(default_factory=dict)

    def narrow_to_class(self, class_id: UUID) -> ContestChances | None:
        """Return the chances in a class; None where they are not known."""
        own = self.classes.get(class_id)
        if own is None:
            return None
        return ContestChances(self.as_of, own.places, own.yet_to_start, own.by_entrant, self.is_known)

    def show(self, entrant_id: UUID, status: str, outlook: Outlook | None, prizes: int) -> ShownChances | None:
        """Return what is shown of an entrant who has started; None for one who has retired, and where nothing is known.

        Args:
            status: of the entrant, as in a row of the standings.
            outlook: what the entrant can still reach, if that is known.
            prizes: the number of prize places that the outlook is about.
        """
        found = self.by_entrant.get(entrant_id)
        if found is None or not self.is_known or status == StandingsRow.Status.RETIRED:
            return None
        win, among = (min(max(chance, SMALLEST), 1 - SMALLEST) for chance in found)
        if outlook is None:
            return ShownChances(win, among, self.places)
        # The outlook does not know of those who have yet to start.
        is_safe_from_all = not self.yet_to_start
        if not outlook.can_lead:
            win = 0.0
        elif outlook.chance == "first_safe" and is_safe_from_all:
            win = among = 1.0
        if prizes == self.places and outlook.chance == "prizes_gone":
            among = 0.0
        elif prizes == self.places and outlook.chance == "prize_safe" and is_safe_from_all:
            among = 1.0
        return ShownChances(win, among, self.places)


def count_places(prizes: int, entrants: int) -> int:
    """Return how many first places the second chance is about: those with a prize, or the usual three.

    There are fewer where every entrant would have one of them; 1 if there is nothing to tell beside the first place.
    """
    return min(prizes if prizes > 1 else USUAL_PLACES, max(entrants - 1, 1))
