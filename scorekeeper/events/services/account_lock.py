"""The lock of an account: what it organises and what gives access to it change one after the other."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.contrib.sessions.exceptions import SessionInterrupted


class AccessEnded(SessionInterrupted):
    """The account got another password or was deactivated while the request was handled, which was let in before."""


def lock_account(user: User) -> None:
    """Lock the account until the end of the transaction. Writes of rows that only refer to it do not wait for it."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)


def lock_account_for_access(user: User) -> None:
    """Lock the account of a request that creates something that gives access, such as a token.

    Checking a password takes a tenth of a second, in which the owner may change it: what a request from before created
    afterwards would go on.

    Args:
        user: the account as the request found it.

    Raises:
        AccessEnded: the password is not the same any more, or the account was deactivated.
    """
    current = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if current.password != user.password or not current.is_active:
        raise AccessEnded("Your access to the account has ended meanwhile. Sign in again.")
