"""The page on which an organiser revokes a phone that was lost or given back."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scorekeeper.crew.models import Device
from scorekeeper.crew.selectors import get_event_device
from scorekeeper.crew.services.devices import revoke_device
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event


@organiser_required
def revoke(request: OrganiserRequest, event: Event, device_id: UUID) -> HttpResponse:
    """Revoke the phone, after confirmation."""
    try:
        device = get_event_device(event, device_id)
    except Device.DoesNotExist as error:
        raise Http404 from error
    if request.method == "POST":
        revoke_device(device)
        messages.success(request, _("The phone of %(member)s has been revoked.") % {"member": device.member})
        return redirect("crew:member", event.slug, device.member_id)
    return render(request, "crew/revoke.html", {"event": event, "device": device, "member": device.member})
