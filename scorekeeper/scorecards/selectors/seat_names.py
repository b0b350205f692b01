"""The names of the holders of seats; a fixed number of queries however many there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.players.models import Player
from scorekeeper.scorecards.display_names import format_bike, format_riders
from scorekeeper.scorecards.open_table import TableWithHolders


def name_seats(table: TableWithHolders) -> tuple[str, ...]:
    """Return the names of the seats, in the order of play."""
    names = name_holders(table.holders)
    return tuple(names[holder.pk] for holder in table.holders)


def name_holders(holders: Iterable[Bike | Player]) -> Mapping[UUID, str]:
    """Return the names of bikes and players by id: "Ann", "Bike 57, Rita and Tom"."""
    by_id = {holder.pk: holder for holder in holders}
    bikes = [holder.pk for holder in by_id.values() if isinstance(holder, Bike)]
    riders: dict[UUID | None, list[str]] = defaultdict(list)
    if bikes:
        for bike_id, name in Player.objects.filter(bike_id__in=bikes).values_list("bike_id", "name"):
            riders[bike_id].append(name)
    return {
        key: format_bike(holder, format_riders(riders[key])) if isinstance(holder, Bike) else holder.name
        for key, holder in by_id.items()
    }
