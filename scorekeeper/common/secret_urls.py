"""Pages whose URL has a secret, such as a one-time link."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest
from django.http.response import HttpResponseBase


def protect_secret_url(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Tell browsers, caches and search engines not to share the URL of a view, which has a token in it."""

    @wraps(view)
    def guarded(request: HttpRequest, **captured: str) -> HttpResponseBase:
        response = view(request, **captured)
        # With a stricter policy browsers would not say where the form comes from, which the CSRF check needs.
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers["Cache-Control"] = "private, no-store"
        response.headers["X-Robots-Tag"] = "noindex"
        return response

    return guarded
