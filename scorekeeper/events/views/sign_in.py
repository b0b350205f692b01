"""Signing in, with Django's own view. A failed sign-in has status 422 or 429.

`passkey_sign_in` has the second step, for accounts with a passkey.
"""

from __future__ import annotations

import datetime as dt
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.common.date_wording import format_date
from scorekeeper.common.security_log import log_change
from scorekeeper.common.stale_forms import forget_unsent_input, get_unsent_input
from scorekeeper.events.browsers import add_known_account, ensure_browser_id, get_browser
from scorekeeper.events.forms.sign_in import SignInForm
from scorekeeper.events.models import AccountLink
from scorekeeper.events.passkey_session import begin_pending_sign_in
from scorekeeper.events.selectors import (
    get_default_time_zone,
    has_accounts,
    list_passkeys,
    list_received_invitations,
    list_reset_links,
)
from scorekeeper.events.services.sessions import record_session_use
from scorekeeper.events.services.sign_in_throttle import get_account_digest

REFUSED, THROTTLED = 422, 429


class SignInView(LoginView):
    """Asks an organiser for their name and password."""

    authentication_form = SignInForm
    template_name = "events/sign_in.html"
    redirect_authenticated_user = True

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the form, and give a new browser an id under which its wrong passwords are counted."""
        response = super().get(request, *args, **kwargs)
        ensure_browser_id(request, response)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Say whether anyone can sign in yet, and whether something waits to be sent again."""
        has_unsent_input = get_unsent_input(self.request) is not None
        return super().get_context_data(has_accounts=has_accounts(), has_unsent_input=has_unsent_input, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Sign in, unless the account has a passkey: the next page asks for it."""
        user, url = form.get_user(), self.get_success_url()
        if list_passkeys(user).exists():
            begin_pending_sign_in(self.request, user)
            return redirect(f"{reverse('events:sign_in_passkey')}?{urlencode({'next': url})}")
        return complete_sign_in(self.request, user, url)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """Show the form again: 422, or 429 after too many attempts for the account."""
        assert isinstance(form, SignInForm)
        status = THROTTLED if form.is_throttled else REFUSED
        return self.render_to_response(self.get_context_data(form=form), status=status)


def complete_sign_in(request: HttpRequest, user: User, url: str) -> HttpResponse:
    """Start a session for somebody who has shown who they are, and redirect. Every sign-in ends here.

    It also makes the browser known to the account, and says what happened to the account since the last sign-in. What
    another account had typed in this browser is forgotten.

    Args:
        user: the account.
        url: where to go on.
    """
    last_login = user.last_login  # signing in changes it
    account = get_account_digest(user.username)
    if get_browser(request).accounts[-1:] not in ((), (account,)):
        forget_unsent_input(request)  # the account that signed in here before has typed it
    login(request, user)
    log_change("signed_in", account=user.pk, address=get_browser(request).address)
    record_session_use(user, request.session.session_key, request.headers.get("User-Agent", ""))
    report_reset_links(request, user, since=last_login)
    if url != reverse("events:list"):  # that page lists them
        report_invitations(request, user)
    # `redirect` would take a `next` without a slash for the name of a route.
    response = HttpResponseRedirect(url)
    add_known_account(request, response, account)
    return response


def report_reset_links(request: HttpRequest, user: User, since: dt.datetime | None) -> None:
    """Tell the user who created links for a new password, and which were used, since they last signed in."""
    zone = ZoneInfo(get_default_time_zone(user))
    for link in list_reset_links(user, since):
        messages.warning(request, _describe_reset_link(link, zone))


def report_invitations(request: HttpRequest, user: User) -> None:
    """Tell the user how many invitations to organise a ride they have not answered."""
    count = list_received_invitations(user).count()
    if count:
        text = ngettext(
            "You have %(count)s invitation to organise an event. You can answer it under “My events”.",
            "You have %(count)s invitations to organise an event. You can answer them under “My events”.",
            count,
        )
        messages.info(request, text % {"count": count})


def _describe_reset_link(link: AccountLink, zone: ZoneInfo) -> str:
    values = {
        "who": link.created_by or _("The person who runs this site"),
        "created": _format_time(link.created_at, zone),
        "used": _format_time(link.consumed_at, zone) if link.consumed_at else "",
    }
    if link.consumed_at:
        text = _(
            "%(who)s created a link for a new password for you on %(created)s. It was used on %(used)s. "
            "If that was not you, someone else could sign in as you: change your password now."
        )
    else:
        text = _(
            "%(who)s created a link for a new password for you on %(created)s. It has not been used. "
            "If you did not ask for it, change your password: that ends the link."
        )
    return text % values


def _format_time(time: dt.datetime, zone: ZoneInfo) -> str:
    return format_date(timezone.localtime(time, zone), _("j F Y, H:i"))
