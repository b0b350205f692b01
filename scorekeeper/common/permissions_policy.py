"""What of a device pages may ask for: nothing, save the camera where the code on a bike is scanned."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

PERMISSIONS_POLICY_HEADER = "Permissions-Policy"
DENY_ALL = "camera=(), microphone=(), geolocation=()"
ALLOW_CAMERA = "camera=(self), microphone=(), geolocation=()"


def add_permissions_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Have browsers keep camera, microphone and location from our pages, save where a view has opened one."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault(PERMISSIONS_POLICY_HEADER, DENY_ALL)
        return response

    return answer


def allow_camera(response: HttpResponse) -> HttpResponse:
    """Return the page, which may ask for the camera."""
    response.headers[PERMISSIONS_POLICY_HEADER] = ALLOW_CAMERA
    return response
