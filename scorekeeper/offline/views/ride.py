"""`/api/v1/ride/parts`, and `/api/v1/ride` for older apps: the data that a phone needs to work without signal."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.http import parse_etags, quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from scorekeeper.common.access_control import refuse_with
from scorekeeper.common.database_snapshot import consistent_snapshot
from scorekeeper.common.security_headers import list_page_headers
from scorekeeper.crew.access import EVENT_DELETED, GONE, CrewRequest, crew_required
from scorekeeper.crew.services.phone_memory import MEMORY_HEADER
from scorekeeper.ledger.phone_contact import record_phone_contact
from scorekeeper.offline.buckets import InvalidBuckets, unpack_buckets
from scorekeeper.offline.ride_payload import RidePayload
from scorekeeper.offline.selectors.ride_columns import LATEST_FORMAT, PARTS_FORMAT

RideView = Callable[[HttpRequest, RidePayload], HttpResponse]
FORMAT_HEADER = "X-Ride-Format"  # the latest format that the phone's app knows; apps with formats 1 and 2 send none
MAX_DIGITS = 3  # of the number of a format
UNAUTHORISED = 401


def _ride_view(answer: RideView) -> Callable[[HttpRequest], HttpResponse]:
    """Return a view for crew phones that gets a consistent snapshot of their ride."""

    @refuse_with(_refuse_as_json)
    @crew_required
    @wraps(answer)
    def view(request: CrewRequest) -> HttpResponse:
        record_phone_contact(request.device, request.headers.get(MEMORY_HEADER, ""))
        with consistent_snapshot():
            ride = RidePayload(request.device, list_page_headers(), _read_format(request))
            response = answer(request, ride)
        response.headers.setdefault("ETag", quote_etag(ride.digest))
        response.headers["Cache-Control"] = "private, no-cache"
        return response

    return view


def _read_format(request: HttpRequest) -> int:
    """Return the format to answer in."""
    known = request.headers.get(FORMAT_HEADER, "")
    is_format = known.isdecimal() and len(known) <= MAX_DIGITS
    return LATEST_FORMAT if is_format and int(known) >= LATEST_FORMAT else PARTS_FORMAT


def _refuse_as_json(request: HttpRequest, refusal: HttpResponse) -> HttpResponse:
    """Return JSON to phones that are not signed in, and to those whose event was deleted."""
    if refusal.status_code == GONE:
        return JsonResponse({"error": {"code": "event_deleted", "message": str(EVENT_DELETED)}}, status=GONE)
    if refusal.status_code != UNAUTHORISED:
        return refusal
    words = _("This phone is not signed in. Open the link that the organiser sent you, or ask for a new one.")
    return JsonResponse({"error": {"code": "signed_out", "message": words}}, status=UNAUTHORISED)


@_ride_view
def ride(request: HttpRequest, ride: RidePayload) -> HttpResponse:
    """Return the whole ride in tables, or 304 if the phone's copy is current."""
    return HttpResponse(status=304) if _is_unchanged(request, ride) else _json_response(ride.serialize_tables())


# Exempt from CSRF checks because it changes nothing.
@csrf_exempt
@_ride_view
def ride_parts(request: HttpRequest, ride: RidePayload) -> HttpResponse:
    """Return all parts of the ride or, for a POST with the phone's buckets, the parts that it lacks.

    Returns 304 if the phone's copy is current. A HEAD request costs no more than finding that out.
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
        words = _("These are not the parts of an event. Ask for all parts instead.")
        return JsonResponse({"error": {"code": "bad_buckets", "message": words}}, status=400)
    return _json_response(ride.serialize_missing_parts(buckets))


def _is_unchanged(request: HttpRequest, ride: RidePayload) -> bool:
    etags = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in etags or quote_etag(ride.digest) in (etag.removeprefix("W/") for etag in etags)


def _json_response(body: str) -> HttpResponse:
    return HttpResponse(body, content_type="application/json")
