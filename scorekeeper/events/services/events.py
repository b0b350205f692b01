"""Creating, changing and opening events; adding and removing organisers."""

from __future__ import annotations

import datetime as dt
import secrets
import string

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify

from scorekeeper.events.models import AccountLink, Event, FormerOrganiser, Organiser

_LETTERS = string.ascii_lowercase + string.digits
_RANDOM_LENGTH = 8  # characters: nobody finds an unlisted event by guessing
_READABLE_LENGTH = 60


class LastOrganiser(Exception):
    """The event would have no organiser left."""


def make_event_slug(name: str) -> str:
    """Return a slug made of the name and of characters that cannot be guessed: it is part of the share link."""
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
    """Return a new event, a draft, with the user as its organiser."""
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
    """Change an event and how it is shown. Its slug stays, because people have shared its URL."""
    event.name, event.date, event.time_zone = name, date, time_zone
    event.is_listed, event.people_shown = is_listed, people_shown
    event.save(update_fields=["name", "date", "time_zone", "is_listed", "people_shown"])


def open_event(event: Event) -> None:
    """Let the crews record turns and the public follow. Repeating it changes nothing."""
    Event.objects.filter(pk=event.pk, state=Event.State.DRAFT).update(state=Event.State.OPEN)
    event.state = Event.State.OPEN


def lock_event(event: Event) -> None:
    """Run changes that depend on each other (an order, a unique number) one after another.

    The lock lasts until the end of the transaction. Writes of rows that only refer to the event do not wait for it.
    """
    Event.objects.select_for_update(no_key=True).get(pk=event.pk)


def add_organiser(event: Event, user: User) -> Organiser:
    """Make the user an organiser of the event. Repeating it changes nothing."""
    return Organiser.objects.get_or_create(event=event, user=user)[0]


@transaction.atomic
def remove_organiser(organiser: Organiser) -> None:
    """Remove an organiser from an event. What they recorded stays under their name.

    The invitations they created end too: with one of them they could come back.

    Raises:
        LastOrganiser: the event has no other organiser.
    """
    # Two organisers who remove each other at the same moment must not both succeed.
    event = organiser.event
    lock_event(event)
    if not event.organisers.exclude(pk=organiser.pk).exists():
        raise LastOrganiser
    AccountLink.objects.filter(event=event, created_by=organiser.user).expire()
    FormerOrganiser.objects.create(id=organiser.pk, event=event, user=organiser.user)
    organiser.delete()
