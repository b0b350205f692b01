"""Reads what a request carries: its fields, ids, a bearer token, and the address to go on to."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, QueryDict
from django.utils.http import url_has_allowed_host_and_scheme

SCHEME = "bearer"


def get_request_data(request: HttpRequest) -> QueryDict:
    """Return the form's data, or the query string of a GET request."""
    return request.POST if request.method == "POST" else request.GET


def parse_uuid(text: object) -> UUID | None:
    """Return the text as a UUID, or None if it is not one."""
    try:
        return UUID(str(text))
    except ValueError:
        return None


def split_address(sent: str) -> SplitResult:
    """Return the parts of an address that a browser sent; of something that is none, they are empty."""
    try:
        return urlsplit(sent)
    except ValueError:  # such as http://[
        return urlsplit("")


def read_bearer_token(request: HttpRequest) -> str | None:
    """Return the token, "" for an empty one; None if the request comes with none."""
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == SCHEME else None


def get_next_url(request: HttpRequest, default: str) -> str:
    """Return the path in `next`, from the form or the query string, or `default` if it is no path on this site."""
    path = request.POST.get("next") or request.GET.get("next", "")
    is_safe = path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    return path if is_safe else default


def is_same_origin(headers: Mapping[str, str]) -> bool:
    """Return whether a request comes from a page of this site, or from a typed URL, and not from another site.

    Args:
        headers: those of the request, found by their lower-case names.
    """
    if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return (
        origin is None or origin in settings.CSRF_TRUSTED_ORIGINS or split_address(origin).netloc == headers.get("host")
    )
