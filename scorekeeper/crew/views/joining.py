"""How a phone becomes a device, and how it stops being one.

Invariant: looking at a link never uses it up, because messengers look at links too; only the button does. The address
holds the secret, so it is sent to no other site, kept in no cache and found by no search engine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_variables

from scorekeeper.crew.access import CrewRequest, crew_required, delete_device_cookies, get_device, set_device_cookies
from scorekeeper.crew.selectors import get_invitation
from scorekeeper.crew.services.devices import sign_out_device
from scorekeeper.crew.services.invitations import InvitationUnusable, accept_invitation

HOME_URL = "/crew/"
READY_URL = "/crew/ready/"  # where a new phone is made ready for a ride without signal
UNKNOWN, GONE = 404, 410


def protect_secret_url(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Tell browsers and search engines to keep the address to themselves."""

    @wraps(view)
    def guarded(request: HttpRequest, token: str) -> HttpResponse:
        response = view(request, token)
        # Stricter than this, and browsers would no longer say where the form comes from, which its check needs.
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers["Cache-Control"] = "private, no-store"
        response.headers["X-Robots-Tag"] = "noindex"
        return response

    return guarded


@protect_secret_url
@sensitive_variables("token")
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show whose link it is; the button makes this phone theirs."""
    invitation = get_invitation(token)
    if invitation is None:
        return render(request, "crew/link_unknown.html", status=UNKNOWN)
    if invitation.is_usable() and request.method == "POST":
        try:
            device, secret = accept_invitation(invitation)
        except InvitationUnusable:
            invitation.refresh_from_db()
        else:
            before = get_device(request)
            if before is not None:
                # The phone forgets what it was, so nobody could say any more what that one holds.
                sign_out_device(before)
            response = redirect(READY_URL)
            set_device_cookies(response, device, secret)
            return response
    member = invitation.member
    if invitation.is_usable():
        return render(request, "crew/join.html", {"member": member, "event": member.group.event})
    known = get_device(request)
    if known is not None and known.member_id == member.pk:
        # Whoever opens their own link again means to go on.
        return redirect(HOME_URL)
    context = {"is_used": invitation.consumed_at is not None}
    return render(request, "crew/link_unusable.html", context, status=GONE)


@crew_required
def sign_out(request: CrewRequest) -> HttpResponse:
    """Ask, since only a new link brings the phone back; then end its device."""
    if request.method != "POST":
        return render(request, "crew/sign_out.html", {"member": request.device.member})
    sign_out_device(request.device)
    response = render(request, "crew/signed_out.html", {"member": request.device.member})
    delete_device_cookies(response)
    return response
