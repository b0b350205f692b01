"""Forms whose page was open too long: the session has ended, or the form's token (CSRF) is stale.

They show again with what was entered, to be sent again.

Invariants:
- Nothing is sent by itself: the person sees the form, filled in, and presses its button again. A form from another site
  is refused without any of this.
- Secrets and files are never stored or shown. The page says that they have to be entered or chosen again.
- Of an ended session, the input is in the session of the same browser, for an hour at most, until another account signs
  in there (`forget_unsent_input`).
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django_htmx.middleware import HtmxDetails

from scorekeeper.common.access_control import AccessMiddleware
from scorekeeper.common.client_address import get_client_address
from scorekeeper.common.form_refill import refill_form
from scorekeeper.common.rate_limits import RateLimit, RateLimited, count_use
from scorekeeper.common.request_data import split_address
from scorekeeper.common.security_log import log_refusal
from scorekeeper.common.unsent_input import (
    UnsentInput,
    describe_fields,
    list_file_names,
    list_form_pages,
    read_unsent_input,
)
from scorekeeper.rights import ROUTES

UNSENT = "unsent_input"  # the key in the session
LIFETIME = 60 * 60  # seconds
STORING = RateLimit("unsent_input", 30, 60 * 60)
_MAIN = re.compile(r"<main\b[^>]*>")
_FILE_FIELD = re.compile(r'<input\b[^>]*\btype="file"[^>]*>')
_NAME = re.compile(r'\bname="([^"]*)"')


def ask_to_sign_in(request: HttpRequest) -> HttpResponse:
    """Redirect to the page for signing in. What a form had sent is kept until then, and its page comes next."""
    if request.method != "POST":
        return redirect_to_login(request.get_full_path())
    unsent = read_unsent_input(request)
    try:
        count_use(STORING, get_client_address(request))
    except RateLimited:
        return redirect_to_login(unsent.page)
    expires_at = timezone.now().timestamp() + LIFETIME
    request.session[UNSENT] = {**vars(unsent), "files": dict(unsent.files), "expires_at": expires_at}
    response: HttpResponse = redirect_to_login(unsent.page)
    if "HX-Request" in request.headers:
        # htmx would put the page for signing in where the answer to the form belongs.
        response = HttpResponse(headers={"HX-Redirect": response.headers["Location"]})
    return response


def get_unsent_input(request: HttpRequest) -> UnsentInput | None:
    """Return what this browser's session holds; None if that is nothing, or too old."""
    stored: dict[str, Any] | None = request.session.get(UNSENT)
    if not stored or stored["expires_at"] < timezone.now().timestamp():
        return None
    fields = [(name, value) for name, value in stored["fields"]]
    return UnsentInput(**{**{key: stored[key] for key in stored if key != "expires_at"}, "fields": fields})


def forget_unsent_input(request: HttpRequest) -> None:
    """Forget what this browser's session holds: somebody else is using the browser now."""
    request.session.pop(UNSENT, None)


def refuse_stale_form(request: HttpRequest, reason: str = "") -> HttpResponseBase:
    """Show the form again with what was entered, since its token is missing or stale. Django calls this (403)."""
    if _is_from_elsewhere(request, reason):
        return render(request, "403_csrf.html", status=403)
    unsent = read_unsent_input(request)
    for address in list_form_pages(request):
        found = _show_page(request, address)
        if found is None:
            continue
        if found.status_code == 302 and urlsplit(found.headers["Location"]).path == settings.LOGIN_URL:
            # Django logs only refusals, and this one becomes a redirect.
            log_refusal("stale_form", route=str(request.resolver_match.route) if request.resolver_match else "")
            return ask_to_sign_in(request)
        if found.status_code == 200 and _refill(found, unsent, address, is_signed_out=False):
            return _as_refusal(request, found)
    context = {"unsent": unsent, "action": unsent.action}
    return _as_refusal(request, render(request, "403_csrf.html", context))


class UnsentInputMiddleware:
    """Fills in a form whose session had ended when it was sent, and says which files have to be chosen again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = self.get_response(request)
        if not _is_page(response):
            if request.method == "POST":
                self._forget(request, response)
            return response
        assert isinstance(response, HttpResponse)
        if request.method == "GET" and response.status_code == 200 and request.session.accessed:
            unsent = get_unsent_input(request) if request.user.is_authenticated else None
            if unsent is not None and unsent.page == request.get_full_path() and "HX-Request" not in request.headers:
                _refill(response, unsent, unsent.page, is_signed_out=True)
        elif request.method == "POST" and response.status_code in (409, 422):
            _ask_for_files(request, response)
        return response

    def _forget(self, request: HttpRequest, response: HttpResponseBase) -> None:
        """Forget the input once its form was sent."""
        if response.status_code >= 400 or not request.session.accessed or UNSENT not in request.session:
            return
        if request.session[UNSENT]["action"] == request.get_full_path() and request.user.is_authenticated:
            del request.session[UNSENT]


def _is_from_elsewhere(request: HttpRequest, reason: str) -> bool:
    """Return whether the form was not on one of our own pages."""
    if reason.startswith(("Origin", "Referer")):  # as Django's reasons begin
        return True
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return True
    own = {request.get_host(), *(urlsplit(origin).netloc for origin in settings.CSRF_TRUSTED_ORIGINS)}
    senders = (request.headers[name] for name in ("Origin", "Referer") if name in request.headers)
    return any(split_address(sender).netloc not in own for sender in senders)


def _show_page(request: HttpRequest, address: str) -> HttpResponse | None:
    """Return the page at an address as the person would see it now; None if there is none."""
    visit = copy.copy(request)
    parts = urlsplit(address)
    visit.META = {key: value for key, value in request.META.items() if not key.startswith("HTTP_HX_")}
    visit.META["QUERY_STRING"] = parts.query
    visit.method, visit.path, visit.path_info = "GET", parts.path, parts.path
    vars(visit).update(_post=QueryDict(), _files=MultiValueDict())
    for cached in ("headers", "GET"):
        vars(visit).pop(cached, None)
    visit.htmx = HtmxDetails(visit)  # type: ignore[attr-defined]
    try:
        match = visit.resolver_match = resolve(parts.path)
        if "GET" not in ROUTES.get(match.view_name, {}):
            return None
        access = AccessMiddleware(lambda _request: HttpResponse())
        refusal = access.process_view(visit, match.func, match.args, match.kwargs)
        response = refusal or match.func(visit, *match.args, **match.kwargs)
    except (Resolver404, Http404, PermissionDenied):
        return None
    if hasattr(response, "render"):
        response = response.render()
    # The page has a new token: its cookie has to be sent.
    request.META.update({key: value for key, value in visit.META.items() if key.startswith("CSRF_COOKIE")})
    return response if isinstance(response, HttpResponse) else None


def _refill(response: HttpResponse, unsent: UnsentInput, address: str, *, is_signed_out: bool) -> bool:
    """Put the input into the form of a page; return whether the page has it. Else say what was entered.

    Args:
        address: of the page.
    """
    page = refill_form(response.content.decode(), address, unsent.action, unsent.fields)
    if not page.is_found and not is_signed_out:
        return False
    context = {
        "unsent": unsent,
        "is_signed_out": is_signed_out,
        "is_found": page.is_found,
        "left_over": describe_fields(page.left_over),
    }
    note = render_to_string("components/unsent_input.html", context)
    response.content = _MAIN.sub(lambda main: main[0] + note, _mark_files(page.html, unsent.files), count=1)
    return True


def _ask_for_files(request: HttpRequest, response: HttpResponse) -> None:
    """Say beside each field for files of a refused form which file has to be chosen again: browsers forget it."""
    if not request.content_type or not request.content_type.startswith("multipart/") or not request.FILES:
        return
    response.content = _mark_files(response.content.decode(), list_file_names(request))


def _mark_files(html: str, files: Mapping[str, str]) -> str:
    """Return the page with a note at each field for files that says which one had been chosen.

    A field whose file was itself refused has its own error.
    """

    def mark(found: re.Match[str]) -> str:
        name = _NAME.search(found[0])
        file = files.get(name[1]) if name else None
        if not file or 'aria-invalid="true"' in found[0]:
            return found[0]
        return render_to_string("components/choose_file_again.html", {"file": file}) + found[0]

    return _FILE_FIELD.sub(mark, html)


def _is_page(response: HttpResponseBase) -> bool:
    return (
        isinstance(response, HttpResponse)
        and not response.streaming
        and response.headers.get("Content-Type", "").startswith("text/html")
        and response.status_code not in (301, 302, 303)
    )


def _as_refusal(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Give a page the status of a refusal; htmx gets one that it shows, in place of the whole page."""
    response.status_code = 403
    response.headers["Cache-Control"] = "private, no-store"
    if "HX-Request" in request.headers:
        response.status_code = 422
        response.headers["HX-Retarget"], response.headers["HX-Reswap"] = "body", "innerHTML"
    return response
