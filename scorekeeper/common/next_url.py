"""The page on this site that a form returns to, given as `?next=`."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def get_next_url(request: HttpRequest, default: str) -> str:
    """Return the path in `next`, from the form or the query string, or `default` if it is no path on this site."""
    path = request.POST.get("next") or request.GET.get("next", "")
    is_safe = path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    return path if is_safe else default
