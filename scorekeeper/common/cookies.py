"""Names of cookies. Over TLS they begin with `__Host-`, so that no other host of the same domain can set or read them.

A browser that was here before holds cookies without the prefix. Those of a crew phone are taken over once, under their
new names, since a phone that is signed out in the middle of a ride is the worst that could happen. A session is not:
whoever plants one would have somebody work in the wrong account, and an organiser can sign in again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

HOST_PREFIX = "__Host-"
# What is taken over, and whether scripts may read it. Kept for as long as a new device's would be.
RENAMED_COOKIES = {
    "tailgunner_device": False,
    "tailgunner_phone": True,
    "tailgunner_browser": False,
    "csrftoken": False,
}
RENAMED_MAX_AGE = dt.timedelta(days=90)


def get_cookie_name(name: str) -> str:
    """Return what a cookie of ours is called at the address that people open."""
    return f"{HOST_PREFIX}{name}" if settings.SESSION_COOKIE_SECURE else name


def rename_cookies(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Read a cookie by its former name where it has not got its new one, and give it that."""

    def answer(request: HttpRequest) -> HttpResponse:
        taken = {}
        for name in RENAMED_COOKIES if settings.SESSION_COOKIE_SECURE and request.is_secure() else ():
            value, new = request.COOKIES.get(name), get_cookie_name(name)
            if value and new not in request.COOKIES:
                taken[name] = request.COOKIES[new] = value
        response = get_response(request)
        for name, value in taken.items():
            new = get_cookie_name(name)
            if new not in response.cookies:
                is_readable = RENAMED_COOKIES[name]
                response.set_cookie(
                    new, value, max_age=RENAMED_MAX_AGE, secure=True, httponly=not is_readable, samesite="Lax"
                )
            response.delete_cookie(name, samesite="Lax")
        return response

    return answer
