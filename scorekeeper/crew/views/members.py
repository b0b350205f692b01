"""Pages on which an organiser manages crew members, creates their links and revokes their phones."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.common.concurrent_edits import Edit, show_deleted
from scorekeeper.common.date_wording import format_date
from scorekeeper.common.qr import make_qr_code
from scorekeeper.common.sent_once import sent_once
from scorekeeper.common.sent_once_for_secret import sent_once_for_secret
from scorekeeper.crew.forms import MemberForm
from scorekeeper.crew.models import CrewMember, Device
from scorekeeper.crew.selectors import get_event_device, get_member, list_devices, list_groups, list_open_invitations
from scorekeeper.crew.services import invitations
from scorekeeper.crew.services import members as services
from scorekeeper.crew.services.devices import revoke_device
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.confirmation import Confirmation
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import EventArchived


@sent_once
@organiser_required
def create(request: OrganiserRequest, event: Event, group_id: UUID) -> HttpResponse:
    """Add a member to a group's crew."""
    group = get_object_or_404(list_groups(event), pk=group_id)
    form = MemberForm(request.POST or None, event=event, initial={"group": group})
    if form.is_valid():
        member = services.add_member(**form.cleaned_data)
        messages.success(request, _("%(member)s has been added. Next, send them their link.") % {"member": member})
        return redirect("crew:member", event.slug, member.pk)
    context = {"event": event, "group": group, "form": form}
    return render(request, "crew/new_member.html", context, status=422 if form.is_bound else 200)


@organiser_required
@one_edit_at_a_time
def edit(request: OrganiserRequest, event: Event, member_id: UUID) -> HttpResponse:
    """Change a crew member, and show their phones and links."""
    try:
        member = get_member(event, member_id)
    except CrewMember.DoesNotExist:
        back = reverse("crew:groups", args=[event.slug])
        return show_deleted(request, MemberForm(request.POST, event=event), {"event": event}, back)
    editing = Edit(request, partial(MemberForm, event=event, instance=member))
    if editing.is_valid():
        services.update_member(member, **editing.form.cleaned_data)
        editing.announce(request, _("%(member)s has been changed.") % {"member": member})
        return redirect("crew:groups", event.slug)
    context = {
        "event": event,
        "member": member,
        "form": editing.form,
        "edit": editing,
        "devices": list_devices(member),
        "invitations": list_open_invitations(member),
    }
    return render(request, "crew/member.html", context, status=editing.status)


@organiser_required
@one_edit_at_a_time
def delete(request: OrganiserRequest, event: Event, member_id: UUID) -> HttpResponse:
    """Remove a crew member who never had a phone, after confirmation."""
    member = _find(event, member_id)
    in_use = _("%(member)s has had a phone, so the name must stay in the history. Revoke the phone instead.")
    explanation = _(
        "%(member)s will be removed from the crew of %(group)s. Any link they were given will stop working."
    )
    return Confirmation(
        event=event,
        tab="groups",
        title=_("Remove from the crew"),
        question=_("Remove %(member)s?") % {"member": member},
        explanation=explanation % {"member": member, "group": member.group},
        button=_("Remove"),
        done=_("%(member)s has been removed.") % {"member": member},
        back=reverse("crew:member", args=[event.slug, member.pk]),
        next_url=reverse("crew:groups", args=[event.slug]),
        refusals={services.MemberInUse: in_use % {"member": member}},
    ).answer(request, partial(services.delete_member, member))


@sent_once_for_secret
@organiser_required
def invite(request: OrganiserRequest, event: Event, member_id: UUID) -> HttpResponse:
    """Create a link and show it once."""
    member = _find(event, member_id)
    try:
        invitation, token = invitations.create_invitation(member)
    except EventArchived:
        text = _("%(event)s is in the archive, so there are no new links. Take it out of the archive first.")
        messages.error(request, text % {"event": event})
        return redirect("crew:member", event.slug, member.pk)
    link = settings.BASE_URL + reverse("crew:join", args=[token])
    context = {"event": event, "member": member, "invitation": invitation, "link": link, "qr": make_qr_code(link)}
    return render(request, "crew/invitation.html", context)


def _find(event: Event, member_id: UUID) -> CrewMember:
    try:
        return get_member(event, member_id)
    except CrewMember.DoesNotExist as error:
        raise Http404 from error


@organiser_required
def revoke(request: OrganiserRequest, event: Event, device_id: UUID) -> HttpResponse:
    """Revoke a phone that was lost or given back, after confirmation."""
    try:
        device = get_event_device(event, device_id)
    except Device.DoesNotExist as error:
        raise Http404 from error
    explanation = _(
        "It was signed in on %(added)s. It will not be able to record anything more. Everything it has sent is kept. "
        "Entries still on the phone will go to your review list, and count only if you accept them. To sign in again, "
        "it needs a new link."
    )
    return Confirmation(
        event=event,
        tab="groups",
        title=_("Revoke the phone"),
        question=_("Revoke the phone of %(member)s?") % {"member": device.member},
        explanation=explanation % {"added": format_date(device.created_at.astimezone(event.zone), _("j M, H:i"))},
        done=_("The phone of %(member)s has been revoked.") % {"member": device.member},
        back=reverse("crew:member", args=[event.slug, device.member_id]),
    ).answer(request, partial(revoke_device, device))
