"""Pages on which organisers invite, add and remove organisers, and help one who has forgotten the password."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.common.qr import make_qr_code
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.forms.events import OrganiserForm
from scorekeeper.events.models import AccountLink, Event
from scorekeeper.events.selectors import can_reset_password, list_open_invites, list_organisers
from scorekeeper.events.services import account_links
from scorekeeper.events.services import events as services

REFUSED = 422


@organiser_required
def add(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the organisers of the event, and add one."""
    form = OrganiserForm(request.POST or None)
    if form.is_valid():
        user = form.cleaned_data["username"]
        services.add_organiser(event, user)
        messages.success(request, _("%(name)s is now an organiser of the event.") % {"name": user})
        return redirect("events:organisers", event.slug)
    context = {
        "event": event,
        "form": form,
        "organisers": list_organisers(event),
        "invites": list_open_invites(event),
        "current_organiser": request.organiser,
    }
    return render(request, "events/organisers.html", context, status=422 if form.is_bound else 200)


@organiser_required
def remove(request: OrganiserRequest, event: Event, organiser_id: UUID) -> HttpResponse:
    """Remove an organiser, after confirmation."""
    organiser = get_object_or_404(list_organisers(event), pk=organiser_id)
    is_self = organiser == request.organiser
    if request.method == "POST":
        try:
            services.remove_organiser(organiser)
        except services.LastOrganiser:
            messages.error(request, _("An event needs at least one organiser. Add another organiser first."))
            return redirect("events:organisers", event.slug)
        messages.success(
            request, _("%(name)s is no longer an organiser of %(event)s.") % {"name": organiser, "event": event}
        )
        return redirect("events:list") if is_self else redirect("events:organisers", event.slug)
    context = {"event": event, "organiser": organiser, "is_self": is_self}
    return render(request, "events/remove_organiser.html", context)


@organiser_required
def invite(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Create an invitation and show its link once."""
    link, token = account_links.create_invite(event, request.user)
    return _show_once(request, event, link, reverse("events:invited", args=[token]))


@organiser_required
def withdraw_invite(request: OrganiserRequest, event: Event, link_id: UUID) -> HttpResponse:
    """End an invitation that nobody has used."""
    link = get_object_or_404(event.account_links, pk=link_id, purpose=AccountLink.Purpose.INVITE)
    AccountLink.objects.filter(pk=link.pk).expire()
    messages.success(request, _("The invitation has been withdrawn. Its link no longer works."))
    return redirect("events:organisers", event.slug)


@organiser_required
def reset_password(request: OrganiserRequest, event: Event, organiser_id: UUID) -> HttpResponse:
    """Create a link with which another organiser chooses a new password, after confirmation, and show it once."""
    organiser = get_object_or_404(list_organisers(event), pk=organiser_id)
    if organiser == request.organiser:
        return redirect("events:account")
    is_allowed = can_reset_password(request.user, organiser.user)
    if request.method == "POST" and is_allowed:
        link, token = account_links.create_reset_link(organiser.user, request.user)
        return _show_once(request, event, link, reverse("events:new_password", args=[token]))
    context = {"event": event, "organiser": organiser, "is_allowed": is_allowed}
    status = REFUSED if request.method == "POST" else 200
    return render(request, "events/reset_password.html", context, status=status)


def _show_once(request: OrganiserRequest, event: Event, link: AccountLink, path: str) -> HttpResponse:
    url = settings.BASE_URL + path
    context = {"event": event, "link": link, "url": url, "qr": make_qr_code(url)}
    return render(request, "events/account_link.html", context)
