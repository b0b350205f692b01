"""`GET /api/v1/ride`: a phone fetches what it needs to answer its pages without signal."""

from __future__ import annotations

from csp.utils import build_policy
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags, quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scorekeeper.crew.access import get_device
from scorekeeper.crew.services.devices import note_seen
from scorekeeper.offline.ride import make_ride


@require_safe
def ride(request: HttpRequest) -> HttpResponse:
    """Answer with the ride of the phone; 304 where the phone has it as it is, 401 for whoever is no phone of a crew."""
    device = get_device(request)
    if device is None:
        words = _("This phone is not signed in. Open the link that the organiser sent you, or ask for a new one.")
        return _keep_private(JsonResponse({"error": {"code": "signed_out", "message": words}}, status=401), "no-store")
    note_seen(device)
    body, digest = make_ride(device, _list_headers())
    etag = quote_etag(digest)
    known = parse_etags(request.headers.get("If-None-Match", ""))
    if "*" in known or etag in (one.removeprefix("W/") for one in known):
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(body, content_type="application/json")
    response.headers["ETag"] = etag
    return _keep_private(response, "no-cache")


def _keep_private(response: HttpResponse, how: str) -> HttpResponse:
    response.headers["Cache-Control"] = f"private, {how}"
    patch_vary_headers(response, ["Cookie"])
    return response


def _list_headers() -> dict[str, str]:
    """Return what protects a page, wherever it was made."""
    return {
        # In a fixed order, so that each process says the same.
        "content-security-policy": "; ".join(sorted((build_policy() or "").split("; "))),
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "same-origin",
    }
