"""Throttling of sign-ins: it limits how often a password can be guessed, but never locks out the organiser.

Terms: an *attempt* is a sign-in that has not succeeded.

Invariants:
- A browser has at most `MAX_PER_BROWSER` attempts in `BROWSER_WINDOW` for one account, whether the account exists or
  not.
- All browsers that are not known to the account (see `browsers`) together have at most `MAX_FROM_UNKNOWN` attempts in
  `UNKNOWN_WINDOW`, because anyone can have any number of new browsers.
- A browser that is known to the account is never blocked by the attempts of others.
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
    """There were too many attempts, so the password is not checked.

    Attributes:
        is_from_unknown: whether all unknown browsers together reached their limit, and not this browser its own.
    """

    def __init__(self, *, is_from_unknown: bool):
        super().__init__(is_from_unknown)
        self.is_from_unknown = is_from_unknown


def record_attempt(username: str, browser: Browser) -> None:
    """Count an attempt before the password is checked.

    It is written before the attempts are counted, so that simultaneous attempts count each other.

    Raises:
        TooManyAttempts: the browser, or all unknown browsers together, reached the limit. The rejected attempt does
            not count, so that the wait ends.
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
    """Reset the count of a browser after a successful sign-in."""
    own = SignInAttempt.objects.filter(browser_digest=_get_digest(browser.id))
    own.filter(account_digest=get_account_digest(username)).delete()


def get_account_digest(username: str) -> str:
    """Return the digest under which an account is stored. It does not depend on case or Unicode form of the name."""
    return _get_digest(unicodedata.normalize("NFKC", username).strip().casefold())


def _get_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
