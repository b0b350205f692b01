"""The page of an account: its password, where it is signed in, and its tokens; ending one session or all access."""

from __future__ import annotations

from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from scorekeeper.common.secret_links import hash_token
from scorekeeper.events.browsers import get_browser
from scorekeeper.events.confirmation import Confirmation
from scorekeeper.events.forms.accounts import ChangePasswordForm
from scorekeeper.events.models import AccountSession
from scorekeeper.events.selectors import get_default_time_zone, list_access_tokens, list_reset_links
from scorekeeper.events.services.accounts import change_password, end_access
from scorekeeper.events.services.sessions import end_session, list_sessions, rename_session
from scorekeeper.events.views.sign_in import REFUSED, THROTTLED


@sensitive_post_parameters()
def account(request: HttpRequest) -> HttpResponse:
    """Change the password: all other access ends, except for tokens that the owner keeps."""
    user = _get_user(request)
    tokens = [token for token in list_access_tokens(user) if token.is_usable]
    form = ChangePasswordForm(user, request.POST or None, browser=get_browser(request), tokens=tokens)
    if form.is_valid():
        key = request.session.session_key
        change_password(user, form.cleaned_data["new_password1"], kept_tokens=form.list_kept_tokens(), kept_session=key)
        update_session_auth_hash(request, user)
        rename_session(key, request.session.session_key)
        messages.success(
            request,
            _(
                "Your password has been changed. You are signed out in all other browsers, and links that you had "
                "created no longer work."
            ),
        )
        return redirect("events:account")
    context = {
        "form": form,
        "tokens": tokens,
        "sessions": [(session, _is_current(request, session)) for session in list_sessions(user)],
        "reset_links": list_reset_links(user),
        "zone": ZoneInfo(get_default_time_zone(user)),
    }
    status = (THROTTLED if form.is_throttled else REFUSED) if form.is_bound else 200
    return render(request, "events/account.html", context, status=status)


def end_one_session(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Sign out in one browser."""
    session = next((one for one in list_sessions(_get_user(request)) if one.pk == session_id), None)
    if session is None:
        raise Http404
    is_current = _is_current(request, session)
    end_session(session)
    if is_current:
        logout(request)
        messages.success(request, _("You are signed out."))
        return redirect("events:sign_in")
    messages.success(request, _("%(browser)s is signed out.") % {"browser": session.label})
    return redirect("events:account")


def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """End every session of the account, including this one, and its tokens, after confirmation."""

    def end() -> None:
        end_access(_get_user(request))
        logout(request)

    return Confirmation(
        title=_("Sign out everywhere"),
        question=_("Sign out everywhere?"),
        explanation=_(
            "You will be signed out in every browser, including this one. Your access tokens are revoked, and links "
            "for invitations and new passwords that you have created stop working. Crew phones stay signed in. If "
            "someone else knows your password, change it too."
        ),
        done=_("You are signed out in every browser, and your access tokens are revoked."),
        back=reverse("events:account"),
        next_url=reverse("events:sign_in"),
    ).answer(request, end)


def _is_current(request: HttpRequest, session: AccountSession) -> bool:
    return session.key_digest == hash_token(request.session.session_key or "")


def _get_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User), "signed in"
    return request.user
