"""The browsers that organisers sign in with. Each has an id and remembers which accounts have signed in there.

Terms: a browser is *known* to an account once someone has signed in to the account with it.

Invariants:
- The id and the accounts are in a signed cookie, so nobody can make a browser known by forging it.
- The cookie gives access to nothing and contains no names.
"""

from __future__ import annotations

import datetime as dt
import secrets
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from scorekeeper.common.client_address import get_client_address
from scorekeeper.common.cookies import get_cookie_name

BROWSER_COOKIE = "tailgunner_browser"
COOKIE_LIFETIME = dt.timedelta(days=400)  # as long as browsers keep any cookie
MAX_ACCOUNTS = 8  # accounts remembered per browser, the most recent ones
_SALT = "scorekeeper.events.browsers"


@dataclass(frozen=True)
class Browser:
    """A browser, as its cookie and its connection describe it.

    Attributes:
        id: its id; "" without a cookie. All browsers without a cookie count as the same one.
        accounts: the digests of the accounts it is known to.
        address: the network address that it is used at (`get_client_address`).
    """

    id: str = ""
    accounts: tuple[str, ...] = ()
    address: str = ""


def get_browser(request: HttpRequest) -> Browser:
    """Return the browser that sent the request."""
    address = get_client_address(request)
    try:
        data: dict[str, Any] = signing.loads(
            request.COOKIES.get(get_cookie_name(BROWSER_COOKIE), ""), salt=_SALT, max_age=COOKIE_LIFETIME
        )
    except signing.BadSignature:
        return Browser(address=address)
    return Browser(data["id"], tuple(data["accounts"]), address)


def ensure_browser_id(request: HttpRequest, response: HttpResponse) -> None:
    """Give the browser an id if it has none."""
    if not get_browser(request).id:
        _set_cookie(response, _make_browser())


def add_known_account(request: HttpRequest, response: HttpResponse, account: str) -> None:
    """Make the browser known to an account.

    Args:
        account: the digest of the name that was used to sign in.
    """
    browser = get_browser(request)
    others = [known for known in browser.accounts if known != account]
    _set_cookie(
        response, replace(browser if browser.id else _make_browser(), accounts=(*others, account)[-MAX_ACCOUNTS:])
    )


def _make_browser() -> Browser:
    return Browser(secrets.token_urlsafe(16))


def _set_cookie(response: HttpResponse, browser: Browser) -> None:
    response.set_cookie(
        get_cookie_name(BROWSER_COOKIE),
        signing.dumps({"id": browser.id, "accounts": browser.accounts}, salt=_SALT),
        max_age=COOKIE_LIFETIME,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
