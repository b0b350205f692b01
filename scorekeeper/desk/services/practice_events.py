"""Practice events: copies of a ride in which the crew rehearses.

- A ride has at most one practice event at a time. It is open from the start.
- Starting over deletes the practice event with its log and its phones, and copies the ride again. Phones of the former
  practice are told; their members switch to the new one from the ride.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from scorekeeper.common.event_dates import get_nearest_event_date
from scorekeeper.desk.services.event_copy import copy_event
from scorekeeper.desk.services.event_deletion import delete_event
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_practice_event
from scorekeeper.events.services.events import EventArchived, lock_event, open_event

MAX_NAME_LENGTH = 120


class NotPractice(Exception):
    """The event is a ride, and this is only done to practice events."""


class NoRideToPractise(Exception):
    """The event is a practice event itself, or the practice event has no ride to copy."""


@transaction.atomic
def start_practice(ride: Event, user: User) -> Event:
    """Return the open practice event of a ride: the one that it has, or else a new copy with the roster.

    Raises:
        NoRideToPractise: the event is a practice event itself.
        EventArchived: the ride is in the archive.
    """
    if ride.is_practice:
        raise NoRideToPractise(ride.pk)
    if lock_event(ride).archived_at is not None:
        raise EventArchived(ride.pk)
    practice = get_practice_event(ride)
    if practice is not None:
        return practice
    ending = _("%(name)s (practice)") % {"name": ""}
    name = _("%(name)s (practice)") % {"name": ride.name[: MAX_NAME_LENGTH - len(ending)]}
    date = get_nearest_event_date(ride.date)
    practice = copy_event(ride, user, name=name, date=date, with_roster=True, is_practice=True)
    open_event(practice)
    return practice


@transaction.atomic
def restart_practice(practice: Event, user: User) -> Event:
    """Delete a practice event with its log and its phones. Return a new copy of its ride.

    Raises:
        NotPractice: the event is a ride.
        NoRideToPractise: it was not copied from a ride, as the demo.
        EventArchived: the ride is in the archive.
    """
    if not practice.is_practice:
        raise NotPractice(practice.pk)
    ride = practice.practice_of
    if ride is None:
        raise NoRideToPractise(practice.pk)
    # Two organisers may start over at the same moment: the second gets what the first has made.
    lock_event(ride)
    if Event.objects.filter(pk=practice.pk).exists():
        delete_event(practice)
    return start_practice(ride, user)
