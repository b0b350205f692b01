"""What may be a mistake in the set-up of an event. An organiser is asked about it, and can open the event anyway."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import list_bikes
from scorekeeper.common.word_lists import join_and
from scorekeeper.events.models import Event
from scorekeeper.stops.models import Stop

LONG_HOURS = dt.timedelta(hours=14)  # nobody staffs a stop for longer
SHORT_HOURS = dt.timedelta(minutes=20)  # a group needs longer
MAX_NAMED = 8  # bikes that a question names


@dataclass(frozen=True, slots=True)
class ReadyQuestion:
    """Something that may be a mistake.

    Attributes:
        text: what it is, and where it makes a difference.
        action: what the organiser does if it is a mistake.
        href: the page on which that is done.
    """

    text: str
    action: str
    href: str


def list_ready_questions(event: Event) -> list[ReadyQuestion]:
    """Return what may be a mistake, in a fixed number of database statements."""
    return [*ask_about_bikes(event), *ask_about_hours(event)]


def ask_about_bikes(event: Event) -> Iterator[ReadyQuestion]:
    """Ask about bikes without a rider or a group."""
    bikes = list_bikes(event)
    if without := list(bikes.filter(players=None)):
        text = ngettext("Bike %(bikes)s has no rider.", "Bikes %(bikes)s have no rider.", len(without))
        yield ReadyQuestion(text % {"bikes": _name_bikes(without)}, _("Add the rider"), _get_bikes_url(event, without))
    if (without := list(bikes.filter(group=None))) and event.groups.exists():
        text = ngettext(
            "Bike %(bikes)s is in no group, so no crew finds it in their list.",
            "Bikes %(bikes)s are in no group, so no crew finds them in their list.",
            len(without),
        )
        yield ReadyQuestion(text % {"bikes": _name_bikes(without)}, _("Choose a group"), _get_bikes_url(event, without))


def _get_bikes_url(event: Event, bikes: Sequence[Bike]) -> str:
    """Return the URL of the page of a single bike, or of the roster that leads to each of several."""
    if len(bikes) == 1:
        return reverse("players:edit_bike", args=[event.slug, bikes[0].pk])
    return reverse("players:roster", args=[event.slug])


def _name_bikes(bikes: Sequence[Bike]) -> str:
    names = [bike.label for bike in bikes[:MAX_NAMED]]
    if (more := len(bikes) - MAX_NAMED) > 0:
        names.append(ngettext("%(count)s more", "%(count)s more", more) % {"count": more})
    return join_and(names)


def ask_about_hours(event: Event) -> Iterator[ReadyQuestion]:
    """Ask about stops with unlikely hours."""
    stops = list(event.stops.order_by("ordinal"))
    for stop in stops:
        length = _get_length(stop)
        if length is not None and not SHORT_HOURS <= length <= LONG_HOURS:
            text = _("%(stop)s is open for %(length)s, %(hours)s. Is that right?")
            yield _ask_about(stop, text % {"stop": stop, "length": _format_length(length), "hours": stop.hours})
    for before, stop in pairwise(stops):
        if _closes_before_it_opens(before, stop):
            text = _("%(stop)s closes at %(closes)s, before %(before)s opens at %(opens)s. Is that right?")
            names = {"stop": stop, "before": before}
            times = {"closes": f"{stop.closes_at:%H:%M}", "opens": f"{before.opens_at:%H:%M}"}
            yield _ask_about(stop, text % {**names, **times})


def _ask_about(stop: Stop, text: str) -> ReadyQuestion:
    href = reverse("stops:edit", args=[stop.event.slug, stop.pk])
    return ReadyQuestion(text, _("Change the hours"), href)


def _get_length(stop: Stop) -> dt.timedelta | None:
    """Return for how long a stop is open; None if it lacks one of the two times."""
    if stop.opens_at is None or stop.closes_at is None:
        return None
    day = dt.date.min
    closing_day = day + dt.timedelta(days=1 if stop.closes_next_day else 0)
    return dt.datetime.combine(closing_day, stop.closes_at) - dt.datetime.combine(day, stop.opens_at)


def _format_length(length: dt.timedelta) -> str:
    minutes = int(length.total_seconds()) // 60
    if minutes < 60:
        return ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}
    hours = minutes // 60
    return ngettext("%(count)s hour", "%(count)s hours", hours) % {"count": hours}


def _closes_before_it_opens(before: Stop, stop: Stop) -> bool:
    """Return whether a stop is closed for good when the stop before it opens."""
    if before.opens_at is None or stop.closes_at is None or stop.closes_next_day:
        return False
    return stop.closes_at <= before.opens_at
