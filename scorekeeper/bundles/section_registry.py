"""Sections of a bundle that are about models of apps above this one, which register how to write and read them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Model

from scorekeeper.common.hooks import Hook
from scorekeeper.events.models import Event

Data = Mapping[str, Any]


@dataclass(frozen=True)
class UpperSection:
    """A section.

    Attributes:
        name: as in `games.core.bundle.layout.SECTIONS`.
        list_lines: returns the data of the lines of an event.
        read: returns the row that a line is about, which is not saved; raises `ValidationError` or `ValueError` if the
            line has a value that a form would refuse.
    """

    name: str
    list_lines: Callable[[Event], Iterable[Data]]
    read: Callable[[Event, Data], Model]


UPPER_SECTIONS = Hook[UpperSection]()
