"""How the seats of a table are called."""

from __future__ import annotations

from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.players.models import Player
from scorekeeper.scorecards.naming import name_bike, name_riders
from scorekeeper.tables.open_table import SeatedTable


def name_seats(table: SeatedTable) -> tuple[str, ...]:
    """Return the names of whoever has the seats, in the order of the play: "Ann", "Bike 57, Rita and Tom"."""
    bikes = [holder.pk for holder in table.holders if isinstance(holder, Bike)]
    riders: dict[UUID, list[str]] = {bike: [] for bike in bikes}
    if bikes:
        for player in Player.objects.filter(bike_id__in=bikes):
            assert player.bike_id is not None
            riders[player.bike_id].append(player.name)
    return tuple(
        name_bike(holder, name_riders(riders[holder.pk])) if isinstance(holder, Bike) else holder.name
        for holder in table.holders
    )
