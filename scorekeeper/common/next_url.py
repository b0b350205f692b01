"""The page of ours that a form leads back to, as `?next=` names it."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def get_next_url(request: HttpRequest, default: str) -> str:
    """Return the path in `next`, of the form or of the address; `default` where that is no path on this site."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    is_ours = wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
    return wanted if is_ours else default
