"""What of a device pages may ask for: nothing, save the camera where the code on a bike is scanned."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

HEADER = "Permissions-Policy"
ALL_SHUT = "camera=(), microphone=(), geolocation=()"
WITH_CAMERA = "camera=(self), microphone=(), geolocation=()"


def shut_features(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Have browsers keep camera, microphone and location from our pages, save where a view has opened one."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault(HEADER, ALL_SHUT)
        return response

    return answer


def open_camera(response: HttpResponse) -> HttpResponse:
    """Return the page, which may ask for the camera."""
    response.headers[HEADER] = WITH_CAMERA
    return response
