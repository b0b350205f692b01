"""Rendering a whole page or only a part of it, depending on what htmx requests.

A *partial request* wants only the part of the page that changes. A page that stays up to date requests its own part
again, and gets it when something in it has changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_vary_headers


def is_partial_request(request: HttpRequest) -> bool:
    """Whether htmx requests only the part of the page that changes."""
    return "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers


def render_partial(
    request: HttpRequest, page: str, part: str, context: Mapping[str, object], status: int = 200
) -> HttpResponse:
    """Render a page whose main part is `part`, or only that part for a partial request."""
    template = part if is_partial_request(request) else page
    response = render(request, template, {**context, "part": part}, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def render_refreshable(
    request: HttpRequest, page: str, part: str, context: Mapping[str, Any], version: str
) -> HttpResponse:
    """Render a page, or only its part if the page refreshes itself; an unchanged part is neither rendered nor sent.

    Args:
        part: the template of the part; its outermost element carries `version`, so that the script knows what it has.
        version: a digest of everything the part shows.
    """
    etag, context = f'"{version}"', {**context, "version": version}
    if not request.headers.get("HX-Request"):
        response = render(request, page, context)
    else:
        unchanged = get_conditional_response(request, etag=etag)
        response = unchanged or render(request, part, context)
        response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["HX-Request"])
    return response
