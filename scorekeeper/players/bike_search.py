"""Searching an event's bikes by what people type: a number, or words of a name, make or model.

Words are compared in Python, without case and accents: databases differ in which letters they treat as equal.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from uuid import UUID

from django.db.models import Q

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.numbers import BikeNumber, parse_bike_number
from scorekeeper.events.models import Event


def read_number(text: str) -> BikeNumber | None:
    """Return the number that was typed, in the digits of any script and perhaps with a number sign; None for others."""
    return parse_bike_number("".join(str(unicodedata.decimal(char, char)) for char in text))


def make_bike_filter(event: Event, text: str) -> Q:
    """Return the condition on the event's bikes that they match: by the number that was typed, or by all words.

    The further sheets of a bike match, too.
    """
    number = read_number(text)
    if number is not None:
        return Q(event=event, number=number)
    found = _list_by_words(event, _fold(text).split())
    return Q(event=event) & (Q(pk__in=found) | Q(sheet_of__in=found))


def search_bikes(bikes: Iterable[Bike], text: str) -> list[Bike]:
    """Return the bikes that match what was typed so far: whose numbers begin with it, or else that have all its words.

    Args:
        bikes: with their group and people; words of the group's name are found, too.
    """
    bikes, number = list(bikes), read_number(text)
    if number is not None and (numbered := [bike for bike in bikes if str(bike.number).startswith(str(number))]):
        return numbered
    words = _fold(text).split()
    return [bike for bike in bikes if all(word in _fold(_describe(bike)) for word in words)]


def _describe(bike: Bike) -> str:
    names = " ".join(player.name for player in bike.players.all())
    return f"{bike.label} {bike.make} {bike.model} {bike.group or ''} {names}"


def _list_by_words(event: Event, words: list[str]) -> list[UUID]:
    found: dict[UUID, str] = {}
    bikes = Bike.objects.filter(event=event, merged_into=None).order_by()
    for pk, make, model, name in bikes.values_list("pk", "make", "model", "players__name"):
        found[pk] = f"{found.get(pk, f'{make} {model}')} {name or ''}"
    return [pk for pk, about in found.items() if words and all(word in _fold(about) for word in words)]


def _fold(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in letters if not unicodedata.combining(char))
