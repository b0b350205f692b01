"""Who may speak to the interface: a crew member's phone, by its cookie, from a page of ours or from no page at all.

A browser tells where a request comes from. With `Origin`, it must be our own; `Sec-Fetch-Site`, where it is sent, must
say "same-origin", and no browser sends it on such a request without `Origin`. A request with neither comes from no
browser, so no other site's page can have made it, and the cookie alone decides.
"""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.request import Request

from scorekeeper.crew.access import get_device
from scorekeeper.crew.models import Device
from scorekeeper.crew.services.devices import note_seen

SIGNED_OUT = _(
    "This phone is not signed in, so nothing was recorded; keep what it has noted. Open the link that the organiser "
    "sent you, or ask for a new one, and it can be sent."
)
FOREIGN = _("Only pages of this program may send operations.")


class DeviceCookie(BaseAuthentication):
    """The cookie of a device that is neither expired nor revoked. `request.auth` is the device."""

    def authenticate(self, request: Request) -> tuple[None, Device]:
        """Return the device.

        Raises:
            PermissionDenied: the request comes from a page of another site.
            NotAuthenticated: it has no such cookie.
        """
        if not _is_ours(request):
            raise PermissionDenied(FOREIGN, "foreign_origin")
        device = get_device(request._request)  # noqa: SLF001 - the documented way to Django's own request
        if device is None:
            raise NotAuthenticated(SIGNED_OUT, "signed_out")
        note_seen(device)
        return None, device

    def authenticate_header(self, request: Request) -> str:
        """Return what asks for the cookie: with it the answer is 401 and not 403."""
        return 'Cookie realm="crew"'


def _is_ours(request: Request) -> bool:
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
    if origin is None:
        return site is None
    ours = [f"{request.scheme}://{request.get_host()}", *settings.CSRF_TRUSTED_ORIGINS]
    return origin in ours and site in (None, "same-origin")
