"""What a browser session holds about passkeys: a sign-in that needs one, a passkey being added, and the challenge.

Terms: a sign-in is *pending* after the right password, if the account has a passkey. Nobody is signed in yet: the
session has no user, only the note kept here.

Invariants:
- A pending sign-in ends after `LIFETIME`, when it is completed, and when the account gets another password.
- Only the session that began a ceremony knows its challenge, and forgets it with the first response.
"""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

LIFETIME = dt.timedelta(minutes=10)
PENDING_SIGN_IN, NEW_PASSKEY, CHALLENGE = "pending_sign_in", "new_passkey", "passkey_challenge"


def begin_pending_sign_in(request: HttpRequest, user: User) -> None:
    """Remember that the password of the account was right. The session gets a new key, as it does at sign-in."""
    request.session.cycle_key()
    request.session[PENDING_SIGN_IN] = {
        "user": user.pk,
        "password": user.get_session_auth_hash(),
        "expires_at": _get_expiry(),
    }


def get_pending_user(request: HttpRequest) -> User | None:
    """Return whose sign-in is pending in this session; None if it has expired or there is none."""
    pending = _get_current(request, PENDING_SIGN_IN)
    user = User.objects.filter(pk=pending["user"], is_active=True).first() if pending else None
    if user is None or not constant_time_compare(pending["password"], user.get_session_auth_hash()):
        return None
    return user


def begin_new_passkey(request: HttpRequest, name: str) -> None:
    """Remember the name of the passkey that is being added, and with it that the password was entered again."""
    request.session[NEW_PASSKEY] = {"name": name, "expires_at": _get_expiry()}


def get_new_passkey_name(request: HttpRequest) -> str | None:
    """Return the name of the passkey that is being added; None if that has expired or none is."""
    new = _get_current(request, NEW_PASSKEY)
    return new["name"] if new else None


def set_challenge(request: HttpRequest, challenge_id: UUID) -> None:
    """Remember the ceremony that the page begins; another one that was begun is forgotten."""
    request.session[CHALLENGE] = str(challenge_id)


def take_challenge(request: HttpRequest) -> UUID | None:
    """Return the ceremony that the page has begun, and forget it."""
    challenge_id = request.session.pop(CHALLENGE, None)
    return UUID(challenge_id) if challenge_id else None


def end_passkey_step(request: HttpRequest) -> None:
    """Forget all of it."""
    for name in (PENDING_SIGN_IN, NEW_PASSKEY, CHALLENGE):
        request.session.pop(name, None)


def _get_expiry() -> float:
    return (timezone.now() + LIFETIME).timestamp()


def _get_current(request: HttpRequest, name: str) -> Any:
    found = request.session.get(name)
    return found if found and timezone.now().timestamp() < found["expires_at"] else None
