"""Access tokens: creating and revoking them, and storing when they were last used.

Invariant: the secret leaves this module only once, with the new token; only its digest is stored.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scorekeeper.common.secret_links import hash_token, make_token
from scorekeeper.common.security_log import log_change
from scorekeeper.events.models import AccessToken
from scorekeeper.events.services.account_lock import lock_account_for_access

PREFIX = "tgp_"  # tells people, and programs that look for leaked secrets, what it is
USE_INTERVAL = dt.timedelta(minutes=1)


@transaction.atomic
def create_access_token(
    user: User, name: str, scope: AccessToken.Scope, lifetime: dt.timedelta
) -> tuple[AccessToken, str]:
    """Return a new token of the account, and its secret.

    Raises:
        AccessEnded: the account has got another password meanwhile, or was deactivated.
    """
    lock_account_for_access(user)
    secret = PREFIX + make_token()
    token = AccessToken.objects.create(
        user=user, name=name, scope=scope, token_digest=hash_token(secret), expires_at=timezone.now() + lifetime
    )
    log_change("token_created", program=token.pk, account=user.pk, scope=scope)
    return token, secret


def revoke_access_token(token: AccessToken) -> None:
    """End a token for good. Repeating it changes nothing."""
    if AccessToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
        log_change("token_revoked", program=token.pk, account=token.user_id)


def revoke_access_tokens(user: User, *, kept: Collection[UUID] = ()) -> None:
    """End all tokens of the account.

    Args:
        kept: the ids of those that go on.
    """
    revoked = (
        AccessToken.objects.filter(user=user, revoked_at=None).exclude(pk__in=kept).update(revoked_at=timezone.now())
    )
    if revoked:
        log_change("tokens_revoked", account=user.pk, count=revoked)


def record_token_use(token: AccessToken) -> None:
    """Store that the token was used: at most once a minute, to avoid a write on every request."""
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at >= USE_INTERVAL:
        AccessToken.objects.filter(pk=token.pk).update(last_used_at=now)
        token.last_used_at = now
        log_change("token_used", program=token.pk, account=token.user_id)
