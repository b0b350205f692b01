"""Keeping guesses at a password rare.

Terms: an *attempt* is a sign-in that has not succeeded. At most `MOST` of them in `WITHIN` are answered for one
account, whether it exists or not; others, also from the same address, are not affected.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import unicodedata

from django.utils import timezone

from scorekeeper.events.models import SignInAttempt

MOST = 10
WITHIN = dt.timedelta(minutes=15)


class TooManyAttempts(Exception):
    """The account has been guessed at too often; its password is not even looked at."""


def note_attempt(username: str) -> None:
    """Count an attempt before the password is looked at.

    It is written before it is counted, so that guesses made at the same moment see each other.

    Raises:
        TooManyAttempts: the account had its share; this one is not counted, so that the wait has an end.
    """
    now = timezone.now()
    SignInAttempt.objects.filter(at__lte=now - WITHIN).delete()
    account = _get_digest(username)
    attempt = SignInAttempt.objects.create(account_digest=account, at=now)
    if SignInAttempt.objects.filter(account_digest=account).count() > MOST:
        attempt.delete()
        raise TooManyAttempts


def forget_attempts(username: str) -> None:
    """Start afresh once the right password was given."""
    SignInAttempt.objects.filter(account_digest=_get_digest(username)).delete()


def _get_digest(username: str) -> str:
    alike = unicodedata.normalize("NFKC", username).strip().casefold()
    return hashlib.sha256(alike.encode()).hexdigest()
