"""Making, changing and opening events, and who runs them."""

from __future__ import annotations

import datetime as dt
import secrets
import string

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify

from scorekeeper.events.models import Event, FormerOrganiser, Organiser

_LETTERS = string.ascii_lowercase + string.digits
_RANDOM_LENGTH = 8  # characters: nobody finds an event that is not listed by trying
_READABLE_LENGTH = 60


class LastOrganiser(Exception):
    """An event would be left with nobody to run it."""


def make_event_slug(name: str) -> str:
    """Return an address made of the name, and of letters that cannot be guessed: it is the event's share link."""
    readable = slugify(name)[:_READABLE_LENGTH].strip("-") or "event"
    return f"{readable}-{''.join(secrets.choice(_LETTERS) for _ in range(_RANDOM_LENGTH))}"


@transaction.atomic
def create_event(
    user: User,
    *,
    name: str,
    date: dt.date,
    time_zone: str,
    is_listed: bool = False,
    people_shown: str = Event.PeopleShown.NAMES,
) -> Event:
    """Return a new event, a draft, which the person runs."""
    event = Event.objects.create(
        name=name,
        slug=make_event_slug(name),
        date=date,
        time_zone=time_zone,
        is_listed=is_listed,
        people_shown=people_shown,
    )
    Organiser.objects.create(event=event, user=user)
    return event


def update_event(event: Event, *, name: str, date: dt.date, time_zone: str, is_listed: bool, people_shown: str) -> None:
    """Change what an event is called and how it is shown. Its address stays: it has been handed on."""
    event.name, event.date, event.time_zone = name, date, time_zone
    event.is_listed, event.people_shown = is_listed, people_shown
    event.save(update_fields=["name", "date", "time_zone", "is_listed", "people_shown"])


def open_event(event: Event) -> None:
    """Let the crews note dice and the public follow. Repeating it changes nothing."""
    Event.objects.filter(pk=event.pk, state=Event.State.DRAFT).update(state=Event.State.OPEN)
    event.state = Event.State.OPEN


def lock_event(event: Event) -> None:
    """Let changes that depend on each other (an order, a number given once) follow one another.

    It holds until the end of the transaction. Whoever only writes something that belongs to the event goes on.
    """
    Event.objects.select_for_update(no_key=True).get(pk=event.pk)


def add_organiser(event: Event, user: User) -> Organiser:
    """Let somebody else run the event too. Repeating it changes nothing."""
    return Organiser.objects.get_or_create(event=event, user=user)[0]


@transaction.atomic
def remove_organiser(organiser: Organiser) -> None:
    """Take somebody off an event; what they recorded stays under their name.

    Raises:
        LastOrganiser: nobody else runs it.
    """
    # Two organisers who take each other off at the same moment must not both succeed.
    event = organiser.event
    lock_event(event)
    if not event.organisers.exclude(pk=organiser.pk).exists():
        raise LastOrganiser
    FormerOrganiser.objects.create(id=organiser.pk, event=event, user=organiser.user)
    organiser.delete()
