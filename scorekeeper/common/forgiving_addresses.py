"""Addresses as people type and share them: with capital letters, or with what stood after them in a sentence.

A printed address is typed with a capital at its start, and an address in a message takes the bracket or the full stop
behind it along. Such a visit is redirected to the right address.

Invariants:
- Only visits (GET, HEAD) of pages for everyone are redirected. What is sent is never sent elsewhere.
- What a program asks the API for is answered as it is: nobody types its addresses.
- An address that exists is never taken for another one, even if its visitor may not open it.
- A token stays as it is: in one, capital and small letters differ. It never ends with a punctuation mark.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase, HttpResponseRedirect
from django.urls import Resolver404, resolve
from django.utils.encoding import escape_uri_path

from scorekeeper.rights import ROUTES, Role

NOT_FOUND = 404
TOKEN = "token"  # noqa: S105 - the name of the argument
_AFTER_AN_ADDRESS = frozenset(")]}>.,;:!?'\"*’”»«“…")


class ForgivingAddressMiddleware:
    """Redirects visits of addresses that are nearly right."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method not in ("GET", "HEAD"):
            return self.get_response(request)
        trimmed = _drop_ending(request.path_info)
        if trimmed != request.path_info and (found := find_page(trimmed)) is not None:
            return _redirect(request, found)
        response = self.get_response(request)
        if response.status_code == NOT_FOUND and (found := find_page(request.path_info)) not in (
            None,
            request.path_info,
        ):
            return _redirect(request, str(found))
        return response


def find_page(path: str) -> str | None:
    """Return the path of the page for everyone that somebody meant, in small letters; None if there is none."""
    for candidate in (path, f"{path.removesuffix('/')}/"):
        try:
            match = resolve(candidate.lower())
        except Resolver404:
            continue
        is_for_everyone = ROUTES.get(match.view_name, {}).get("GET") is Role.ANYBODY and match.app_name != "api"
        return _keep_token(candidate, match.kwargs) if is_for_everyone else None
    return None


def _drop_ending(path: str) -> str:
    """Return the path without the punctuation and blanks behind it.

    A regular expression would look for the end of the path from each character of a long row of brackets, which takes
    seconds.
    """
    end = len(path.removesuffix("/"))
    dropped = end
    while dropped and (path[dropped - 1] in _AFTER_AN_ADDRESS or path[dropped - 1].isspace()):
        dropped -= 1
    return path if dropped == end else path[:dropped]


def _keep_token(path: str, kwargs: Mapping[str, Any]) -> str:
    """Return the path in small letters, except for its token."""
    token = kwargs.get(TOKEN)
    return "/".join(part if part.lower() == token else part.lower() for part in path.split("/"))


def _redirect(request: HttpRequest, path: str) -> HttpResponse:
    query = request.META.get("QUERY_STRING", "")
    response = HttpResponseRedirect(escape_uri_path(path) + (f"?{query}" if query else ""))
    response.headers["Referrer-Policy"] = "same-origin"  # the path may have a token
    response.headers["Cache-Control"] = "private, no-store"
    return response
