"""A ride whose board, prizes and season can be shown on other sites."""

from __future__ import annotations

from scorekeeper.events.models import Event
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.prizes.conftest import add
from tests.scorekeeper.seasons.conftest import first_ride, first_round, season, second_ride, second_round
from tests.scorekeeper.standings.conftest import add_turn, close, desk, update_standings

__all__ = [
    "add",
    "add_turn",
    "close",
    "desk",
    "first_ride",
    "first_round",
    "season",
    "second_ride",
    "second_round",
    "update_standings",
]


def get_board_url(ride: Ride, query: str = "") -> str:
    """Return the address of the frame with the ride's board."""
    return f"/embed/events/{ride.event.slug}/{ride.contest.slug}/{query}"


def change_event(event: Event, **values: object) -> None:
    """Change columns of an event, as its settings do."""
    Event.objects.filter(pk=event.pk).update(**values)
    for name, value in values.items():
        setattr(event, name, value)
