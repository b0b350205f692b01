"""Authentication for the API: a crew member's phone, by its cookie, from one of our pages or from no page at all.

An app that is no browser sends the device's token as a bearer instead. No page can make a browser do that.

A browser says where a request comes from. `Origin`, if sent, must be our own. `Sec-Fetch-Site`, if sent, must be
"same-origin", and browsers send it without `Origin` only on requests that read. A request with neither header does not
come from a browser, so no other site's page can have made it, and the cookie alone decides.
"""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import APIException, MethodNotAllowed, NotAuthenticated, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from scorekeeper.api.problems import make_problem
from scorekeeper.common.access_control import get_guard_result
from scorekeeper.common.problem_details import MEDIA_TYPE
from scorekeeper.common.request_data import read_bearer_token
from scorekeeper.crew.access import EVENT_DELETED
from scorekeeper.crew.models import Device

SIGNED_OUT = _(
    "This phone is not signed in, so nothing was recorded. Its entries are still on the phone. To send them, "
    "open the link that the organiser sent you, or ask for a new one."
)
FOREIGN_ORIGIN = _("Only Tailgunner’s own pages can send operations.")


class EventDeleted(APIException):
    """The phone's event was deleted, so it can never send anything to it again."""

    status_code = 410
    default_detail = EVENT_DELETED
    default_code = "event_deleted"


class DeviceCookieAuthentication(BaseAuthentication):
    """Authenticates by the device cookie, which the role's guard has already checked. `request.auth` is the device."""

    def authenticate(self, request: Request) -> tuple[None, Device]:
        """Return the device.

        Raises:
            PermissionDenied: the request comes from a page of another site.
        """
        if not is_by_bearer(request) and not _is_same_origin(request):
            raise PermissionDenied(FOREIGN_ORIGIN, "foreign_origin")
        return None, get_guard_result(request._request, "device")  # noqa: SLF001 - the documented way to Django's own request


def is_by_bearer(request: Request) -> bool:
    """Return whether the request has a token of its own, and so does not depend on cookies."""
    return read_bearer_token(request._request) is not None  # noqa: SLF001 - as above


def refuse_as_json(request: HttpRequest, refusal: HttpResponse) -> HttpResponse:
    """Turn a refusal into JSON; its headers stay."""
    signed_out = refusal.status_code == NotAuthenticated.status_code
    error: APIException
    if refusal.status_code == EventDeleted.status_code:
        error = EventDeleted()
    else:
        error = NotAuthenticated(SIGNED_OUT, "signed_out") if signed_out else MethodNotAllowed(str(request.method))
    refusal.content = json.dumps(serialize_phone_error(error))
    refusal.headers["Content-Type"] = MEDIA_TYPE
    if signed_out:
        by_bearer = read_bearer_token(request) is not None
        refusal.headers["WWW-Authenticate"] = f'{"Bearer" if by_bearer else "Cookie"} realm="crew"'
    return refusal


def serialize_phone_error(error: APIException) -> dict[str, Any]:
    """Return problem details, with `error` for apps from before those: a phone may have its app for years."""
    problem = make_problem(error)
    return {**problem, "error": {"code": problem["code"], "message": problem["detail"]}}


def _is_same_origin(request: Request) -> bool:
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
    if origin is None:
        return site is None or (site == "same-origin" and request.method in SAFE_METHODS)
    ours = [f"{request.scheme}://{request.get_host()}", *settings.CSRF_TRUSTED_ORIGINS]
    return origin in ours and site in (None, "same-origin")
