"""The buttons under "My events" with which a person answers invitations to organise an event."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from scorekeeper.common.request_data import parse_uuid
from scorekeeper.events.navigation import get_start_page
from scorekeeper.events.selectors import list_received_invitations
from scorekeeper.events.services import organiser_invitations as services


def accept(request: HttpRequest, invitation_id: UUID) -> HttpResponse:
    """Accept an invitation to the own account, and go on to the event."""
    user = _get_user(request)
    invitation = get_object_or_404(list_received_invitations(user), pk=invitation_id)
    try:
        event = services.accept_invitation(invitation, user)
    except services.InvitationClosed:
        messages.error(request, _("This invitation has just been withdrawn."))
        return redirect("events:list")
    messages.success(request, _("You are now an organiser of %(event)s.") % {"event": event})
    return redirect(get_start_page(event))


def decline(request: HttpRequest, invitation_id: UUID) -> HttpResponse:
    """Decline an invitation to the own account."""
    user = _get_user(request)
    invitation = get_object_or_404(list_received_invitations(user), pk=invitation_id)
    try:
        services.decline_invitation(invitation, user)
    except services.InvitationClosed:
        messages.error(request, _("This invitation has just been withdrawn."))
    else:
        text = _("You have declined the invitation to %(event)s. Nobody is told.")
        messages.success(request, text % {"event": invitation.event})
    return redirect("events:list")


def confirm(request: HttpRequest) -> HttpResponse:
    """Agree to organise events that the person was added to without being asked."""
    ids = [one for one in map(parse_uuid, request.POST.getlist("organiser")) if one is not None]
    services.confirm_organising(_get_user(request), ids)
    messages.success(request, _("Your events are confirmed."))
    return redirect("events:list")


def _get_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User), "signed in"
    return request.user
