"""The bikes and players that can be given a seat, in roster order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.players.models import Player
from scorekeeper.players.selectors import list_people_without_bike, list_roster
from scorekeeper.scorecards.display_names import format_bike, format_riders
from scorekeeper.scorecards.models import Seat


@dataclass(frozen=True, slots=True)
class SeatCandidate:
    """A bike or a player of the event.

    Attributes:
        name: of a player, with the bike, to tell apart two players of the same name.
        group: the name of the group they ride with, or a label such as "Not on a bike".
        card_count: how many tables of the contest they have.
        is_free: whether they may be given one more.
    """

    id: UUID
    name: str
    group: str
    card_count: int
    is_free: bool


def list_candidates(contest: Contest) -> list[SeatCandidate]:
    """Return everyone who could play the contest; a fixed number of queries."""
    seats = Seat.objects.filter(contest=contest).values_list("bike_id", "player_id")
    cards = Counter(bike or player for bike, player in seats)
    many = contest.game.many_cards
    return [
        SeatCandidate(entrant.pk, name, group, cards[entrant.pk], many or not cards[entrant.pk])
        for entrant, name, group in _list_entrants(contest)
    ]


def _list_entrants(contest: Contest) -> Iterator[tuple[Bike | Player, str, str]]:
    are_bikes = contest.seats_are == Contest.SeatsAre.BIKES
    for roster in list_roster(contest.event):
        group = roster.group.name if roster.group else _("No group yet")
        for bike in roster.bikes:
            if are_bikes:
                yield bike, format_bike(bike, format_riders(player.name for player in bike.players.all())), group
                continue
            for player in bike.players.all():
                named = {"name": player.name, "number": bike.label}
                yield player, _("%(name)s (bike %(number)s)") % named, group
    if not are_bikes:
        for player in list_people_without_bike(contest.event):
            yield player, player.name, _("Not on a bike")
