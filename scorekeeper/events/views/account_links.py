"""Pages that a one-time link opens: setting up, accepting an invitation, and choosing a new password.

Invariants:
- Opening a link never uses it, because messengers open links too; only a form does.
- The URL has the secret, so it is sent to no other site, stored in no cache and indexed by no search engine.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from scorekeeper.common.secret_links import protect_secret_url
from scorekeeper.events.forms.accounts import AccountForm, InvitedAccountForm, NewPasswordForm
from scorekeeper.events.models import AccountLink, Event
from scorekeeper.events.navigation import get_start_page
from scorekeeper.events.selectors import get_account_link, get_organiser, has_accounts
from scorekeeper.events.services import account_links as services
from scorekeeper.events.views.sign_in import REFUSED, THROTTLED, SignInView, complete_sign_in

Purpose = AccountLink.Purpose
UNKNOWN, GONE = 404, 410


@protect_secret_url
@sensitive_post_parameters()
@sensitive_variables("token")
def welcome(request: HttpRequest, token: str) -> HttpResponse:
    """Let the first organiser choose a name and a password."""
    link = get_account_link(token, Purpose.SETUP)
    if link is None:
        return _render_unknown(request)
    if has_accounts() or not link.is_usable():
        return _render_unusable(request, link)
    form = AccountForm(request.POST or None)
    if form.is_valid():
        try:
            user = services.use_setup_link(link, form.cleaned_data["username"], form.cleaned_data["password1"])
        except services.LinkUnusable:
            return _render_unusable(request, link)
        messages.success(request, _("Welcome, %(name)s. Create your first event.") % {"name": user})
        return complete_sign_in(request, user, reverse("events:create"))
    return render(request, "events/welcome.html", {"form": form}, status=REFUSED if form.is_bound else 200)


@protect_secret_url
@sensitive_post_parameters()
@sensitive_variables("token")
def invited(request: HttpRequest, token: str) -> HttpResponse:
    """Let a person organise the event, with the account they are signed in to or with a new one."""
    link = get_account_link(token, Purpose.INVITE)
    if link is None:
        return _render_unknown(request)
    event = _get_event(link)
    if request.user.is_authenticated and get_organiser(request.user, event.slug):
        if link.is_usable():
            text = _("You already organise %(event)s. The invitation has not been used.")
            messages.info(request, text % {"event": event})
        return redirect(get_start_page(event))
    if not link.is_usable():
        return _render_unusable(request, link)
    try:
        if request.user.is_authenticated:
            return _accept_as_user(request, link, request.user)
        return _accept_with_new_account(request, link, token)
    except services.LinkUnusable:
        return _render_unusable(request, link)


def _accept_as_user(request: HttpRequest, link: AccountLink, user: User) -> HttpResponse:
    if request.method != "POST":
        return render(request, "events/invited_user.html", {"event": link.event, "inviter": link.created_by})
    event = services.accept_invite(link, user)
    messages.success(request, _("You are now an organiser of %(event)s.") % {"event": event})
    return redirect(get_start_page(event))


def _accept_with_new_account(request: HttpRequest, link: AccountLink, token: str) -> HttpResponse:
    event = _get_event(link)
    form = InvitedAccountForm(request.POST or None, inviter=link.created_by)
    if form.is_valid():
        try:
            user = services.accept_invite_with_new_account(
                link, form.cleaned_data["username"], form.cleaned_data["password1"]
            )
        except ValidationError as error:  # someone chose the same name at the same moment
            form.add_error(None, error)
        else:
            messages.success(request, _("You are now an organiser of %(event)s.") % {"event": event})
            return complete_sign_in(request, user, get_start_page(event))
    context = {"form": form, "event": event, "inviter": link.created_by, "token": token}
    status = (THROTTLED if form.is_throttled else REFUSED) if form.is_bound else 200
    return render(request, "events/invited.html", context, status=status)


class InvitedSignInView(SignInView):
    """Signs an invited person in to the account they already have, and returns to the invitation."""

    template_name = "events/invited_sign_in.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Show the form only while the invitation can be used."""
        link = get_account_link(kwargs["token"], Purpose.INVITE)
        if link is None:
            return _render_unknown(request)
        if not link.is_usable():
            return _render_unusable(request, link)
        self.extra_context = {"event": link.event}
        return super().dispatch(request, *args, **kwargs)

    def get_success_url(self) -> str:
        """Return the URL of the invitation."""
        return reverse("events:invited", args=[self.kwargs["token"]])


@protect_secret_url
@sensitive_post_parameters()
@sensitive_variables("token")
def new_password(request: HttpRequest, token: str) -> HttpResponse:
    """Let a person who has forgotten their password choose a new one."""
    link = get_account_link(token, Purpose.RESET)
    if link is None:
        return _render_unknown(request)
    if not link.is_usable() or not services.is_reset_allowed(link):
        return _render_unusable(request, link)
    assert link.user is not None, "every link for a new password has one"
    form = NewPasswordForm(link.user, request.POST or None)
    if form.is_valid():
        try:
            services.use_reset_link(link, form.cleaned_data["new_password1"])
        except services.LinkUnusable:
            return _render_unusable(request, link)
        text = _("The password of %(name)s has been changed. Sign in with the new one.")
        messages.success(request, text % {"name": link.user})
        return redirect("events:sign_in")
    context = {"form": form, "account": link.user, "creator": link.created_by}
    return render(request, "events/new_password.html", context, status=REFUSED if form.is_bound else 200)


def _get_event(link: AccountLink) -> Event:
    assert link.event is not None, "every invitation has one"
    return link.event


def _render_unknown(request: HttpRequest) -> HttpResponse:
    return render(request, "events/account_link_unknown.html", status=UNKNOWN)


def _render_unusable(request: HttpRequest, link: AccountLink) -> HttpResponse:
    current = AccountLink.objects.filter(pk=link.pk).first()
    if current is None:  # its event has just been deleted
        return _render_unknown(request)
    context = {"purpose": current.purpose, "is_used": current.consumed_at is not None}
    return render(request, "events/account_link_unusable.html", context, status=GONE)
