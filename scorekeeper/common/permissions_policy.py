"""The `Permissions-Policy` header: pages get no device features, except the camera on pages that scan codes."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

PERMISSIONS_POLICY_HEADER = "Permissions-Policy"
DENY_ALL = "camera=(), microphone=(), geolocation=()"
ALLOW_CAMERA = "camera=(self), microphone=(), geolocation=()"


def add_permissions_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Deny pages the camera, microphone and location, unless the view has set the header itself (middleware)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault(PERMISSIONS_POLICY_HEADER, DENY_ALL)
        return response

    return middleware


def allow_camera(response: HttpResponse) -> HttpResponse:
    """Allow the page to ask for the camera; return the same response."""
    response.headers[PERMISSIONS_POLICY_HEADER] = ALLOW_CAMERA
    return response
