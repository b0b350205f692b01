"""Throttling of sign-ins: it limits how often a password can be guessed, but never locks out the organiser.

Terms: an *attempt* is a sign-in that has not succeeded. A browser is *known* to an account once someone has signed in
to the account with it (`browsers`).

Invariants:
- A browser has at most `PER_BROWSER` attempts for one name, whether there is such an account or not.
- All browsers that are not known to an account together have at most `FROM_UNKNOWN` attempts for its name, because
  anyone can have any number of new browsers.
- Such a browser has at most `ALL_NAMES` attempts at one network address, and all of them at an address together try at
  most `NAMES_PER_ADDRESS` different names: nobody tries one password with many names.
- A browser that is known to the account is never blocked by the attempts of others.

`record_attempt` before a password is checked, and `clear_attempts` after it was right, are all that others need.
"""

from __future__ import annotations

import hashlib
import unicodedata
from enum import StrEnum

from django.db import transaction

from scorekeeper.common.rate_limits import RateLimit, RateLimited, clear_uses, count_use, give_back_use
from scorekeeper.events.browsers import Browser

QUARTER_HOUR, HOUR = 15 * 60, 60 * 60
MAX_PER_BROWSER, MAX_FROM_UNKNOWN = 10, 60
PER_BROWSER = RateLimit("sign-in by name and browser", MAX_PER_BROWSER, QUARTER_HOUR)
FROM_UNKNOWN = RateLimit("sign-in by name", MAX_FROM_UNKNOWN, HOUR)
ALL_NAMES = RateLimit("sign-in by address and browser", 20, QUARTER_HOUR)
NAMES_PER_ADDRESS = RateLimit("names by address", 20, HOUR)
# Whether a name counts for its address already.
_SAME_NAME = RateLimit("sign-in by name and address", 1, HOUR)

MAX_NAME = 500  # characters; accounts have at most 150


class Factor(StrEnum):
    """What is tried. The text begins what is counted; no name that someone types can lead to the count of passkeys."""

    PASSWORD = ""
    PASSKEY = "passkey "


class TooManyAttempts(Exception):
    """There were too many attempts, so the password is not checked.

    Attributes:
        limit: the one that was reached.
        wait: seconds until another attempt is possible.
    """

    def __init__(self, limit: RateLimit, wait: int):
        super().__init__(limit.name, wait)
        self.limit, self.wait = limit, wait


@transaction.atomic
def record_attempt(username: str, browser: Browser, factor: Factor = Factor.PASSWORD) -> None:
    """Count an attempt before the password or the passkey is checked, so that simultaneous attempts count each other.

    Raises:
        TooManyAttempts: a limit is reached. The rejected attempt counts nowhere, so that the wait ends.
    """
    account = get_account_digest(username)
    tried = f"{factor}{account}"
    _count(PER_BROWSER, f"{tried} {browser.id}")
    if account in browser.accounts:
        return
    _count(FROM_UNKNOWN, tried)
    _count(ALL_NAMES, f"{browser.address} {browser.id}")
    try:
        count_use(_SAME_NAME, f"{browser.address} {tried}")
    except RateLimited:
        return
    _count(NAMES_PER_ADDRESS, browser.address)


def clear_attempts(username: str, browser: Browser, factor: Factor = Factor.PASSWORD) -> None:
    """After the right password or passkey, start counting anew for the browser and the account, and take back this one.

    Wrong passwords for other names stay: anyone with an account could otherwise guess without end.
    """
    account = get_account_digest(username)
    tried = f"{factor}{account}"
    clear_uses(PER_BROWSER, f"{tried} {browser.id}")
    if account in browser.accounts:
        return
    give_back_use(FROM_UNKNOWN, tried)
    give_back_use(ALL_NAMES, f"{browser.address} {browser.id}")
    if give_back_use(_SAME_NAME, f"{browser.address} {tried}"):
        give_back_use(NAMES_PER_ADDRESS, browser.address)


def get_account_digest(username: str) -> str:
    """Return the digest under which an account is stored: the same for the same account, and different for any other.

    The name is brought into the form in which accounts are stored. Its case stays: "Anna" is not the account "anna",
    and a browser that is known to the one is not known to the other. A text that is longer than any name stays as it
    is, since the time to bring it into that form grows with the square of its accents.
    """
    name = username.strip()
    stored = unicodedata.normalize("NFKC", name) if len(name) <= MAX_NAME else name
    return hashlib.sha256(stored.encode()).hexdigest()


def _count(limit: RateLimit, subject: str) -> None:
    try:
        count_use(limit, subject)
    except RateLimited as limited:
        raise TooManyAttempts(limit, limited.wait) from None
