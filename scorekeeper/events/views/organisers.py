"""Pages on which organisers invite and remove organisers, and help one who has forgotten the password."""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from scorekeeper.common.qr import make_qr_code
from scorekeeper.common.sent_once import sent_once
from scorekeeper.common.sent_once_for_secret import sent_once_for_secret
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.browsers import get_browser
from scorekeeper.events.confirmation import Confirmation
from scorekeeper.events.forms.accounts import InviteByLinkForm, InviteByNameForm, OwnPasswordForm
from scorekeeper.events.models import AccountLink, Event
from scorekeeper.events.selectors import (
    can_reset_password,
    has_accepted,
    has_further_rights,
    list_open_invites,
    list_organisers,
    list_sent_invitations,
)
from scorekeeper.events.services import account_links, organiser_invitations
from scorekeeper.events.services import events as services

REFUSED = 422


@sent_once
@organiser_required
@sensitive_post_parameters("own_password")
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the organisers of the event and its invitations, and invite one by name."""
    form = InviteByNameForm(request.POST or None, event=event, user=request.user, browser=get_browser(request))
    if form.is_valid():
        invitation = organiser_invitations.invite_by_name(event, form.cleaned_data["username"], request.user)
        text = _(
            "%(name)s is invited. If there is an account with exactly this name, its owner sees the invitation under "
            "“My events”, and organises the event once they accept it."
        )
        messages.success(request, text % {"name": invitation})
        return redirect("events:organisers", event.slug)
    return _render_organisers(request, event, by_name=form)


@sent_once_for_secret
@organiser_required
@sensitive_post_parameters("own_password")
def invite(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Create an invitation and show its link once."""
    form = InviteByLinkForm(request.POST, user=request.user, browser=get_browser(request))
    if not form.is_valid():
        return _render_organisers(request, event, by_link=form)
    link, token = account_links.create_invite(event, request.user)
    return _show_once(request, event, link, reverse("events:invited", args=[token]))


@organiser_required
def remove(request: OrganiserRequest, event: Event, organiser_id: UUID) -> HttpResponse:
    """Remove an organiser, after confirmation."""
    organiser = get_object_or_404(list_organisers(event), pk=organiser_id)
    is_self = organiser == request.organiser
    names = {"name": organiser, "event": event}
    if is_self:
        explanation = _("This is you. You will no longer be able to see %(event)s.")
    else:
        explanation = _("%(name)s will no longer be able to see %(event)s. Everything %(name)s has recorded is kept.")
    organisers = reverse("events:organisers", args=[event.slug])
    return Confirmation(
        event=event,
        tab="organisers",
        title=_("Remove an organiser"),
        question=_("Remove %(name)s?") % names,
        explanation=explanation % names,
        button=_("Remove"),
        done=_("%(name)s is no longer an organiser of %(event)s.") % names,
        back=organisers,
        next_url=reverse("events:list") if is_self else organisers,
        refusals={
            services.LastOrganiser: _("An event needs at least one organiser. Invite another organiser first."),
        },
    ).answer(request, partial(services.remove_organiser, organiser))


@organiser_required
def withdraw_invite(request: OrganiserRequest, event: Event, link_id: UUID) -> HttpResponse:
    """End an invitation that nobody has used."""
    link = get_object_or_404(event.account_links, pk=link_id, purpose=AccountLink.Purpose.INVITE)
    AccountLink.objects.filter(pk=link.pk).expire()
    messages.success(request, _("The invitation has been withdrawn. Its link no longer works."))
    return redirect("events:organisers", event.slug)


@organiser_required
def withdraw_invitation(request: OrganiserRequest, event: Event, invitation_id: UUID) -> HttpResponse:
    """End an invitation by name."""
    invitation = get_object_or_404(event.organiser_invitations, pk=invitation_id)
    organiser_invitations.withdraw_invitation(invitation)
    messages.success(request, _("The invitation of %(name)s has been withdrawn.") % {"name": invitation})
    return redirect("events:organisers", event.slug)


@sent_once_for_secret
@organiser_required
@sensitive_post_parameters("own_password")
def reset_password(request: OrganiserRequest, event: Event, organiser_id: UUID) -> HttpResponse:
    """Create a link with which another organiser chooses a new password, after confirmation, and show it once."""
    organiser = get_object_or_404(list_organisers(event), pk=organiser_id)
    if organiser == request.organiser:
        return redirect("events:account")
    is_allowed = can_reset_password(request.user, organiser.user)
    form = OwnPasswordForm(
        request.POST if is_allowed and request.method == "POST" else None,
        user=request.user,
        browser=get_browser(request),
    )
    if is_allowed and form.is_valid():
        link, token = account_links.create_reset_link(organiser.user, request.user)
        return _show_once(request, event, link, reverse("events:new_password", args=[token]))
    context = {
        "event": event,
        "organiser": organiser,
        "form": form,
        "is_allowed": is_allowed,
        "has_accepted": has_accepted(request.user, organiser.user),
        "has_further_rights": has_further_rights(organiser.user),
    }
    status = REFUSED if request.method == "POST" and not is_allowed else form.status
    return render(request, "events/reset_password.html", context, status=status)


def _render_organisers(
    request: OrganiserRequest,
    event: Event,
    *,
    by_link: InviteByLinkForm | None = None,
    by_name: InviteByNameForm | None = None,
) -> HttpResponse:
    caller: dict[str, Any] = {"user": request.user, "browser": get_browser(request)}
    by_link = by_link or InviteByLinkForm(**caller)
    by_name = by_name or InviteByNameForm(event=event, **caller)
    context = {
        "event": event,
        "link_form": by_link,
        "name_form": by_name,
        "sent_form": by_link if by_link.is_bound else by_name,
        "organisers": list_organisers(event),
        "invites": list_open_invites(event),
        "invitations": list_sent_invitations(event),
        "current_organiser": request.organiser,
    }
    return render(request, "events/organisers.html", context, status=max(by_link.status, by_name.status))


def _show_once(request: OrganiserRequest, event: Event, link: AccountLink, path: str) -> HttpResponse:
    url = settings.BASE_URL + path
    context = {"event": event, "link": link, "url": url, "qr": make_qr_code(url)}
    return render(request, "events/account_link.html", context)
