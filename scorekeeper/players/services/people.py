"""Adding, changing and deleting single people, with or without a bike."""

from __future__ import annotations

from django.db.models import ProtectedError

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.players.models import Player


class PlayerInUse(Exception):
    """The player has a scorecard."""


def add_player(event: Event, *, name: str, bike: Bike | None = None, role: str = "") -> Player:
    """Return a new player; without a bike the role is ignored."""
    return Player.objects.create(event=event, name=name, bike=bike, role=role if bike else "")


def update_player(player: Player, *, name: str, bike: Bike | None, role: str) -> None:
    """Change a player; without a bike the role is ignored."""
    player.name, player.bike, player.role = name, bike, role if bike else ""
    player.save(update_fields=["name", "bike", "role"])


def delete_player(player: Player) -> None:
    """Delete a player.

    Raises:
        PlayerInUse: they have a scorecard.
    """
    try:
        player.delete()
    except ProtectedError as error:
        raise PlayerInUse from error
