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

MAX_PER_BROWSER, BROWSER_WINDOW = 10, dt.timedelta(minutes=15)
MAX_FROM_UNKNOWN, UNKNOWN_WINDOW = 60, dt.timedelta(hours=1)


class TooManyAttempts(Exception):
    """The password is not even looked at.

    Attributes:
        is_from_unknown: whether unknown browsers together have guessed too often, and not this one.
    """

    def __init__(self, *, is_from_unknown: bool):
        super().__init__(is_from_unknown)
        self.is_from_unknown = is_from_unknown


def record_attempt(username: str, browser: Browser) -> None:
    """Count an attempt before the password is looked at.

    It is written before it is counted, so that guesses made at the same moment see each other.

    Raises:
        TooManyAttempts: the browser had its share, or all that are not known had theirs; this one is not counted, so
            that the wait has an end.
    """
    now = timezone.now()
    SignInAttempt.objects.filter(at__lte=now - UNKNOWN_WINDOW).delete()
    account = get_account_digest(username)
    is_known = account in browser.accounts
    attempt = SignInAttempt.objects.create(
        account_digest=account, browser_digest=_get_digest(browser.id), is_known=is_known, at=now
    )
    of_account = SignInAttempt.objects.filter(account_digest=account)
    own = of_account.filter(browser_digest=attempt.browser_digest, at__gt=now - BROWSER_WINDOW)
    is_from_unknown = not is_known and of_account.filter(is_known=False).count() > MAX_FROM_UNKNOWN
    if is_from_unknown or own.count() > MAX_PER_BROWSER:
        attempt.delete()
        raise TooManyAttempts(is_from_unknown=is_from_unknown)


def clear_attempts(username: str, browser: Browser) -> None:
    """Let a browser start afresh once the right password was given there."""
    own = SignInAttempt.objects.filter(browser_digest=_get_digest(browser.id))
    own.filter(account_digest=get_account_digest(username)).delete()


def get_account_digest(username: str) -> str:
    """Return the digest by which an account is counted and remembered, however its name is written."""
    return _get_digest(unicodedata.normalize("NFKC", username).strip().casefold())


def _get_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
