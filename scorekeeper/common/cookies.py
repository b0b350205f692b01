"""Cookie names. Over TLS they begin with `__Host-`, so that no other host of the same domain can set or read them.

Browsers from before that change have cookies without the prefix. Those of a crew phone are renamed once, since signing
a phone out in the middle of a ride is the worst that could happen. Session cookies are not renamed: someone who planted
one could make an organiser work in the wrong account, and an organiser can sign in again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

HOST_PREFIX = "__Host-"
# The cookies that are renamed, and whether scripts may read them. They last as long as a new device's cookies.
RENAMED_COOKIES = {
    "tailgunner_device": False,
    "tailgunner_phone": True,
    "tailgunner_browser": False,
    "csrftoken": False,
}
RENAMED_MAX_AGE = dt.timedelta(days=90)


def get_cookie_name(name: str) -> str:
    """Return the name that one of our cookies has at the site's public address."""
    return f"{HOST_PREFIX}{name}" if settings.SESSION_COOKIE_SECURE else name


def rename_cookies(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Accept a cookie under its former name if the new one is missing, and rename it in the browser (middleware)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        renamed = {}
        for name in RENAMED_COOKIES if settings.SESSION_COOKIE_SECURE and request.is_secure() else ():
            value, new = request.COOKIES.get(name), get_cookie_name(name)
            if value and new not in request.COOKIES:
                renamed[name] = request.COOKIES[new] = value
        response = get_response(request)
        for name, value in renamed.items():
            new = get_cookie_name(name)
            if new not in response.cookies:
                is_readable = RENAMED_COOKIES[name]
                response.set_cookie(
                    new, value, max_age=RENAMED_MAX_AGE, secure=True, httponly=not is_readable, samesite="Lax"
                )
            response.delete_cookie(name, samesite="Lax")
        return response

    return middleware
