"""Where a page leads once somebody was added: to whichever page of ours sent the person here, else to the roster."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from scorekeeper.events.models import Event


def get_way_back(request: HttpRequest, event: Event) -> str:
    """Return the address in `?next=`, if it is one of this site."""
    wanted = request.GET.get("next", "")
    if url_has_allowed_host_and_scheme(wanted, allowed_hosts=None):
        return wanted
    return reverse("players:roster", args=[event.slug])
