"""The secret of a television, in a cookie that scripts and other sites cannot use.

It gives the right to show one screen, and nothing else.
"""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from scorekeeper.common.cookies import get_cookie_name

SCREEN_COOKIE = "tailgunner_screen"
COOKIE_LIFETIME = dt.timedelta(days=400)  # as long as browsers keep any cookie; it is set again whenever the page loads


def read_screen_token(request: HttpRequest) -> str:
    """Return the television's secret; "" if it has none."""
    return request.COOKIES.get(get_cookie_name(SCREEN_COOKIE), "")


def set_screen_cookie(response: HttpResponse, token: str) -> None:
    """Give the television its secret."""
    response.set_cookie(
        get_cookie_name(SCREEN_COOKIE),
        token,
        max_age=COOKIE_LIFETIME,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
