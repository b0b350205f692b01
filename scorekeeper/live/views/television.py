"""The page that a television opens by itself: a code until it is paired, and then its screen.

The page asks every few seconds whether it still shows the right thing (`check_television`), and loads itself again
otherwise. A browser without scripts loads it again in any case. The television's secret is in a cookie that scripts and
other sites cannot use; it gives the right to show one screen, and nothing else.
"""

from __future__ import annotations

import datetime as dt
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from scorekeeper.common.client_address import get_client_address
from scorekeeper.common.cookies import get_cookie_name
from scorekeeper.live.models import Screen
from scorekeeper.live.selectors.screen import (
    get_paired_screen,
    get_screen_by_token,
    get_screen_presenter,
    get_waiting_code,
)
from scorekeeper.live.services import TooManyWaiting, get_code, record_screen_seen, split_code
from scorekeeper.live.views.screen_response import render_screen

SCREEN_COOKIE = "tailgunner_screen"
COOKIE_LIFETIME = dt.timedelta(days=400)  # as long as browsers keep any cookie; it is set again whenever the page loads
RETRY_SECONDS = 60  # until a television that got no code tries again


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


def show_television(request: HttpRequest) -> HttpResponse:
    """Show the screen that the television is paired to, or a code with which it can be paired."""
    token = read_screen_token(request)
    screen = get_screen_by_token(token) if token else None
    if screen is not None:
        response = _show_screen(request, screen)
    elif request.headers.get("HX-Request"):
        return _load_again()
    else:
        try:
            waiting, token = get_code(token, get_client_address(request))
        except TooManyWaiting:
            return _never_store(_refuse(request))
        context = {
            "code": waiting.code,
            "halves": split_code(waiting.code),
            "address": settings.BASE_URL.partition("//")[2],
            "check_url": _get_check_url(waiting.code),
        }
        response = render(request, "live/television.html", context)
    set_screen_cookie(response, token)
    return _never_store(response)


def check_television(request: HttpRequest) -> HttpResponse:
    """Say whether the television still shows the right thing: the screen or the code that it names."""
    token = read_screen_token(request)
    screen = get_screen_by_token(token) if token else None
    if screen is not None:
        record_screen_seen(screen)
        expected = str(screen.pk)
    else:
        expected = get_waiting_code(token) if token else ""
    is_right = expected and request.GET.get("showing") == expected
    return _never_store(HttpResponse(status=204)) if is_right else _load_again()


def paired_stream(request: HttpRequest, screen_id: UUID) -> HttpResponse:
    """Answer that there is no stream for a paired screen, as `big_screen.leaderboard_stream` does."""
    if get_paired_screen(screen_id) is None:
        raise Http404
    return HttpResponse(status=204)


def _show_screen(request: HttpRequest, screen: Screen) -> HttpResponse:
    record_screen_seen(screen)
    context = {
        "page_url": reverse("live:television"),
        "stream_url": reverse("live:paired_stream", args=[screen.pk]),
        "check_url": _get_check_url(str(screen.pk)),
    }
    return render_screen(request, get_screen_presenter(screen), context)


def _refuse(request: HttpRequest) -> HttpResponse:
    response = render(request, "live/television_busy.html", {"seconds": RETRY_SECONDS}, status=429)
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def _get_check_url(showing: str) -> str:
    return f"{reverse('live:television_check')}?{urlencode({'showing': showing})}"


def _load_again() -> HttpResponse:
    """Make htmx load the page again."""
    return _never_store(HttpResponse(status=204, headers={"HX-Refresh": "true"}))


def _never_store(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "private, no-store"
    return response
