"""Creating, changing, opening and archiving events; adding and removing organisers.

Invariant: no contest of an archived event is open, so what still arrives for it goes to review as late, as at every
closed contest.
"""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scorekeeper.common.event_dates import check_event_date
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.common.security_log import log_change
from scorekeeper.common.share_slugs import make_share_slug
from scorekeeper.events.models import (
    AccountLink,
    Contest,
    Event,
    FormerOrganiser,
    Organiser,
    OrganiserInvitation,
)
from scorekeeper.events.services.account_lock import lock_account

# Other pages have these words where an event has its slug. A test finds them in the addresses.
RESERVED_EVENT_SLUGS = frozenset({"new"})


class LastOrganiser(Exception):
    """The event would have no organiser left."""


class EventArchived(Exception):
    """The event is in the archive, and has to be taken out of it first."""


class ContestStillOpen(Exception):
    """A contest of the event is open, so it still accepts entries."""


def make_event_slug(name: str) -> str:
    """Return a slug made of the name and of characters that cannot be guessed: it is part of the share link."""
    return make_share_slug(name, "event")


def is_reserved_slug(slug: str) -> bool:
    """Return whether an event cannot have this slug: its address means something else. Screens have ids there."""
    return slug in RESERVED_EVENT_SLUGS or parse_uuid(slug) is not None


@transaction.atomic
def create_event(
    user: User,
    *,
    name: str,
    date: dt.date,
    time_zone: str,
    is_listed: bool = False,
    people_shown: str = Event.PeopleShown.NAMES,
    is_practice: bool = False,
    language: str = "",
) -> Event:
    """Return a new event, a draft, with the user as its organiser.

    Args:
        is_practice: whether it is a practice event of no ride, as the demo is.
        language: of screens, prints and letters; "" for the installation's.

    Raises:
        ValidationError: an event cannot have this date.
    """
    check_event_date(date)
    event = Event.objects.create(
        name=name,
        slug=make_event_slug(name),
        date=date,
        time_zone=time_zone,
        is_listed=is_listed,
        people_shown=people_shown,
        is_practice=is_practice,
        language=language,
    )
    add_organiser(event, user, has_accepted=True)
    return event


def update_event(
    event: Event,
    *,
    name: str,
    date: dt.date,
    time_zone: str,
    is_listed: bool,
    people_shown: str,
    is_sign_up_open: bool | None = None,
    language: str | None = None,
) -> None:
    """Change an event and how it is shown. Its slug stays, because people have shared its URL.

    Args:
        is_sign_up_open, language: None leaves that as it is.
    """
    event.name, event.date, event.time_zone = name, date, time_zone
    event.is_listed, event.people_shown = is_listed, people_shown
    if is_sign_up_open is not None:
        event.is_sign_up_open = is_sign_up_open
    if language is not None:
        event.language = language
    event.save(update_fields=["name", "date", "time_zone", "is_listed", "people_shown", "is_sign_up_open", "language"])


def open_event(event: Event) -> None:
    """Let the crews record turns and the public follow. Repeating it changes nothing.

    Raises:
        EventArchived: it is in the archive.
    """
    if event.archived_at is not None:
        raise EventArchived(event.pk)
    Event.objects.filter(pk=event.pk, state=Event.State.DRAFT).update(state=Event.State.OPEN)
    event.state = Event.State.OPEN


@transaction.atomic
def archive_event(event: Event) -> None:
    """Put an event into the archive: it is not listed any more, and its public pages stay. Repeating it does nothing.

    Raises:
        ContestStillOpen: a contest has to be closed first, unless the event is a draft.
    """
    current = lock_event(event)
    # Reopening a contest locks its row too.
    contests = list(Contest.objects.select_for_update(no_key=True).filter(event=event).order_by("pk"))
    if current.is_open and any(contest.status == Contest.Status.OPEN for contest in contests):
        raise ContestStillOpen(event.pk)
    event.archived_at = current.archived_at or timezone.now()
    event.save(update_fields=["archived_at"])


def unarchive_event(event: Event) -> None:
    """Take an event out of the archive. Repeating it does nothing."""
    event.archived_at = None
    event.save(update_fields=["archived_at"])


def lock_event(event: Event) -> Event:
    """Return the event's current state, locked until the end of the transaction.

    So changes that depend on each other (an order, a unique number) run one after another. Writes of rows that only
    refer to the event do not wait for it.
    """
    return Event.objects.select_for_update(no_key=True).get(pk=event.pk)


@transaction.atomic
def add_organiser(event: Event, user: User, *, has_accepted: bool = False) -> Organiser:
    """Make the user an organiser of the event. Repeating it changes nothing.

    Args:
        has_accepted: whether the user has just agreed to it. Without that, no co-organiser may reset their password
            because of this event.
    """
    accepted_at = timezone.now() if has_accepted else None
    lock_account(user)
    organiser, is_new = Organiser.objects.get_or_create(event=event, user=user, defaults={"accepted_at": accepted_at})
    if is_new:
        log_change("organiser_added", event_id=event.pk, account=user.pk, has_accepted=has_accepted)
    if has_accepted and organiser.accepted_at is None:
        organiser.accepted_at = accepted_at
        organiser.save(update_fields=["accepted_at"])
    OrganiserInvitation.objects.filter(event=event, user=user).delete()
    return organiser


@transaction.atomic
def remove_organiser(organiser: Organiser) -> None:
    """Remove an organiser from an event. What they recorded stays under their name. Repeating it changes nothing.

    The invitations they created end too: with one of them they could come back.

    Raises:
        LastOrganiser: the event has no other organiser.
    """
    # Two organisers who remove each other at the same moment must not both succeed.
    event = organiser.event
    lock_event(event)
    if not event.organisers.filter(pk=organiser.pk).exists():
        return
    if not event.organisers.exclude(pk=organiser.pk).exists():
        raise LastOrganiser
    AccountLink.objects.filter(event=event, created_by=organiser.user).expire()
    OrganiserInvitation.objects.filter(event=event, created_by=organiser.user).delete()
    FormerOrganiser.objects.create(id=organiser.pk, event=event, user=organiser.user)
    organiser.delete()
    log_change("organiser_removed", event_id=event.pk, account=organiser.user_id)
