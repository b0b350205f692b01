"""The `Permissions-Policy` header: pages get no device features, except the camera on the crew's pages.

A phone goes from one crew page to the next within one document (`static/js/phone/navigation.js`), and a browser follows
the policy of the page that the document was loaded with. So it is decided here for all of them, by their paths:
whichever page the crew came in by, the page that scans codes may ask for the camera.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

PERMISSIONS_POLICY_HEADER = "Permissions-Policy"
DENY_ALL = "camera=(), microphone=(), geolocation=()"
ALLOW_CAMERA = "camera=(self), microphone=(), geolocation=()"
# The crew's pages, and the page that says that the code on a bike is not known.
CREW_PATHS = ("/crew/", "/b/")


def add_permissions_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Let the crew's pages ask for the camera, and deny pages everything else (middleware)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        is_crew = request.path_info.startswith(CREW_PATHS)
        response.headers[PERMISSIONS_POLICY_HEADER] = ALLOW_CAMERA if is_crew else DENY_ALL
        return response

    return middleware
