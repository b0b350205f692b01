"""Choosing a language in the menu of a page."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve
from django.views.decorators.csrf import csrf_exempt

from scorekeeper.common.languages import find_language, set_language_cookie
from scorekeeper.common.request_data import is_same_origin, split_address
from scorekeeper.events.services.account_language import set_account_language
from scorekeeper.rights import ROUTES

HOME = "/"


# The menu is on pages that are the same for everyone, so its form has no token. Another site cannot use it either way.
@csrf_exempt
def choose_language(request: HttpRequest) -> HttpResponse:
    """Show everything in a language from now on, and for someone signed in also in their other browsers."""
    response = redirect(_find_page(request))
    code = find_language(request.POST.get("language"))
    if code is not None and is_same_origin(request.headers):
        set_language_cookie(response, code)
        if isinstance(request.user, User):
            set_account_language(request.user, code)
    return response


def _find_page(request: HttpRequest) -> str:
    """Return the page of this site that the form came from, or the front page if it is none or is not known."""
    sent = split_address(request.headers.get("Referer", ""))
    try:
        name = resolve(sent.path).view_name
    except Resolver404:
        return HOME
    # A proxy may change the host that a request names.
    ours = (request.get_host(), split_address(settings.BASE_URL).netloc)
    if sent.netloc not in ours or "GET" not in ROUTES.get(name, {}):
        return HOME
    return f"{sent.path}?{sent.query}" if sent.query else sent.path
