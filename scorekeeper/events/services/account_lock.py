"""The lock of an account: what it organises does not change while somebody else sets its password."""

from __future__ import annotations

from django.contrib.auth.models import User


def lock_account(user: User) -> None:
    """Lock the account until the end of the transaction. Writes of rows that only refer to it do not wait for it."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
