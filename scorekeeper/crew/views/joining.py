"""Pages on which a phone becomes a device, and on which it signs out.

Invariants:
- Opening a link never uses it, because messengers open links too; only the button does.
- The URL has the secret, so it is sent to no other site, stored in no cache and indexed by no search engine.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from scorekeeper.common.languages import remember_language
from scorekeeper.common.secret_links import protect_secret_url
from scorekeeper.crew.access import (
    CrewRequest,
    SignedInDevice,
    crew_required,
    delete_device_cookies,
    get_device,
    get_known_device,
    get_signed_in_devices,
    set_device_cookies,
)
from scorekeeper.crew.crew_links import CrewLinkForm
from scorekeeper.crew.selectors import get_former_device, get_invitation
from scorekeeper.crew.services.devices import sign_out_device
from scorekeeper.crew.services.invitations import InvitationUnusable, accept_invitation
from scorekeeper.crew.services.phone_memory import record_former_devices
from scorekeeper.crew.session_choices import forget_choices
from scorekeeper.events.selectors import is_counterpart

HOME_URL = "/crew/"
READY_URL = "/crew/ready/"  # where a new phone is prepared for a ride without signal
UNKNOWN, GONE, REFUSED = 404, 410, 422


@protect_secret_url
@sensitive_post_parameters("link")
def open_link(request: HttpRequest) -> HttpResponseBase:
    """Take a crew link that was pasted or scanned, and go to its page: an installed app cannot open links itself."""
    if request.method != "POST":
        return render(request, "crew/open_link.html", {"form": CrewLinkForm()})
    form = CrewLinkForm(request.POST, host=request.get_host())
    if not form.is_valid():
        return render(request, "crew/open_link.html", {"form": form}, status=REFUSED)
    return redirect("crew:join", token=form.cleaned_data["link"])


@protect_secret_url
@sensitive_variables("token")
def join(request: HttpRequest, token: str) -> HttpResponseBase:
    """Show whose link it is; the button makes this phone that crew member's device."""
    invitation = get_invitation(token)
    if invitation is None:
        former = get_former_device(token)
        if former is not None:
            return render(request, "crew/event_deleted.html", {"deleted": former.event, "is_link": True}, status=GONE)
        return render(request, "crew/link_unknown.html", status=UNKNOWN)
    if invitation.is_usable() and request.method == "POST":
        try:
            device, secret = accept_invitation(invitation)
        except InvitationUnusable:
            # Another phone was first, or the member has just been removed: say which.
            return join(request, token=token)
        else:
            event = invitation.member.group.event
            known = get_known_device(request)
            record_former_devices(device, [] if known is None else [known])
            kept = None
            for old in filter(None, get_signed_in_devices(request)):
                if is_counterpart(old.device.member.group.event, event):
                    kept = old
                else:
                    # The phone loses the old device's cookie, so nobody could report its pending entries any more.
                    sign_out_device(old.device)
            forget_choices(request.session)
            # The phone keeps the language of this page, whatever its browser is set to later.
            remember_language(request, get_language() or "")
            response = redirect(READY_URL)
            set_device_cookies(response, SignedInDevice(device, secret), kept)
            return response
    member = invitation.member
    if invitation.is_usable():
        link = settings.BASE_URL + request.path
        return render(request, "crew/join.html", {"member": member, "event": member.group.event, "link": link})
    own_device = get_device(request)
    if own_device is not None and own_device.member_id == member.pk:
        # A member who opens their own link again wants to continue.
        return redirect(HOME_URL)
    context = {"is_used": invitation.consumed_at is not None}
    return render(request, "crew/link_unusable.html", context, status=GONE)


@crew_required
def sign_out(request: CrewRequest) -> HttpResponse:
    """Sign the phone out, after confirmation, because only a new link signs it in again."""
    if request.method != "POST":
        return render(request, "crew/sign_out.html", {"member": request.device.member})
    for signed_in in filter(None, get_signed_in_devices(request)):
        sign_out_device(signed_in.device)
    forget_choices(request.session)
    response = render(request, "crew/signed_out.html", {"member": request.device.member})
    delete_device_cookies(response)
    return response
