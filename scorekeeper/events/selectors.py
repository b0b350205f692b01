"""Database reads for events, their contests and organisers.

Derived: an event is *official* when it has contests and all of them are official.
"""

from __future__ import annotations

import datetime as dt
import zoneinfo
from collections.abc import Iterable
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string

from scorekeeper.common.compiled_query import CompiledQuery
from scorekeeper.common.names import fold_name
from scorekeeper.common.secret_links import hash_token
from scorekeeper.events.models import (
    AccessToken,
    AccountLink,
    AccountLinks,
    AccountSession,
    Contest,
    DeletedEvent,
    Event,
    Freeze,
    Organiser,
    OrganiserInvitation,
    Passkey,
)


def list_events(user: User) -> QuerySet[Event]:
    """Return the events that the user organises, the latest day first, with their contests prefetched."""
    return Event.objects.filter(organisers__user=user).prefetch_related("contests").order_by("-date", "name")


def list_listed_events(*, with_archived: bool = False) -> QuerySet[Event]:
    """Return the open events that the front page lists, the latest day first, with their contests prefetched.

    An event in the archive is not listed any more. Practice copies never are. The demo's rides, which are practice
    events of no ride, are listed only while the installation has no ride of its own.

    Args:
        with_archived: whether those that were listed until they were archived are returned, too.
    """
    listed = Event.objects.filter(state=Event.State.OPEN, is_listed=True, practice_of=None)
    if not with_archived:
        listed = listed.filter(archived_at=None)
    if Event.objects.filter(is_practice=False).exists():
        listed = listed.filter(is_practice=False)
    return listed.prefetch_related("contests").order_by("-date", "name")


def get_practice_event(ride: Event) -> Event | None:
    """Return the practice event of a ride, if it has one."""
    return Event.objects.filter(practice_of=ride, is_practice=True).order_by("-created_at").first()


def is_counterpart(event: Event, other: Event) -> bool:
    """Return whether one of the two events is the practice of the other."""
    return event.practice_of_id == other.pk or other.practice_of_id == event.pk


def get_open_event(slug: str) -> Event | None:
    """Return an event that the public can see, listed or not; None for a draft."""
    return Event.objects.filter(slug=slug, state=Event.State.OPEN).first()


def is_listed_event(slug: str) -> bool:
    """Return whether an open event that the front page lists, or has listed, has this slug."""
    return bool(_LISTED_EVENT_QUERY.fetch(slug=slug))


# Runs on every visit of a public page of an event.
_LISTED_EVENT_QUERY = CompiledQuery(
    lambda slug: Event.objects.filter(slug=slug, state=Event.State.OPEN, is_listed=True, practice_of=None),
    {"slug": "the slug of an event"},
)


def get_deleted_event(slug: str) -> DeletedEvent | None:
    """Return what is left of a deleted event that had this slug."""
    return DeletedEvent.objects.filter(slug=slug).first()


def get_open_contest(slug: str, contest_slug: str) -> Contest | None:
    """Return a contest that the public can see, with its event; None if the event is a draft."""
    return next(iter(_OPEN_CONTEST_QUERY.fetch(slug=slug, contest_slug=contest_slug)), None)


def _filter_open_contests(slug: str, contest_slug: str) -> QuerySet[Contest]:
    contests = Contest.objects.select_related("event")
    return contests.filter(slug=contest_slug, event__slug=slug, event__state=Event.State.OPEN)


# Runs on every request for a page of a contest.
_OPEN_CONTEST_QUERY = CompiledQuery(
    _filter_open_contests, {"slug": "the slug of an event", "contest_slug": "the slug of a contest"}
)


def get_organiser(user: User, slug: str) -> Organiser | None:
    """Return the user as organiser of the event with this slug, with the event; None if they do not organise it."""
    return next(iter(_ORGANISER_QUERY.fetch(slug=slug, user=user.pk)), None)


# Runs on every request from an organiser.
_ORGANISER_QUERY = CompiledQuery(
    lambda slug, user: Organiser.objects.select_related("event").filter(event__slug=slug, user=user),
    {"slug": "the slug of an event", "user": -1},
)


def is_organiser(user: User, event_id: UUID) -> bool:
    """Return whether the user organises the event with this id."""
    return Organiser.objects.filter(event=event_id, user=user).exists()


def list_organisers(event: Event) -> QuerySet[Organiser]:
    """Return the organisers of the event, with their accounts."""
    return event.organisers.select_related("user").order_by("user__username")


def has_accounts() -> bool:
    """Return whether anyone has an account. Before that, the set-up link creates the first."""
    return User.objects.exists()


def is_account_name_taken(name: str) -> bool:
    """Return whether an account has this name, ignoring case: of all letters, which not every database can."""
    names = User.objects.values_list("username", flat=True)
    return name.casefold() in {taken.casefold() for taken in names.iterator()}


def get_account_link(token: str, purpose: AccountLink.Purpose) -> AccountLink | None:
    """Return the link of this purpose, usable or not, with its event and its people."""
    links = AccountLink.objects.select_related("event", "user", "created_by")
    return links.filter(token_digest=hash_token(token), purpose=purpose).first()


def list_open_invites(event: Event) -> AccountLinks:
    """Return the invitations to organise the event that can still be used, the newest first."""
    invites = AccountLink.objects.filter(event=event, purpose=AccountLink.Purpose.INVITE)
    return invites.usable().select_related("created_by").order_by("-created_at")


def list_reset_links(user: User, since: dt.datetime | None = None) -> AccountLinks:
    """Return the links that were created to give the user a new password, the newest first.

    Args:
        since: only those that were created or used after this time; None for all.
    """
    links = AccountLink.objects.filter(user=user, purpose=AccountLink.Purpose.RESET)
    if since is not None:
        links = links.filter(Q(created_at__gt=since) | Q(consumed_at__gt=since))
    return links.select_related("created_by").order_by("-created_at")


def get_access_token(secret: str) -> AccessToken | None:
    """Return the token with its account, usable or not."""
    return AccessToken.objects.select_related("user").filter(token_digest=hash_token(secret)).first()


def list_access_tokens(user: User) -> QuerySet[AccessToken]:
    """Return the tokens of the account, the newest first."""
    return AccessToken.objects.filter(user=user).order_by("-created_at", "pk")


def can_reset_password(helper: User, user: User) -> bool:
    """Return whether a co-organiser may create a link with which the user gets a new password.

    Anyone with such a link can act as the user. So the two must organise an event together that the user has agreed to
    organise, the helper must organise every event that the user does, and the user must have no other rights: then the
    link gives access to nothing new.
    """
    organised = Organiser.objects.filter(user=user)
    return (
        helper != user
        and has_accepted(helper, user)
        and not organised.exclude(event__organisers__user=helper).exists()
        and not has_further_rights(user)
    )


def has_further_rights(user: User) -> bool:
    """Return whether the user can do more than organise events, as apps above this one say (`FURTHER_RIGHTS`)."""
    return any(import_string(path)(user) for path in settings.FURTHER_RIGHTS)


def has_accepted(helper: User, user: User) -> bool:
    """Return whether the user has agreed to organise an event that the helper organises too."""
    accepted = Organiser.objects.filter(user=user, accepted_at__isnull=False)
    return accepted.filter(event__organisers__user=helper).exists()


def list_sent_invitations(event: Event) -> QuerySet[OrganiserInvitation]:
    """Return the invitations by name to organise the event, the newest first; declined ones too, until they expire."""
    sent = OrganiserInvitation.objects.filter(event=event, expires_at__gt=timezone.now())
    return sent.select_related("created_by").order_by("-created_at", "pk")


def list_received_invitations(user: User) -> QuerySet[OrganiserInvitation]:
    """Return the invitations that the user can answer, the newest first, with their events."""
    received = OrganiserInvitation.objects.open().filter(user=user)
    return received.select_related("event", "created_by").order_by("-created_at", "pk")


def list_unconfirmed(user: User) -> QuerySet[Organiser]:
    """Return the user as organiser of events that they have not agreed to organise, with the events."""
    unconfirmed = Organiser.objects.filter(user=user, accepted_at=None)
    return unconfirmed.select_related("event").order_by("-event__date", "event__name")


def get_account_session(key_digest: str) -> AccountSession | None:
    """Return what is recorded about the session; None until it is used."""
    return next(iter(_ACCOUNT_SESSION_QUERY.fetch(key_digest=key_digest)), None)


# Runs on every request from an organiser.
_ACCOUNT_SESSION_QUERY = CompiledQuery(
    lambda key_digest: AccountSession.objects.filter(key_digest=key_digest), {"key_digest": "a digest"}
)


def list_contests(event: Event) -> QuerySet[Contest]:
    """Return the event's contests in order."""
    return event.contests.order_by("ordinal", "name")


def has_dice(contests: Iterable[Contest]) -> bool:
    """Return whether any of the contests has dice, so that pages about dice have something to say."""
    return any(contest.has_dice for contest in contests)


def get_contest(event: Event, slug: str) -> Contest:
    """Return a contest of the event, or raise `Contest.DoesNotExist`."""
    return event.contests.select_related("event").get(slug=slug)


def is_name_taken(contest: Contest, name: str) -> bool:
    """Return whether another contest of the same event has this name, ignoring case."""
    others = contest.event.contests.exclude(pk=contest.pk).values_list("name", flat=True)
    return fold_name(name) in {fold_name(other) for other in others}


def find_free_name(contest: Contest, name: str) -> str:
    """Return the name, or the first of "Rogue 2", "Rogue 3" ... that no other contest of the event has."""
    free, number = name, 2
    while is_name_taken(contest, free):
        free, number = f"{name} {number}", number + 1
    return free


def is_official(event: Event) -> bool:
    """Return whether the event has contests and all of them are official."""
    contests = event.contests.all()
    return bool(contests) and all(contest.status == Contest.Status.OFFICIAL for contest in contests)


def list_unofficial_contests(event: Event) -> list[Contest]:
    """Return the contests of an event that have no official result now."""
    return list(list_contests(event).exclude(status=Contest.Status.OFFICIAL))


def get_freeze(event: Event) -> Freeze | None:
    """Return the freeze of the event's standings; None while they are not frozen."""
    return next(iter(_FREEZE_QUERY.fetch(event=event.pk)), None)


# Runs on every request for a page of a contest.
_FREEZE_QUERY = CompiledQuery(
    lambda event: Freeze.objects.filter(event_id=event, at__isnull=False), {"event": UUID(int=1)}
)


def has_begun(event: Event) -> bool:
    """Return whether anything has been recorded for any contest of the event."""
    return event.contests.filter(frozen_at__isnull=False).exists()


def has_closed_contest(event: Event) -> bool:
    """Return whether a contest of the event is closed or official now."""
    return event.contests.exclude(status=Contest.Status.OPEN).exists()


def get_share_link(event: Event) -> str:
    """Return the URL to share. It is the only way to an event that is not listed."""
    return f"{settings.BASE_URL}/events/{event.slug}/"


def get_default_time_zone(user: User) -> str:
    """Return the time zone of the user's latest event, or the server's if they have none."""
    last = list_events(user).prefetch_related(None).values_list("time_zone", flat=True).first()
    return last or timezone.get_default_timezone_name()


def list_time_zones() -> list[str]:
    """Return the names of all time zones of real places, in alphabetical order."""
    return sorted(name for name in zoneinfo.available_timezones() if "/" in name and not name.startswith("Etc/"))


def list_passkeys(user: User, host: str | None = None) -> QuerySet[Passkey]:
    """Return the passkeys of the account, the oldest first.

    Args:
        host: only those made for this host name; None for all.
    """
    passkeys = Passkey.objects.filter(user=user)
    if host is not None:
        passkeys = passkeys.filter(host=host)
    return passkeys.order_by("created_at", "pk")
