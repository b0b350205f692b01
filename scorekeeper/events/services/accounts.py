"""Organisers' accounts and their passwords, and ending all access that an account gives.

Invariant: no session outlives a change of the password, "Sign out everywhere" or a deactivation, and no access token
but one that its owner kept on purpose when they changed the password. Streams of live pages need no end: everyone
may see what they carry.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from functools import reduce
from operator import or_
from uuid import UUID

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q

from scorekeeper.common.security_log import log_change
from scorekeeper.events.models import AccessToken, AccountLink, AccountSession, OrganiserInvitation
from scorekeeper.events.services.access_tokens import revoke_access_tokens
from scorekeeper.events.services.account_lock import lock_account
from scorekeeper.events.services.sessions import end_sessions

# Passwords are read aloud and typed on phones, so there are no characters that look alike.
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def generate_password() -> str:
    """Return a password that nobody can guess: four groups of four characters, about 79 bits."""
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(4)) for _ in range(4))


def create_account(username: str, password: str) -> User:
    """Return a new account that can create events.

    Raises:
        ValidationError: the name is taken or invalid, or the password is too easy.
    """
    user = User(username=username)
    user.full_clean(exclude=["password"])
    validate_password(password, user)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
            log_change("account_created", account=user.pk)
    except IntegrityError as error:  # someone chose the same name at the same moment
        taken: ValidationError = user.unique_error_message(User, ("username",))
        raise ValidationError({"username": taken}) from error
    return user


@transaction.atomic
def change_password(
    user: User, password: str, *, kept_tokens: Collection[UUID] = (), kept_session: str | None = None
) -> None:
    """Give the user another password. Whatever gave access with the old one ends, see `end_access`.

    Args:
        kept_tokens: the ids of access tokens that go on, because the owner said so.
        kept_session: the key of the session in which the owner changes it.
    """
    user.set_password(password)
    user.save(update_fields=["password"])
    end_access(user, kept_tokens=kept_tokens, kept_session=kept_session)


@transaction.atomic
def deactivate_account(user: User) -> None:
    """Keep the user from signing in, and end all access. Repeating it changes nothing."""
    user.is_active = False
    user.save(update_fields=["is_active"])
    end_access(user)


def activate_account(user: User) -> None:
    """Let the user sign in again. What ended with the deactivation stays ended."""
    user.is_active = True
    user.save(update_fields=["is_active"])


@transaction.atomic
def end_access(user: User, *, kept_tokens: Collection[UUID] = (), kept_session: str | None = None) -> None:
    """End whatever somebody who had got into the account could go on with.

    These are its sessions and access tokens, the unused links for a new password of it, and the links and invitations
    that were created with it.

    Args:
        kept_tokens: the ids of access tokens that go on.
        kept_session: the key of a session that goes on.
    """
    lock_account(user)  # what is being created with it is there when the lock is given
    log_change("access_ended", account=user.pk, kept_programs=len(kept_tokens))
    end_sessions(user, kept_key=kept_session)
    revoke_access_tokens(user, kept=kept_tokens)
    AccountLink.objects.filter(Q(user=user, purpose=AccountLink.Purpose.RESET) | Q(created_by=user)).expire()
    OrganiserInvitation.objects.filter(created_by=user).delete()


def end_access_of_inactive_accounts() -> None:
    """End what is left of accounts that were deactivated in another way than by `deactivate_account`."""
    left = (
        AccessToken.objects.filter(revoked_at=None).values("user"),
        AccountSession.objects.values("user"),
        AccountLink.objects.usable().exclude(created_by=None).values("created_by"),
        OrganiserInvitation.objects.values("created_by"),
    )
    with_access = reduce(or_, (Q(pk__in=accounts) for accounts in left))
    for user in User.objects.filter(with_access, is_active=False):
        end_access(user)
