"""`/api/v1/ride/parts`, and `/api/v1/ride` for older apps: a phone fetches what it needs to answer without signal."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from csp.utils import build_policy
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.http import parse_etags, quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from scorekeeper.common.access_control import refuse_with
from scorekeeper.common.database_snapshot import consistent_snapshot
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.offline.buckets import InvalidBuckets, unpack_buckets
from scorekeeper.offline.ride_payload import RidePayload

RideView = Callable[[HttpRequest, RidePayload], HttpResponse]
UNAUTHORISED = 401


def _ride_view(answer: RideView) -> Callable[[HttpRequest], HttpResponse]:
    """Give phones of the crew their ride as it is at one moment."""

    @refuse_with(_refuse_as_json)
    @crew_required
    @wraps(answer)
    def view(request: CrewRequest) -> HttpResponse:
        with consistent_snapshot():
            ride = RidePayload(request.device, _get_security_headers())
            response = answer(request, ride)
        response.headers.setdefault("ETag", quote_etag(ride.digest))
        response.headers["Cache-Control"] = "private, no-cache"
        return response

    return view


def _refuse_as_json(request: HttpRequest, refusal: HttpResponse) -> HttpResponse:
    """Answer in JSON whoever is no phone of the crew."""
    if refusal.status_code != UNAUTHORISED:
        return refusal
    words = _("This phone is not signed in. Open the link that the organiser sent you, or ask for a new one.")
    return JsonResponse({"error": {"code": "signed_out", "message": words}}, status=UNAUTHORISED)


@_ride_view
def ride(request: HttpRequest, ride: RidePayload) -> HttpResponse:
    """Answer with the whole ride in tables; 304 where the phone has it as it is."""
    return HttpResponse(status=304) if _is_unchanged(request, ride) else _json_response(ride.serialize_tables())


# It changes nothing, whoever lets a browser send it.
@csrf_exempt
@_ride_view
def ride_parts(request: HttpRequest, ride: RidePayload) -> HttpResponse:
    """Answer with all parts of the ride, or after the buckets of a phone with those it lacks.

    304 where the phone has it as it is. A HEAD request costs no more than finding that out.
    """
    if request.method == "POST":
        return _send_missing_parts(request, ride)
    if _is_unchanged(request, ride):
        return HttpResponse(status=304)
    return _json_response("" if request.method == "HEAD" else ride.serialize_parts())


def _send_missing_parts(request: HttpRequest, ride: RidePayload) -> HttpResponse:
    try:
        buckets = unpack_buckets(request.body)
    except InvalidBuckets:
        words = _("These are not the parts of a ride. Ask for all parts instead.")
        return JsonResponse({"error": {"code": "bad_buckets", "message": words}}, status=400)
    return _json_response(ride.serialize_missing_parts(buckets))


def _is_unchanged(request: HttpRequest, ride: RidePayload) -> bool:
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in known or quote_etag(ride.digest) in (one.removeprefix("W/") for one in known)


def _json_response(body: str) -> HttpResponse:
    return HttpResponse(body, content_type="application/json")


def _get_security_headers() -> dict[str, str]:
    """Return what protects a page, wherever it was made."""
    return {
        # In a fixed order, so that each process says the same.
        "content-security-policy": "; ".join(sorted((build_policy() or "").split("; "))),
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "same-origin",
    }
