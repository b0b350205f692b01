"""`/api/v1/ride/parts`, and `/api/v1/ride` for older apps: a phone fetches what it needs to answer without signal."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from csp.utils import build_policy
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.http import parse_etags, quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from scorekeeper.common.access import refuses_by
from scorekeeper.common.one_moment import at_one_moment
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.offline.buckets import BadBuckets, read_buckets
from scorekeeper.offline.ride import PhoneRide

Answer = Callable[[HttpRequest, PhoneRide], HttpResponse]
UNAUTHORISED = 401


def _for_phones(answer: Answer) -> Callable[[HttpRequest], HttpResponse]:
    """Give phones of the crew their ride as it is at one moment."""

    @refuses_by(_refuse)
    @crew_required
    @wraps(answer)
    def view(request: CrewRequest) -> HttpResponse:
        with at_one_moment():
            ride = PhoneRide(request.device, _list_headers())
            response = answer(request, ride)
        response.headers.setdefault("ETag", quote_etag(ride.digest))
        response.headers["Cache-Control"] = "private, no-cache"
        return response

    return view


def _refuse(request: HttpRequest, refusal: HttpResponse) -> HttpResponse:
    """Answer in JSON whoever is no phone of the crew."""
    if refusal.status_code != UNAUTHORISED:
        return refusal
    words = _("This phone is not signed in. Open the link that the organiser sent you, or ask for a new one.")
    return JsonResponse({"error": {"code": "signed_out", "message": words}}, status=UNAUTHORISED)


@_for_phones
def ride(request: HttpRequest, ride: PhoneRide) -> HttpResponse:
    """Answer with the whole ride in tables; 304 where the phone has it as it is."""
    return HttpResponse(status=304) if _is_known(request, ride) else _answer(ride.write_tables())


# It changes nothing, whoever lets a browser send it.
@csrf_exempt
@_for_phones
def ride_parts(request: HttpRequest, ride: PhoneRide) -> HttpResponse:
    """Answer with all parts of the ride, or after the buckets of a phone with those it lacks.

    304 where the phone has it as it is. A HEAD request costs no more than finding that out.
    """
    if request.method == "POST":
        return _answer_buckets(request, ride)
    if _is_known(request, ride):
        return HttpResponse(status=304)
    return _answer("" if request.method == "HEAD" else ride.write_parts())


def _answer_buckets(request: HttpRequest, ride: PhoneRide) -> HttpResponse:
    try:
        buckets = read_buckets(request.body)
    except BadBuckets:
        words = _("These are not the buckets of a ride. Ask for all parts instead.")
        return JsonResponse({"error": {"code": "bad_buckets", "message": words}}, status=400)
    return _answer(ride.write_missing_parts(buckets))


def _is_known(request: HttpRequest, ride: PhoneRide) -> bool:
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in known or quote_etag(ride.digest) in (one.removeprefix("W/") for one in known)


def _answer(body: str) -> HttpResponse:
    return HttpResponse(body, content_type="application/json")


def _list_headers() -> dict[str, str]:
    """Return what protects a page, wherever it was made."""
    return {
        # In a fixed order, so that each process says the same.
        "content-security-policy": "; ".join(sorted((build_policy() or "").split("; "))),
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "same-origin",
    }
