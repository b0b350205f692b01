"""The names of the entrants of seats; a fixed number of queries however many there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.players.models import Player
from scorekeeper.scorecards.display_names import format_bike, format_riders
from scorekeeper.scorecards.open_table import TableWithEntrants


def name_seats(table: TableWithEntrants) -> tuple[str, ...]:
    """Return the names of the seats, in the order of play."""
    names = name_entrants(table.entrants)
    return tuple(names[entrant.pk] for entrant in table.entrants)


def name_entrants(entrants: Iterable[Bike | Player]) -> Mapping[UUID, str]:
    """Return the names of bikes and players by id: "Ann", "Bike 57, Rita and Tom"."""
    by_id = {entrant.pk: entrant for entrant in entrants}
    bikes = [entrant.pk for entrant in by_id.values() if isinstance(entrant, Bike)]
    riders: dict[UUID | None, list[str]] = defaultdict(list)
    if bikes:
        for bike_id, name in Player.objects.filter(bike_id__in=bikes).values_list("bike_id", "name"):
            riders[bike_id].append(name)
    return {
        key: format_bike(entrant, format_riders(riders[key])) if isinstance(entrant, Bike) else entrant.name
        for key, entrant in by_id.items()
    }
