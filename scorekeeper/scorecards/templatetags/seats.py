"""Filters that turn the seat numbers of a game's picture into names: `{{ names|of_seat:car.number }}`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django import template

from scorekeeper.scorecards.action_wording import join_names

register = template.Library()


@register.filter
def of_seat(names: Sequence[str], number: int) -> str:
    """Return the name of a seat; seats are counted from 1."""
    return names[number - 1]


@register.filter
def of_seats(names: Sequence[str], numbers: Iterable[int]) -> str:
    """Return the names of several seats as one text: "Ann and Bob"."""
    return join_names([of_seat(names, number) for number in numbers])
