"""What the public pages show of people. The organiser decides (`Event.people_shown`); names pass through here alone."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.players.models import Player


def format_public_name(event: Event, name: str) -> str:
    """Return the full name, the initials ("A. B."), or nothing, as the event has it."""
    match event.people_shown:
        case Event.PeopleShown.NAMES:
            return name
        case Event.PeopleShown.INITIALS:
            return get_initials(name)
        case _:
            return ""


def label_without_name(bike: str, role: str) -> str:
    """Return what a row or a seat of somebody is headed with where the event shows no name: "Rider of bike 57".

    Args:
        bike: its label; "" for somebody without one.
    """
    if not bike:
        return _("Someone without a bike")
    words = {"number": bike}
    if role == Player.Role.PASSENGER:
        return _("Passenger of bike %(number)s") % words
    return _("Rider of bike %(number)s") % words


def format_public_riders(event: Event, bike: Bike) -> str:
    """Return who is on the bike, rider first, as the event shows people; "" when it shows none.

    `bike.players` should have been prefetched where there are several bikes.
    """
    names = (format_public_name(event, player.name) for player in bike.players.all())
    return join_names(name for name in names if name)


def join_names(names: Iterable[str]) -> str:
    """Return the names of those on one bike, rider first, as one text."""
    return ", ".join(names)


def format_riders(bike: Bike) -> str:
    """Return who is on the bike, rider first, by full name: for organisers and crew."""
    return join_names(player.name for player in bike.players.all())


def get_initials(name: str) -> str:
    """Return the first letter of each part of a name; parts that begin with no letter are left out."""
    return " ".join(f"{part[0].upper()}." for part in name.replace("-", " ").split() if part[0].isalpha())
