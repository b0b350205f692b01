"""Keeping guesses at a password rare, without letting whoever guesses lock out the organiser.

Terms: an *attempt* is a sign-in that has not succeeded. A browser has at most `MOST` of them in `WITHIN` for one
account, whether the account exists or not. All browsers that are not known to it (see `browsers`) have at most
`MOST_OF_ALL` in `WITHIN_OF_ALL` together, since anybody can have as many new browsers as they like.

Invariant: what others do never keeps out a browser that is known to the account.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import unicodedata

from django.utils import timezone

from scorekeeper.events.browsers import Browser
from scorekeeper.events.models import SignInAttempt

MOST, WITHIN = 10, dt.timedelta(minutes=15)
MOST_OF_ALL, WITHIN_OF_ALL = 60, dt.timedelta(hours=1)


class TooManyAttempts(Exception):
    """The password is not even looked at.

    Attributes:
        is_of_all: whether unknown browsers together have guessed too often, and not this one.
    """

    def __init__(self, *, is_of_all: bool):
        super().__init__(is_of_all)
        self.is_of_all = is_of_all


def note_attempt(username: str, browser: Browser) -> None:
    """Count an attempt before the password is looked at.

    It is written before it is counted, so that guesses made at the same moment see each other.

    Raises:
        TooManyAttempts: the browser had its share, or all that are not known had theirs; this one is not counted, so
            that the wait has an end.
    """
    now = timezone.now()
    SignInAttempt.objects.filter(at__lte=now - WITHIN_OF_ALL).delete()
    account = get_account(username)
    is_known = account in browser.accounts
    attempt = SignInAttempt.objects.create(
        account_digest=account, browser_digest=_get_digest(browser.id), is_known=is_known, at=now
    )
    of_account = SignInAttempt.objects.filter(account_digest=account)
    own = of_account.filter(browser_digest=attempt.browser_digest, at__gt=now - WITHIN)
    is_of_all = not is_known and of_account.filter(is_known=False).count() > MOST_OF_ALL
    if is_of_all or own.count() > MOST:
        attempt.delete()
        raise TooManyAttempts(is_of_all=is_of_all)


def forget_attempts(username: str, browser: Browser) -> None:
    """Let a browser start afresh once the right password was given there."""
    own = SignInAttempt.objects.filter(browser_digest=_get_digest(browser.id))
    own.filter(account_digest=get_account(username)).delete()


def get_account(username: str) -> str:
    """Return the digest by which an account is counted and remembered, however its name is written."""
    return _get_digest(unicodedata.normalize("NFKC", username).strip().casefold())


def _get_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
