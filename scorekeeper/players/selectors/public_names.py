"""Names of people on the public pages. The organiser decides how they are shown (`Event.people_shown`).

Invariant: public pages get names only from this module.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.players.models import Player


def format_public_name(event: Event, name: str) -> str:
    """Return the full name, the initials ("A. B.") or "", depending on the event's setting."""
    match event.people_shown:
        case Event.PeopleShown.NAMES:
            return name
        case Event.PeopleShown.INITIALS:
            return get_initials(name)
        case _:
            return ""


def label_without_name(bike: str, role: str) -> str:
    """Return a label for a person's row or seat if the event shows no names: "Rider of bike 57".

    Args:
        bike: the bike's label; "" for a person without a bike.
    """
    if not bike:
        return _("Someone without a bike")
    words = {"number": bike}
    if role == Player.Role.PASSENGER:
        return _("Passenger of bike %(number)s") % words
    return _("Rider of bike %(number)s") % words


def format_public_riders(event: Event, bike: Bike) -> str:
    """Return the public names of the people on the bike, rider first; "" if the event shows none.

    For several bikes, prefetch `bike.players`.
    """
    names = (format_public_name(event, player.name) for player in bike.players.all())
    return join_names(name for name in names if name)


def join_names(names: Iterable[str]) -> str:
    """Join the names of the people on a bike, rider first."""
    return ", ".join(names)


def format_riders(bike: Bike) -> str:
    """Return the full names of the people on the bike, rider first, for organisers and crew."""
    return join_names(player.name for player in bike.players.all())


def get_initials(name: str) -> str:
    """Return the first letter of each part of a name; parts that do not begin with a letter are omitted."""
    return " ".join(f"{part[0].upper()}." for part in name.replace("-", " ").split() if part[0].isalpha())
