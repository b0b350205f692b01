"""Where an event holds somebody's name: people, crew, organisers who left, and the reasons that were written.

Chains, operations and revisions hold ids and digests only. Bikes, groups, dice sets and stops are named on pages of
their own, and renamed there. An organiser is named by their account, which stays while they run the event.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from scorekeeper.crew.models import CrewMember
from scorekeeper.events.models import Event, FormerOrganiser
from scorekeeper.players.models import Player
from scorekeeper.scorecards.models import OperationReason


@dataclass(frozen=True, slots=True)
class NameMatches:
    """Whoever bears a name, and the reasons in which it occurs."""

    players: tuple[Player, ...]
    crew: tuple[CrewMember, ...]
    former_organisers: tuple[FormerOrganiser, ...]
    reasons: tuple[OperationReason, ...]

    def __bool__(self) -> bool:
        return bool(self.players or self.crew or self.former_organisers or self.reasons)


def find_name(event: Event, name: str) -> NameMatches:
    """Return where the event holds a name, be it in capitals or not; in reasons as whole words.

    Compared in Python: what a database takes for equal letters is its own business.
    """
    words = re.compile(rf"(?<!\w){re.escape(name.strip())}(?!\w)", re.IGNORECASE)
    notes = OperationReason.objects.filter(operation__event=event).select_related("operation")
    return NameMatches(
        tuple(player for player in event.players.all() if words.fullmatch(player.name)),
        tuple(one for one in CrewMember.objects.filter(group__event=event) if words.fullmatch(one.name)),
        tuple(one for one in event.former_organisers.select_related("user") if words.fullmatch(str(one))),
        tuple(note for note in notes if words.search(note.text)),
    )
