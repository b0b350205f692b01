"""One-time links for accounts: for the first organiser, for further organisers, and for a new password.

Invariants:
- Only one person can use a link, however many open it at once.
- A set-up link works only while nobody has an account. A newer one replaces it.
- A co-organiser's link for a new password is checked again when it is used: the person may organise more by then.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scorekeeper.common.secret_links import hash_token, make_token
from scorekeeper.common.security_log import log_change, log_refusal
from scorekeeper.events.models import AccountLink, Event
from scorekeeper.events.selectors import can_reset_password, has_accounts
from scorekeeper.events.services.account_lock import lock_account, lock_account_for_access
from scorekeeper.events.services.accounts import change_password, create_account
from scorekeeper.events.services.events import add_organiser
from scorekeeper.events.services.organiser_invitations import decline_invitations

Purpose = AccountLink.Purpose
LIFETIMES = {
    Purpose.SETUP: dt.timedelta(hours=24),
    Purpose.INVITE: dt.timedelta(days=7),
    Purpose.RESET: dt.timedelta(hours=24),
}
NewLink = tuple[AccountLink, str]  # the link, and the token for its URL


class LinkUnusable(Exception):
    """The link has been used or has expired, or what it was made for is no longer possible."""


class AlreadySetUp(Exception):
    """Someone has an account, so there is no first organiser any more."""


class ResetNotAllowed(Exception):
    """The co-organiser may not give this person a new password (see `can_reset_password`)."""


@transaction.atomic
def create_setup_link() -> NewLink:
    """Return a new link for the first organiser; earlier ones expire.

    Raises:
        AlreadySetUp: someone has an account.
    """
    if has_accounts():
        raise AlreadySetUp
    AccountLink.objects.filter(purpose=Purpose.SETUP).expire()
    return _create(Purpose.SETUP)


@transaction.atomic
def create_invite(event: Event, created_by: User) -> NewLink:
    """Return a new link with which one more person organises the event.

    Raises:
        AccessEnded: the account that creates it has got another password meanwhile, or was deactivated.
    """
    lock_account_for_access(created_by)
    return _create(Purpose.INVITE, event=event, created_by=created_by)


@transaction.atomic
def create_reset_link(user: User, created_by: User | None) -> NewLink:
    """Return a new link with which the user chooses a new password; earlier ones expire.

    Args:
        created_by: the co-organiser who asks for it; None for the operator, who may reset any password.

    Raises:
        ResetNotAllowed: the co-organiser may not.
        AccessEnded: their account has got another password meanwhile, or was deactivated.
    """
    if created_by is not None:
        lock_account_for_access(created_by)
        if not can_reset_password(created_by, user):
            raise ResetNotAllowed
    AccountLink.objects.filter(purpose=Purpose.RESET, user=user).expire()
    return _create(Purpose.RESET, user=user, created_by=created_by)


@transaction.atomic
def use_setup_link(link: AccountLink, username: str, password: str) -> User:
    """Return the account of the first organiser.

    Raises:
        LinkUnusable: someone else was first, or the link has expired.
        ValidationError: the name or the password is not accepted; the link stays usable.
    """
    _consume(link)
    if has_accounts():
        raise LinkUnusable
    return create_account(username, password)


@transaction.atomic
def accept_invite(link: AccountLink, user: User) -> Event:
    """Make a person who has an account an organiser of the event.

    Raises:
        LinkUnusable: the link has been used, withdrawn or has expired.
    """
    _consume(link)
    assert link.event is not None, "every invitation has one"
    add_organiser(link.event, user, has_accepted=True)
    return link.event


@transaction.atomic
def accept_invite_with_new_account(link: AccountLink, username: str, password: str) -> User:
    """Return a new account that organises the event.

    Raises:
        LinkUnusable: the link has been used, withdrawn or has expired.
        ValidationError: the name or the password is not accepted; the link stays usable.
    """
    user = create_account(username, password)
    accept_invite(link, user)
    return user


@transaction.atomic
def use_reset_link(link: AccountLink, password: str) -> None:
    """Give the person of the link a new password, and end all access with the old one (`accounts.end_access`).

    A co-organiser's link also declines invitations by name that the person has not answered: anyone with the link
    could accept them and so get into another event.

    Raises:
        LinkUnusable: the link has been used or has expired, or its creator may no longer reset this password.
    """
    assert link.user is not None, "every link for a new password has one"
    lock_account(link.user)
    _consume(link)
    if not is_reset_allowed(link):
        raise LinkUnusable
    change_password(link.user, password)
    if link.created_by is not None:
        decline_invitations(link.user)


def is_reset_allowed(link: AccountLink) -> bool:
    """Return whether the creator of a link for a new password may still reset it."""
    assert link.user is not None, "every link for a new password has one"
    helper = link.created_by
    return helper is None or (helper.is_active and can_reset_password(helper, link.user))


def _create(purpose: AccountLink.Purpose, **fields: Any) -> NewLink:
    token = make_token()
    link = AccountLink.objects.create(
        purpose=purpose, token_digest=hash_token(token), expires_at=timezone.now() + LIFETIMES[purpose], **fields
    )
    log_change(
        "link_created",
        link=link.pk,
        purpose=link.purpose,
        account=link.user_id,
        event_id=link.event_id,
        by=link.created_by_id,
    )
    return link, token


def _consume(link: AccountLink) -> None:
    if not AccountLink.objects.filter(pk=link.pk).consume():
        log_refusal("link_refused", link=link.pk, purpose=link.purpose)
        raise LinkUnusable
    log_change("link_used", link=link.pk, purpose=link.purpose, account=link.user_id, event_id=link.event_id)
